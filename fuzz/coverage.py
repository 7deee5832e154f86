#!/usr/bin/env python3
"""Line coverage of the code under the fuzz harnesses, by the corpora of a campaign.

    fuzz/coverage.py --corpus build-fuzz/campaign/corpus --build build-coverage

Builds the harnesses with clang's source coverage, replays seeds and corpora, and prints a table per folder and, with
--html, pages per file. --require FOLDER=PERCENT fails below that share of lines.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harnesses import HARNESSES, ROOT
from libfuzzer import build, tool

# A header of Highway includes kernels once per instruction set, so that all but one count as parts of the system.
FLAGS = "-O1 -gline-tables-only -fprofile-instr-generate -fcoverage-mapping -mllvm -system-headers-coverage"
OPTIONS = ["-DPOOLPROOF_TESTS=OFF", f"-DCMAKE_CXX_FLAGS={FLAGS}", "-DCMAKE_BUILD_TYPE=None"]


def run(*arguments, **more):
    return subprocess.run([str(a) for a in arguments], check=True, **more)


def replay(folder, corpora):
    """Each harness once over its seeds and its corpus; returns the arguments for llvm-cov."""
    programs, profiles = [folder / "bin" / f"fuzz_{h.name}" for h in HARNESSES], []
    for harness, program in zip(HARNESSES, programs):
        corpus = [corpora / harness.name] if corpora and (corpora / harness.name).is_dir() else []
        profiles.append(folder / f"{harness.name}.profraw")
        environment = {**os.environ, "LLVM_PROFILE_FILE": str(profiles[-1])}
        run(program, *harness.seed_folders(folder), *corpus, env=environment, stdout=subprocess.DEVNULL)
    merged = folder / "merged.profdata"
    run(tool("llvm-profdata"), "merge", "-sparse", *profiles, "-o", merged)
    return [f"-instr-profile={merged}", programs[0], *(f"-object={program}" for program in programs[1:])]


def folder_of(path):
    parts = path.parent.parts
    return "/".join(parts[: 2 if parts[0] == "conformance" else 1])


def lines_per_folder(replayed, below):
    """(covered, all) lines of each folder that is fuzzed; prints each file that has a smaller share than `below`."""
    done = run(tool("llvm-cov"), "export", "-summary-only", *replayed, stdout=subprocess.PIPE)
    lines = collections.defaultdict(lambda: (0, 0))
    for entry in json.loads(done.stdout)["data"][0]["files"]:
        path = pathlib.Path(entry["filename"])
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else None
        if name is None or name.parts[0] in ("fuzz", "build") or len(name.parts) < 2:
            continue
        covered, count = (entry["summary"]["lines"][key] for key in ("covered", "count"))
        lines[folder_of(name)] = tuple(a + b for a, b in zip(lines[folder_of(name)], (covered, count)))
        if covered < below * count:
            print(f"  {name}: {covered} of {count}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-coverage")
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--html", type=pathlib.Path)
    parser.add_argument("--files", action="store_true", help="also every file below 95 percent")
    parser.add_argument("--require", action="append", default=[], metavar="FOLDER=PERCENT")
    options = parser.parse_args()
    folder = options.build.resolve()
    build(folder, ["fuzzers"], options.jobs, OPTIONS)
    replayed = replay(folder, options.corpus.resolve() if options.corpus else None)
    lines = lines_per_folder(replayed, 0.95 if options.files else 0)
    share = {name: 100 * covered / count for name, (covered, count) in sorted(lines.items()) if count}
    print(f"{'folder':24}{'lines':>8}{'covered':>9}{'percent':>9}")
    for name, percent in share.items():
        print(f"{name:24}{lines[name][1]:8}{lines[name][0]:9}{percent:9.1f}")
    if options.html:
        run(tool("llvm-cov"), "show", "-format=html", f"-output-dir={options.html}", *replayed)
    required = [requirement.split("=") for requirement in options.require]
    missed = [name for name, percent in required if share.get(name, 0) < float(percent)]
    for name in missed:
        print(f"{name}: {share.get(name, 0):.1f} percent, below what is required", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
