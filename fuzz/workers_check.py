#!/usr/bin/env python3
"""Whether two workers are worth one with twice the time, and whether a killed one loses a finding.

    fuzz/workers_check.py --harness problem_line=200000 --harness worker_protocol=60000 --harness spec_reader=15000
    fuzz/workers_check.py --kills 5

The first compares coverage: one worker with twice the executions against two with so many that share a folder, the
median of --repeats each. Time is counted in executions, so that what else runs on the machine changes nothing; they
should last for many exchanges, of which there is one every second. The second lets two workers find what is wrong with
a deliberately wrong backend (--mutant), kills one with SIGKILL at a random moment after its first finding, and looks
for every input that either had written in what is reported. Exit status: 0 if so, 1 if not, 2 wrong usage or not built.
"""

import argparse
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from findings import ARTIFACT
from harnesses import HARNESSES, ROOT
from libfuzzer import Programs


def start(options, shared, harness, *more, **variables):
    command = [
        sys.executable,
        "-B",
        str(ROOT / "fuzz/campaign.py"),
        "--build",
        str(options.build),
        "--shared",
        shared,
        "--harness",
        harness,
        "--exchange",
        "1",
        *more,
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **variables})


def finish(process):
    text, _ = process.communicate()
    return text


def reached(options, harness, executions, workers):
    """Coverage after workers have shared twice so many executions."""
    with tempfile.TemporaryDirectory() as shared:
        share = str(2 * executions // workers)
        started = [start(options, shared, harness, f"--worker=w{i}", "--executions", share) for i in range(workers)]
        for process in started:
            finish(process)
        text = finish(start(options, shared, harness, "--report"))
        return int(re.search(rf"^{harness}\s+\S+\s+\S+\s+(\d+)", text, re.MULTILINE)[1])


def compare(options):
    """Prints both for each harness; whether two workers reach at least as much."""
    print(f"{'harness':18}{'one, twice the time':>21}{'two':>8}   coverage, medians of {options.repeats}")
    enough = True
    for harness, executions in options.harness:
        runs = [
            (reached(options, harness, executions, 1), reached(options, harness, executions, 2))
            for _ in range(options.repeats)
        ]
        one, two = (statistics.median(column) for column in zip(*runs))
        print(f"{harness:18}{one:21}{two:8}   each: {runs}", flush=True)
        enough = enough and two >= one
    return enough


def artifacts(shared):
    return {str(p) for p in pathlib.Path(shared, "findings").glob("*/*/*") if ARTIFACT.match(p.name)}


def kill_one(options):
    """One worker of two killed; whether all is reported that either had written at any time."""
    backend = {
        "POOLPROOF_BACKEND": str(options.build / "lib/libpoolproof_mutants.so"),
        "POOLPROOF_BACKEND_OPTIONS": f"mutant={options.mutant}",
    }
    with tempfile.TemporaryDirectory() as shared:
        killed, other = (
            start(options, shared, "backend", f"--worker={name}", "--seconds", str(options.seconds), **backend)
            for name in ("killed", "other")
        )
        seen = set()
        while not any("/killed/" in path for path in seen) and killed.poll() is None:
            time.sleep(0.02)
            seen |= artifacts(shared)
        time.sleep(random.uniform(0, 3))
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        seen |= artifacts(shared)
        finish(other)
        seen |= artifacts(shared)
        records = {p.removesuffix(".json") for p in map(str, pathlib.Path(shared, "findings").glob("*/*/*.json"))}
        text = finish(start(options, shared, "backend", "--report", **backend))
        findings, causes = re.search(r"^backend\s.*\s(\d+)\s+(\d+)$", text, re.MULTILINE).groups()
        print(
            f"{len(seen)} inputs written, {len(seen - records)} of them without a record, {findings} reported in "
            f"{causes} causes",
            flush=True,
        )
        return len(seen) > 0 and int(findings) >= len(seen)


def harness_and_executions(text):
    name, _, number = text.partition("=")
    if name not in (h.name for h in HARNESSES) or not number.isdigit() or int(number) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not a harness and a number of executions: problem_line=200000')
    return name, int(number)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-fuzz")
    parser.add_argument(
        "--harness",
        action="append",
        default=[],
        type=harness_and_executions,
        metavar="NAME=EXECUTIONS",
        help="of each of two workers; may be repeated",
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=20, help="of the workers of which one is killed")
    parser.add_argument("--mutant", default="ties-last-only-in-3d", help="of the backend that they run")
    options = parser.parse_args()
    options.build = options.build.resolve()
    if not options.kills and not options.harness:
        parser.error("nothing to do: give --harness or --kills")
    names = [name for name, _ in options.harness] + ["backend"] * (options.kills > 0)
    absent = Programs(options.build).not_built([h for h in HARNESSES if h.name in names])
    if absent:
        print(f"fuzz/workers_check.py: {absent} is not built", file=sys.stderr)
        return 2
    good = sum(kill_one(options) for _ in range(options.kills)) == options.kills
    if options.harness:
        good = compare(options) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
