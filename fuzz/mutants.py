#!/usr/bin/env python3
"""Measures how long the backend harness needs to find each deliberately wrong backend.

    fuzz/mutants.py --build build-fuzz --seconds 60

Each mutant runs as the backend of fuzz_backend, starting from an empty corpus. The table has the time from the start of
the process to the first finding and the executions that it took. Exit status: 0, 1 fewer found than --require says,
2 not built.
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
from harnesses import HARNESSES, ROOT
from libfuzzer import Programs, build, ended_well

BACKEND = next(h for h in HARNESSES if h.name == "backend")
TARGETS = ["list_mutants", "fuzz_backend", "poolproof_mutants"]


def find(folder, mutant, seconds):
    """Seconds and executions until the first finding, and what it was; None where nothing was found."""
    programs = Programs(
        folder,
        POOLPROOF_BACKEND=str(folder / "lib/libpoolproof_mutants.so"),
        POOLPROOF_BACKEND_OPTIONS=f"mutant={mutant}",
        ASAN_OPTIONS="detect_leaks=0:symbolize=0:allocator_may_return_null=1",
    )
    with tempfile.TemporaryDirectory() as corpus:
        began = time.monotonic()
        limits = [f"-max_total_time={seconds}", "-timeout=5", "-seed=1", "-print_final_stats=1"]
        status, log = programs.run(BACKEND, *limits, f"-artifact_prefix={corpus}/", corpus)
        elapsed = time.monotonic() - began
    if ended_well(status, log):
        return None  # otherwise the process was ended by the mutant
    executed = re.findall(r"stat::number_of_executed_units:\s+(\d+)", log)
    what = re.findall(r"^(?:PROBLEM|SUMMARY): (.*)$", log, re.MULTILINE) or [f"exit status {status}"]
    return elapsed, int(executed[-1]) if executed else 0, what[0][:120]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-fuzz")
    parser.add_argument("--seconds", type=int, default=60, help="given to each mutant")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE", help="instead of printing the table")
    parser.add_argument("--require", type=int, default=0, metavar="COUNT", help="that have to be found")
    options = parser.parse_args()
    folder = options.build.resolve()
    build(folder, TARGETS, options.jobs)
    listed = subprocess.run([folder / "bin/list_mutants"], capture_output=True, text=True, check=True).stdout
    mutants = [line.split("\t")[0] for line in listed.splitlines()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = dict(zip(mutants, pool.map(lambda mutant: find(folder, mutant, options.seconds), mutants)))
    lines = ["| mutant | seconds | executions | first finding |", "| --- | ---: | ---: | --- |"]
    for mutant, result in found.items():
        missed = f"- | - | none in {options.seconds} s"
        lines.append(f"| {mutant} | " + ("{:.1f} | {} | `{}`".format(*result) if result else missed) + " |")
    times = [result[0] if result else float("inf") for result in found.values()]
    count = sum(result is not None for result in found.values())
    lines += ["", f"{count} of {len(found)} found, median {statistics.median(times):.1f} s.", ""]
    if options.write:
        options.write.write_text("\n".join(lines))
    else:
        print("\n".join(lines), end="")
    return 1 if count < options.require else 0


if __name__ == "__main__":
    sys.exit(main())
