#!/usr/bin/env python3
"""Measures how long the backend harness needs to find each deliberately wrong backend.

    fuzz/mutants.py --build build-fuzz --seconds 60 > fuzz/mutants.md

Each mutant runs as the backend of fuzz_backend, starting from an empty corpus. The table has the time from the start of
the process to the first finding and the executions that it took.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harnesses import PROBLEM_FLAGS, ROOT


def find(build, mutant, seconds):
    """Seconds and executions until the first finding, and what it was; None where nothing was found."""
    environment = dict(
        os.environ,
        POOLPROOF_BACKEND=str(build / "lib/libpoolproof_mutants.so"),
        POOLPROOF_BACKEND_OPTIONS=f"mutant={mutant}",
        ASAN_OPTIONS="detect_leaks=0:symbolize=0:allocator_may_return_null=1",
    )
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        done = subprocess.run(
            [
                str(build / "bin/fuzz_backend"),
                f"-max_total_time={seconds}",
                "-timeout=5",
                "-seed=1",
                *PROBLEM_FLAGS,
                "-print_final_stats=1",
                f"-artifact_prefix={folder}/",
                folder,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            errors="replace",
            check=False,
        )
        elapsed = time.monotonic() - began
    if done.returncode == 0 and re.search(r"^Done \d+ runs", done.stdout, re.MULTILINE):
        return None  # otherwise the process was ended by the mutant
    executed = re.findall(r"stat::number_of_executed_units:\s+(\d+)", done.stdout)
    problem = re.findall(r"^PROBLEM: (.*)$", done.stdout, re.MULTILINE)
    summary = re.findall(r"^SUMMARY: (.*)$", done.stdout, re.MULTILINE)
    what = problem[0] if problem else summary[0] if summary else f"exit status {done.returncode}"
    return elapsed, int(executed[-1]) if executed else 0, what[:120]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-fuzz")
    parser.add_argument("--seconds", type=int, default=60, help="given to each mutant")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    build = options.build.resolve()
    if (build / "CMakeCache.txt").exists():
        subprocess.run(
            ["cmake", "--build", str(build), "--target", "list_mutants", "fuzz_backend", "poolproof_mutants"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    listed = subprocess.run([str(build / "bin/list_mutants")], capture_output=True, text=True, check=True).stdout
    mutants = [line.split("\t")[0] for line in listed.splitlines()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda mutant: find(build, mutant, options.seconds), mutants))
    print("# How long the fuzzer needs for each mutant\n")
    print(f"Made by `fuzz/mutants.py --seconds {options.seconds}`; in seconds, from an empty corpus, sanitizers on.\n")
    print("| mutant | seconds | executions | first finding |\n| --- | ---: | ---: | --- |")
    for mutant, result in zip(mutants, found):
        if result is None:
            print(f"| {mutant} | - | - | none in {options.seconds} s |")
        else:
            print(f"| {mutant} | {result[0]:.1f} | {result[1]} | `{result[2]}` |")
    times = [result[0] if result else float("inf") for result in found]
    print(
        f"\n{sum(result is not None for result in found)} of {len(found)} found, "
        f"median {statistics.median(times):.1f} s."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
