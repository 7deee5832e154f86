"""Running one harness, and what its output says."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harnesses import ROOT


@dataclasses.dataclass
class Outcome:
    executions: int = 0
    seconds: float = 0.0
    coverage_before: int = 0
    coverage_after: int = 0
    corpus: int = 0
    findings: list = dataclasses.field(default_factory=list)


def parse_log(log, outcome, first):
    """Takes counts from libFuzzer's own lines; gives the executions of this log."""
    executed = re.findall(r"stat::number_of_executed_units:\s+(\d+)", log)
    started = re.findall(r"^#(\d+)\s", log, re.MULTILINE)
    executions = int(executed[-1]) if executed else int(started[-1]) if started else 0
    outcome.executions += executions
    inited = re.findall(r"INITED cov: (\d+)", log)
    reached = re.findall(r"cov: (\d+)", log)
    if first and inited:
        outcome.coverage_before = int(inited[0])
    if reached:
        outcome.coverage_after = max(outcome.coverage_after, int(reached[-1]))
    return executions


def ended_well(returncode, log):
    """Otherwise something has ended the process."""
    return returncode == 0 and re.search(r"^Done \d+ runs", log, re.MULTILINE) is not None


class Programs:
    """The harnesses of a build."""

    def __init__(self, build):
        self.bin = build / "bin"
        self.environment = dict(
            os.environ,
            ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1",
            UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1",
            ASAN_SYMBOLIZER_PATH=shutil.which("llvm-symbolizer-19") or "",
        )

    def not_built(self, harnesses):
        """The first program that is missing, "" if none is."""
        names = ["decode_problem", *(f"fuzz_{h.name}" for h in harnesses)]
        return next((str(self.bin / name) for name in names if not (self.bin / name).exists()), "")

    def command(self, harness, *arguments):
        """A command that ends with who started it, however that ends."""
        return [
            "setpriv",
            "--pdeathsig",
            "KILL",
            str(self.bin / f"fuzz_{harness.name}"),
            "-timeout=20",
            *harness.flags(),
            *(str(a) for a in arguments),
        ]

    def fuzz_command(self, harness, corpus, artifacts, *arguments):
        return self.command(
            harness,
            f"-artifact_prefix={artifacts}/",
            "-print_final_stats=1",
            "-rss_limit_mb=2048",
            "-detect_leaks=0",
            "-print_funcs=0",
            f"-dict={ROOT / 'fuzz/dictionaries' / harness.dictionary}",
            *arguments,
            corpus,
            *harness.seed_folders(),
        )

    def run(self, command):
        """(exit status, output)"""
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.environment,
            errors="replace",
            check=False,
        )
        return done.returncode, done.stdout

    def merge(self, harness, target, sources, *arguments):
        """Fills an empty folder with a smallest set of inputs that covers what the sources do; whether it did. An input
        that crashes is left out."""
        status, _ = self.run(self.command(harness, "-merge=1", *arguments, target, *sources, *harness.seed_folders()))
        return status == 0 and any(target.iterdir())

    def coverage(self, harness, folders, artifacts):
        """Edges and features that inputs of folders reach together."""
        _, log = self.run(
            self.command(
                harness,
                "-runs=0",
                f"-artifact_prefix={artifacts}/",
                "-rss_limit_mb=2048",
                "-detect_leaks=0",
                *folders,
                *harness.seed_folders(),
            )
        )
        reached = re.findall(r"cov: (\d+) ft: (\d+)", log)
        return tuple(int(number) for number in reached[-1]) if reached else (0, 0)

    def problem_line(self, path):
        done = subprocess.run(
            [str(self.bin / "decode_problem"), str(path)], capture_output=True, text=True, check=False
        )
        return done.stdout.strip()
