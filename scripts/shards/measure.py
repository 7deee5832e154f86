#!/usr/bin/env python3
"""How the cost of a run grows on this machine: with workers, with problems, with element types.

    scripts/shards/measure.py --backend=build/lib/libpoolproof_optimized_backend.so

A worker judges one shard after another with --jobs=1, as an element of an array of a scheduler does. The last line
is for simulate.py: the work without starts, the start of a shard, the spread of the times of shards, the merge."""

import argparse
import concurrent.futures
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "build", "bin", "conformance")
WORKERS = (1, 2, 4)


class Measurement:
    def __init__(self, options, folder):
        self.options, self.folder, self.runs = options, folder, 0

    def run(self, *arguments):
        """Seconds of one command; an unusual end is the end of this."""
        begun = time.monotonic()
        done = subprocess.run([self.options.program, *arguments], check=False, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"measure.py: {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        return time.monotonic() - begun

    def judge(self, *arguments):
        self.runs += 1
        out = os.path.join(self.folder, f"run-{self.runs}")
        common = (f"--backend={self.options.backend}", "--jobs=1", "--no-report", f"--out={out}")
        return self.run(*common, *arguments)

    def shards(self, workers):
        """Seconds in all, and of each shard, with so many at a time."""
        count = self.options.shards
        names = [os.path.join(self.folder, f"{workers}-{i}") for i in range(1, count + 1)]
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            seconds = list(pool.map(self.shard, names, range(1, count + 1)))
        return time.monotonic() - begun, seconds, names

    def shard(self, out, index):
        return self.run(
            f"--backend={self.options.backend}",
            "--jobs=1",
            "--no-report",
            f"--level={self.options.level}",
            f"--random={self.options.random}",
            f"--shard={index}/{self.options.shards}",
            f"--out={out}",
        )

    def by_workers(self):
        print(
            f"Workers, on {os.cpu_count()} cores, {self.options.shards} shards of level {self.options.level} with ",
            end="",
        )
        print(f"{self.options.random:,} random problems:\n\n| workers | time | faster |\n| ---: | ---: | ---: |")
        whole = {}
        for workers in WORKERS:
            whole[workers], seconds, names = self.shards(workers)
            print(f"| {workers} | {whole[workers]:.1f} s | {whole[1] / whole[workers]:.2f} times |")
            if workers == 1:
                alone, outs = seconds, names
        merge = self.run("merge", *outs, f"--out={os.path.join(self.folder, 'merged')}")
        start = min(
            self.judge(f"--level={self.options.level}", f"--random={self.options.random}", "--shard=1/1000")
            for _ in range(3)
        )
        spread = statistics.stdev(math.log(each) for each in alone)
        return sum(alone) - start * len(alone), start, spread, merge

    def by_problems(self):
        print("\nProblems, one worker, sections of level quick:\n\n| random | time | for each further 1,000 |")
        print("| ---: | ---: | ---: |")
        before = None
        for count in (0, self.options.some // 4, self.options.some // 2, self.options.some):
            seconds = self.judge("--level=quick", f"--random={count}")
            per = f"{(seconds - before[1]) / (count - before[0]) * 1e6:.0f} ms" if before else ""
            print(f"| {count:,} | {seconds:.1f} s | {per} |")
            before = (count, seconds)

    def by_types(self):
        print(f"\nElement types, one worker, of {self.options.some:,} random problems those that have the type:\n")
        print("| type | time | against f32 |\n| --- | ---: | ---: |")
        f32 = None
        for kind in ("f32", "f64", "f16", "bf16", "i8", "u8", "i32", "i64", "fx8", "fx16"):
            seconds = self.judge("--level=quick", f"--random={self.options.some}", f"--filter={kind} random")
            f32 = f32 or seconds
            print(f"| {kind} | {seconds:.1f} s | {seconds / f32:.2f} times |")


def main():
    parser = argparse.ArgumentParser(
        prog="measure.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--backend", required=True)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--level", default="gate", help="of the shards (gate)")
    parser.add_argument("--random", type=int, default=960_000, help="problems of the shards (960000)")
    parser.add_argument("--some", type=int, default=200_000, help="problems elsewhere (200000)")
    with tempfile.TemporaryDirectory(prefix="poolproof-measure-") as folder:
        measurement = Measurement(parser.parse_args(), folder)
        work, start, spread, merge = measurement.by_workers()
        measurement.by_problems()
        measurement.by_types()
        print(f"\n--work={work:.0f} --start={start:.1f} --spread={spread:.2f} --merge={merge:.1f}")


if __name__ == "__main__":
    main()
