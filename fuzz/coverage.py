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
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harnesses import HARNESSES, ROOT

# A header of Highway includes kernels once per instruction set, so that all but one count as parts of the system.
FLAGS = "-O1 -gline-tables-only -fprofile-instr-generate -fcoverage-mapping -mllvm -system-headers-coverage"
FOLDERS = (
    "reference",
    "optimized",
    "conformance/format",
    "conformance/cases",
    "conformance/worker",
    "conformance/causes",
    "conformance/diagnosis",
    "conformance/results",
    "conformance/run",
    "conformance/judge",
)


def tool(name):
    return shutil.which(f"{name}-19") or shutil.which(name) or name


def run(arguments, **more):
    return subprocess.run([str(a) for a in arguments], check=True, **more)


def build(folder, jobs):
    if not (folder / "CMakeCache.txt").exists():
        run(
            [
                "cmake",
                "-S",
                ROOT,
                "-B",
                folder,
                "-G",
                "Ninja",
                "-DPOOLPROOF_TESTS=OFF",
                f"-DCMAKE_CXX_COMPILER={tool('clang++')}",
                f"-DCMAKE_C_COMPILER={tool('clang')}",
                f"-DCMAKE_CXX_FLAGS={FLAGS}",
                "-DCMAKE_BUILD_TYPE=None",
            ],
            stdout=subprocess.DEVNULL,
        )
    run(["cmake", "--build", folder, "-j", jobs, "--target", "fuzzers"], stdout=subprocess.DEVNULL)


def replay(folder, corpora):
    """Each harness once over its seeds and its corpus; gives the merged profile."""
    profiles = []
    for harness in HARNESSES:
        seeds = harness.seed_folders()
        corpus = corpora / harness.name if corpora else None
        if corpus and corpus.is_dir() and any(corpus.iterdir()):
            seeds.append(corpus)
        profile = folder / f"{harness.name}.profraw"
        run(
            [folder / "bin" / f"fuzz_{harness.name}", *seeds],
            env=dict(os.environ, LLVM_PROFILE_FILE=str(profile)),
            stdout=subprocess.DEVNULL,
        )
        profiles.append(profile)
    merged = folder / "merged.profdata"
    run([tool("llvm-profdata"), "merge", "-sparse", *profiles, "-o", merged])
    return merged


def objects(folder):
    names = [folder / "bin" / f"fuzz_{harness.name}" for harness in HARNESSES]
    arguments = [names[0]]
    for name in names[1:]:
        arguments += ["-object", name]
    return arguments


def lines_per_folder(folder, profile):
    exported = run(
        [tool("llvm-cov"), "export", "-summary-only", f"-instr-profile={profile}", *objects(folder)],
        capture_output=True,
        text=True,
    ).stdout
    covered = collections.Counter()
    total = collections.Counter()
    files = []
    for entry in json.loads(exported)["data"][0]["files"]:
        path = pathlib.Path(entry["filename"])
        if not path.is_relative_to(ROOT):
            continue
        name = str(path.relative_to(ROOT))
        summary = entry["summary"]["lines"]
        for candidate in FOLDERS:
            if name.startswith(candidate + "/"):
                covered[candidate] += summary["covered"]
                total[candidate] += summary["count"]
                files.append((name, summary["covered"], summary["count"]))
    return covered, total, files


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
    build(folder, options.jobs)
    profile = replay(folder, options.corpus.resolve() if options.corpus else None)
    covered, total, files = lines_per_folder(folder, profile)
    share = {name: 100.0 * covered[name] / total[name] for name in FOLDERS if total[name]}
    print(f"{'folder':24}{'lines':>8}{'covered':>9}{'percent':>9}")
    for name, percent in share.items():
        print(f"{name:24}{total[name]:8}{covered[name]:9}{percent:9.1f}")
    if options.files:
        for name, hit, count in sorted(files):
            if count and hit < 0.95 * count:
                print(f"  {name}: {hit} of {count}")
    if options.html:
        run(
            [
                tool("llvm-cov"),
                "show",
                "-format=html",
                f"-output-dir={options.html}",
                f"-instr-profile={profile}",
                *objects(folder),
            ]
        )
    failed = 0
    for requirement in options.require:
        name, percent = requirement.split("=")
        if share.get(name, 0.0) < float(percent):
            print(f"{name}: {share.get(name, 0.0):.1f} percent, below {percent}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
