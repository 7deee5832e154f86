#!/usr/bin/env python3
"""Runs all fuzz harnesses for a given time on all cores and says what came of it.

    fuzz/campaign.py --seconds 600
    fuzz/campaign.py --seconds 600 --shared FOLDER      as one of any number of workers: see shared_campaign.py

The harnesses are built first, in --build, with clang, libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer;
workers find them built. Corpora grow in OUT/corpus, are merged and minimised at the end, and are taken up again by the
next campaign. Each crash ends in OUT/findings: the input, the message and, where the input is a problem, its problem
line, which `conformance reproduce` runs. --add-regressions puts the shortest line of each cause into
fuzz/regressions.txt. Exit status: 0 nothing found (a worker: it ran), 1 findings, 2 wrong usage or not built.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from findings import Findings, by_cause, print_causes
from harnesses import HARNESSES, ROOT
from libfuzzer import Outcome, Programs, ended_well, parse_log
from shared_campaign import SharedCampaign

MAX_FINDINGS = 20  # of one harness, after which its time is not used up


class Campaign:
    def __init__(self, options):
        self.options = options
        self.programs = Programs(options.build)
        self.out = options.out

    def run(self, harness, seconds):
        outcome = Outcome()
        corpus = self.out / "corpus" / harness.name
        folder = self.out / "findings" / harness.name
        corpus.mkdir(parents=True, exist_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        findings = Findings(self.programs, harness, folder)
        end = time.monotonic() + seconds
        began = time.monotonic()
        first = True
        while time.monotonic() < end - 0.5 and len(outcome.findings) < MAX_FINDINGS:
            left = max(1, int(end - time.monotonic()))
            status, log = self.programs.run(
                self.programs.fuzz_command(harness, corpus, folder, f"-max_total_time={left}", "-reload=0")
            )
            parse_log(log, outcome, first)
            first = False
            if ended_well(status, log):
                break
            outcome.findings.append(findings.add(log))
        outcome.seconds = time.monotonic() - began
        self.minimise(harness, corpus)
        outcome.corpus = len(list(corpus.iterdir()))
        return outcome

    def minimise(self, harness, corpus):
        """Keeps a smallest set of inputs with the same coverage."""
        merged = corpus.with_suffix(".merged")
        shutil.rmtree(merged, ignore_errors=True)
        merged.mkdir()
        if not self.programs.merge(harness, merged, [corpus]):
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
                print(
                    f"{harness.name}: {outcome.executions} executions, {len(outcome.findings)} findings",
                    file=sys.stderr,
                    flush=True,
                )

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
    steps = [
        [
            "cmake",
            "--build",
            str(options.build),
            "-j",
            str(options.jobs),
            "--target",
            "decode_problem",
            *(f"fuzz_{h.name}" for h in harnesses),
        ]
    ]
    if not (options.build / "CMakeCache.txt").exists():
        steps.insert(
            0,
            [
                "cmake",
                "-S",
                str(ROOT),
                "-B",
                str(options.build),
                "-G",
                "Ninja",
                f"-DCMAKE_CXX_COMPILER={compiler}",
                f"-DCMAKE_C_COMPILER={compiler.replace('++', '')}",
                "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only",
                "-DPOOLPROOF_LIBFUZZER=ON",
            ],
        )
    for step in steps:
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            return f"{' '.join(step)} failed:\n{done.stdout[-3000:]}"
    return ""


def print_table(results):
    print(f"{'harness':18}{'executions':>12}{'per second':>12}{'coverage':>16}{'corpus':>8}{'findings':>10}")
    for name, outcome in results.items():
        rate = outcome.executions / outcome.seconds if outcome.seconds else 0
        growth = f"{outcome.coverage_before} > {outcome.coverage_after}"
        print(f"{name:18}{outcome.executions:12}{rate:12.0f}{growth:>16}{outcome.corpus:8}{len(outcome.findings):10}")
    print_causes([finding for outcome in results.values() for finding in outcome.findings])


def add_regressions(findings):
    """The shortest line of each cause."""
    path = ROOT / "fuzz" / "regressions.txt"
    known = set(path.read_text().splitlines())
    with path.open("a") as stream:
        for group in by_cause(findings):
            finding = group[0]
            if finding["line"] and finding["line"] not in known:
                stream.write(f"\n# campaign, {finding['harness']}: {finding['reason']}\n{finding['line']}\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-fuzz")
    parser.add_argument("--out", type=pathlib.Path, default=None, help="default: BUILD/campaign")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--harness", action="append", help="only this one; may be repeated")
    parser.add_argument("--add-regressions", action="store_true")
    shared = parser.add_argument_group("one of many workers", "which share the folder and nothing else")
    shared.add_argument("--shared", type=pathlib.Path, metavar="FOLDER", help="be a worker of the campaign in it")
    shared.add_argument("--worker", help="name of its part; default: host and process")
    shared.add_argument("--exchange", type=int, default=30, metavar="SECONDS", help="between exchanges of inputs")
    shared.add_argument("--executions", type=int, help="of each harness, once, instead of --seconds")
    shared.add_argument("--prune", action="store_true", help="make the shared corpora small instead")
    shared.add_argument("--report", action="store_true", help="say what came of all workers instead")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.out = (options.out or options.build / "campaign").resolve()
    options.worker = options.worker or f"{socket.gethostname()}-{os.getpid()}"
    return options


def wrong_usage(options):
    unknown = set(options.harness or []) - {h.name for h in HARNESSES}
    if unknown:
        return f"no such harness: {', '.join(sorted(unknown))}"
    if not options.shared and (options.prune or options.report or options.executions):
        return "--prune, --report and --executions need --shared=FOLDER"
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", options.worker):
        return f'--worker: "{options.worker}" cannot name a folder: letters, digits and _ . - can'
    if options.exchange < 1:
        return f"--exchange: {options.exchange} is not a number of seconds above 0"
    return ""


def run_shared(options, harnesses):
    """What one of many workers does. It builds nothing, since others may run what is there."""
    shared = SharedCampaign(options, harnesses)
    absent = shared.programs.not_built(harnesses)
    if absent:
        print(f"{absent} is not built: fuzz/campaign.py --build {options.build} --seconds 0 does", file=sys.stderr)
        return 2
    if options.prune:
        return shared.prune()
    if not options.report:
        shared.work()
        return 0
    findings = shared.report()
    if options.add_regressions:
        add_regressions(findings)
    return 1 if findings else 0


def main():
    options = arguments()
    problem = wrong_usage(options)
    if problem:
        print(f"fuzz/campaign.py: {problem}", file=sys.stderr)
        return 2
    harnesses = [h for h in HARNESSES if not options.harness or h.name in options.harness]
    if options.shared:
        return run_shared(options, harnesses)
    problem = build(options, harnesses)
    if problem:
        print(problem, file=sys.stderr)
        return 2
    if options.seconds <= 0:
        return 0
    results = Campaign(options).run_all(harnesses)
    print_table(results)
    (options.out / "campaign.json").write_text(
        json.dumps({name: dataclasses.asdict(outcome) for name, outcome in results.items()}, indent=1)
    )
    findings = [finding for outcome in results.values() for finding in outcome.findings]
    if options.add_regressions:
        add_regressions(findings)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
