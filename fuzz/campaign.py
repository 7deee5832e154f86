#!/usr/bin/env python3
"""Runs all fuzz harnesses for a given time on all cores and says what came of it.

    fuzz/campaign.py --seconds 600

The harnesses are built first, in --build, with clang, libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer. Corpora grow in OUT/corpus, are merged and minimised at the end, and are taken up again by the next campaign. Each
crash ends in OUT/findings: the input, the message and, where the input is a problem, its problem line, which
`conformance reproduce` runs. --add-regressions puts those lines into fuzz/regressions.txt. Exit status: 0 nothing
found, 1 findings, 2 wrong usage or not built.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harnesses import HARNESSES, ROOT  # noqa: E402

MAX_FINDINGS = 20  # of one harness, after which its time is not used up


@dataclasses.dataclass
class Outcome:
    executions: int = 0
    seconds: float = 0.0
    coverage_before: int = 0
    coverage_after: int = 0
    corpus: int = 0
    findings: list = dataclasses.field(default_factory=list)


def parse_log(log, outcome, first):
    """Takes counts from libFuzzer's own lines."""
    executed = re.findall(r"stat::number_of_executed_units:\s+(\d+)", log)
    started = re.findall(r"^#(\d+)\s", log, re.MULTILINE)
    outcome.executions += int(executed[-1]) if executed else int(started[-1]) if started else 0
    inited = re.findall(r"INITED cov: (\d+)", log)
    reached = re.findall(r"cov: (\d+)", log)
    if first and inited:
        outcome.coverage_before = int(inited[0])
    if reached:
        outcome.coverage_after = max(outcome.coverage_after, int(reached[-1]))


def reason_of(log):
    """The line that says what went wrong."""
    for pattern in (r"^PROBLEM: .*$", r"SUMMARY: .*$", r"Assertion .*$", r"^.*ERROR: .*$"):
        found = re.findall(pattern, log, re.MULTILINE)
        if found:
            before = log[: log.index(found[0])].strip().splitlines()
            return before[-1] if pattern.startswith("^PROBLEM") and before else found[0]
    return "ended without a message"


class Campaign:
    def __init__(self, options):
        self.options = options
        self.bin = options.build / "bin"
        self.out = options.out
        self.environment = dict(
            os.environ,
            ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1",
            UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1",
            ASAN_SYMBOLIZER_PATH=shutil.which("llvm-symbolizer-19") or "",
        )

    def command(self, harness):
        return self.bin / f"fuzz_{harness.name}"

    def run(self, harness, seconds):
        outcome = Outcome()
        corpus = self.out / "corpus" / harness.name
        findings = self.out / "findings" / harness.name
        corpus.mkdir(parents=True, exist_ok=True)
        findings.mkdir(parents=True, exist_ok=True)
        seeds = [str(folder) for folder in harness.seed_folders()]
        end = time.monotonic() + seconds
        began = time.monotonic()
        first = True
        while time.monotonic() < end - 0.5 and len(outcome.findings) < MAX_FINDINGS:
            arguments = [
                str(self.command(harness)), f"-max_total_time={max(1, int(end - time.monotonic()))}",
                f"-artifact_prefix={findings}/", "-print_final_stats=1", "-timeout=20",
                "-rss_limit_mb=2048", "-reload=0", "-detect_leaks=0", "-print_funcs=0", *harness.flags(),
                f"-dict={ROOT / 'fuzz/dictionaries' / harness.dictionary}", str(corpus), *seeds]
            done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env=self.environment, errors="replace", check=False)
            parse_log(done.stdout, outcome, first)
            first = False
            if done.returncode == 0 and re.search(r"^Done \d+ runs", done.stdout, re.MULTILINE):
                break  # otherwise something has ended the process
            outcome.findings.append(self.finding(harness, done.stdout))
        outcome.seconds = time.monotonic() - began
        self.minimise(harness, corpus, seeds)
        outcome.corpus = len(list(corpus.iterdir()))
        return outcome

    def finding(self, harness, log):
        artifact = re.findall(r"Test unit written to (\S+)", log)
        finding = {"harness": harness.name, "reason": reason_of(log),
                   "input": artifact[-1] if artifact else ""}
        if harness.problems and artifact:
            decoded = subprocess.run([str(self.bin / "decode_problem"), artifact[-1]],
                                     capture_output=True, text=True, check=False)
            finding["line"] = decoded.stdout.strip()
        if artifact:
            pathlib.Path(artifact[-1] + ".log").write_text(log, errors="replace")
        return finding

    def minimise(self, harness, corpus, seeds):
        """Keeps a smallest set of inputs with the same coverage; an input that crashes is left out."""
        merged = corpus.with_suffix(".merged")
        shutil.rmtree(merged, ignore_errors=True)
        merged.mkdir()
        done = subprocess.run([str(self.command(harness)), "-merge=1", "-timeout=20",
                               *harness.flags(), str(merged), str(corpus), *seeds],
                              capture_output=True, env=self.environment, check=False)
        if done.returncode != 0 or not any(merged.iterdir()):
            shutil.rmtree(merged)
            return
        shutil.rmtree(corpus)
        merged.rename(corpus)

    def run_all(self, harnesses):
        """Every harness gets its share of cores times seconds; the longest start first."""
        weights = sum(h.weight for h in harnesses)
        budget = self.options.seconds * self.options.jobs
        results, lock = {}, threading.Lock()

        def work(harness):
            seconds = min(self.options.seconds, budget * harness.weight / weights)
            outcome = self.run(harness, seconds)
            with lock:
                results[harness.name] = outcome
                print(f"{harness.name}: {outcome.executions} executions, "
                      f"{len(outcome.findings)} findings", file=sys.stderr, flush=True)

        ordered = sorted(harnesses, key=lambda h: -h.weight)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for job in [pool.submit(work, h) for h in ordered]:
                job.result()
        return results


def build(options, harnesses):
    """Configures and builds what is to run; "" or what went wrong."""
    compiler = next((c for c in ("clang++-19", "clang++") if shutil.which(c)), None)
    if compiler is None:
        return "libFuzzer needs clang++, which is not installed"
    steps = [["cmake", "--build", str(options.build), "-j", str(options.jobs), "--target",
              "decode_problem", *(f"fuzz_{h.name}" for h in harnesses)]]
    if not (options.build / "CMakeCache.txt").exists():
        steps.insert(0, ["cmake", "-S", str(ROOT), "-B", str(options.build), "-G", "Ninja",
                         f"-DCMAKE_CXX_COMPILER={compiler}",
                         f"-DCMAKE_C_COMPILER={compiler.replace('++', '')}",
                         "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only",
                         "-DPOOLPROOF_LIBFUZZER=ON"])
    for step in steps:
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode != 0:
            return f"{' '.join(step)} failed:\n{done.stdout[-3000:]}"
    return ""


def print_table(results):
    print(f"{'harness':18}{'executions':>12}{'per second':>12}{'coverage':>16}{'corpus':>8}{'findings':>10}")
    for name, outcome in results.items():
        rate = outcome.executions / outcome.seconds if outcome.seconds else 0
        growth = f"{outcome.coverage_before} > {outcome.coverage_after}"
        print(f"{name:18}{outcome.executions:12}{rate:12.0f}{growth:>16}{outcome.corpus:8}"
              f"{len(outcome.findings):10}")
    for outcome in results.values():
        for finding in outcome.findings:
            print(f"\n{finding['harness']}: {finding['reason']}")
            if finding.get("line"):
                print(f"  conformance reproduce '{finding['line']}' --backend=...")
            print(f"  input: {finding['input']}")


def add_regressions(results):
    lines = {}
    for outcome in results.values():
        for finding in outcome.findings:
            if finding.get("line"):
                lines.setdefault(finding["line"], finding)
    path = ROOT / "fuzz" / "regressions.txt"
    known = set(path.read_text().splitlines())
    with path.open("a") as stream:
        for line, finding in lines.items():
            if line not in known:
                stream.write(f"\n# campaign, {finding['harness']}: {finding['reason']}\n{line}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-fuzz")
    parser.add_argument("--out", type=pathlib.Path, default=None, help="default: BUILD/campaign")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--harness", action="append", help="only this one; may be repeated")
    parser.add_argument("--add-regressions", action="store_true")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.out = (options.out or options.build / "campaign").resolve()
    names = options.harness or [h.name for h in HARNESSES]
    unknown = set(names) - {h.name for h in HARNESSES}
    if unknown:
        print(f"no such harness: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    campaign = Campaign(options)
    harnesses = [h for h in HARNESSES if h.name in names]
    problem = build(options, harnesses)
    if problem:
        print(problem, file=sys.stderr)
        return 2
    results = campaign.run_all(harnesses)
    print_table(results)
    (options.out / "campaign.json").write_text(json.dumps(
        {name: dataclasses.asdict(outcome) for name, outcome in results.items()}, indent=1))
    if options.add_regressions:
        add_regressions(results)
    return 1 if any(outcome.findings for outcome in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
