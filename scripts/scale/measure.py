#!/usr/bin/env python3
"""How the cost of a run grows on this machine: with workers, with problems, with element types.

    scripts/scale/measure.py --backend=build/lib/libpoolproof_optimized_backend.so

A worker judges one shard after another with --jobs=1, as an element of an array of a scheduler does. The last line
has what a run in shards takes: the work without starts, the start of a shard, the merge."""

import argparse
import concurrent.futures
import itertools
import os
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "build", "bin", "conformance")
TYPES = "f32 f64 f16 bf16 i8 u8 i32 i64 fx8 fx16".split()


class Measurement:
    def __init__(self, options, folder):
        self.options, self.folder, self.numbers = options, folder, itertools.count()

    def run(self, *arguments):
        """Seconds of one command; an unusual end is the end of this."""
        begun = time.monotonic()
        done = subprocess.run([self.options.program, *arguments], check=False, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"measure.py: {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        return time.monotonic() - begun

    def judge(self, level, random, *arguments):
        """Seconds of one worker, and the folder of its results."""
        out = os.path.join(self.folder, str(next(self.numbers)))
        common = (f"--backend={self.options.backend}", "--jobs=1", "--no-report", f"--out={out}")
        return self.run(*common, f"--level={level}", f"--random={random}", *arguments), out

    def shard(self, index, count):
        return self.judge(self.options.level, self.options.random, f"--shard={index}/{count}")

    def by_workers(self):
        count = self.options.shards
        plan = f"{count} shards of level {self.options.level} with {self.options.random:,} random problems"
        print(f"Workers, on {os.cpu_count()} cores, {plan}:\n\n| workers | time | faster |\n| ---: | ---: | ---: |")
        alone = None
        for workers in (1, 2, 4):
            begun = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                shards = list(pool.map(lambda index: self.shard(index, count), range(1, count + 1)))
            whole = time.monotonic() - begun
            alone = alone or (whole, shards)
            print(f"| {workers} | {whole:.1f} s | {alone[0] / whole:.2f} times |")
        times, outs = zip(*alone[1])
        merge = self.run("merge", *outs, f"--out={self.folder}/merged")
        start = min(self.shard(1, 1000)[0] for _ in range(3))
        return f"work {sum(times) - start * count:.0f} s, start of a shard {start:.1f} s, merge {merge:.1f} s"

    def by_problems(self):
        print("\nProblems, one worker, sections of level quick:\n\n| random | time | for each further 1,000 |")
        print("| ---: | ---: | ---: |")
        before = None
        for count in (0, self.options.some // 4, self.options.some // 2, self.options.some):
            seconds, _ = self.judge("quick", count)
            per = f"{(seconds - before[1]) / (count - before[0]) * 1e6:.0f} ms" if before else ""
            print(f"| {count:,} | {seconds:.1f} s | {per} |")
            before = (count, seconds)

    def by_types(self):
        print(f"\nElement types, one worker, of {self.options.some:,} random problems those that have the type:\n")
        print("| type | time | against f32 |\n| --- | ---: | ---: |")
        times = {kind: self.judge("quick", self.options.some, f"--filter={kind} random")[0] for kind in TYPES}
        for kind, seconds in times.items():
            print(f"| {kind} | {seconds:.1f} s | {seconds / times['f32']:.2f} times |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", required=True)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--level", default="gate", help="of the shards (gate)")
    parser.add_argument("--random", type=int, default=960_000, help="problems of the shards (960000)")
    parser.add_argument("--some", type=int, default=200_000, help="problems elsewhere (200000)")
    with tempfile.TemporaryDirectory(prefix="poolproof-measure-") as folder:
        measurement = Measurement(parser.parse_args(), folder)
        found = measurement.by_workers()
        measurement.by_problems()
        measurement.by_types()
        print(f"\n{found}")


if __name__ == "__main__":
    main()
