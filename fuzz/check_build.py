#!/usr/bin/env python3
"""Builds .clusterfuzzlite/ as OSS-Fuzz and ClusterFuzzLite do, and runs the result where nothing is installed.

    sudo fuzz/check_build.py --folder /var/tmp/poolproof-check

Without Docker: a Debian in a folder of its own stands for their base image, with clang, libc++ as archive, their
variables and flags, and the steps of the Dockerfile are run in it. $OUT is then moved into a second one, which has a C
library and what their runner has, and each harness is asked what their run test asks: does it start, does it run from
its seeds with its options and dictionary, is it instrumented by the right sanitizer, does it load the C library alone.
Needs debootstrap and about 4 GB. Exit status: 0 all passed, 1 something did not, 2 wrong usage.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harnesses import HARNESSES, ROOT
from run_test import run_test
from sealed_root import SealedRoot, missing_tools

# Packages of their image for building that a smallest system lacks. Its libc++ comes as archive only, and its libFuzzer
# has the standard library that it needs within itself, where Debian's needs that of g++.
BUILDER_PACKAGES = (
    "build-essential ca-certificates clang-19 git libc++-19-dev libc++abi-19-dev libclang-rt-19-dev libunwind-19-dev "
    "llvm-19 zip"
).split()
BUILDER_SETUP = """
for tool in clang clang++ llvm-ar llvm-ranlib llvm-symbolizer; do ln -sf /usr/bin/$tool-19 /usr/local/bin/$tool; done
cd /usr/lib/llvm-19/lib
rm -f libc++.so* libc++abi.so* libunwind.so*
echo 'INPUT(-l:libc++.a -l:libc++abi.a)' > libc++.so
rm -f /usr/lib/x86_64-linux-gnu/libc++*.so* /usr/lib/x86_64-linux-gnu/libunwind.so*
ld -r -o /tmp/engine.o --whole-archive /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-x86_64.a \
  --no-whole-archive "$(gcc -print-file-name=libstdc++.a)"
objcopy -w --keep-global-symbol='LLVMFuzzer*' --keep-global-symbol=main --keep-global-symbol='__sanitizer*' \
  /tmp/engine.o
ar rcs /usr/lib/libFuzzingEngine.a /tmp/engine.o
"""
# Packages of their image for running that the checks need.
RUNNER_PACKAGES = ["binutils", "file", "unzip"]

FOLDERS = {"SRC": "/src", "WORK": "/work", "OUT": "/out"}
FLAGS = (
    "-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error=deprecated-declarations "
    "-Wno-error=implicit-function-declaration -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
)
# Reported, and not by ending the process; everything else that is undefined ends it.
WRAPS = "unsigned-integer-overflow"
UNDEFINED = (
    "array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute,"
    f"shift,signed-integer-overflow,{WRAPS},unreachable,vla-bound,vptr"
)
SANITIZERS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope",
    "undefined": f"-fsanitize={UNDEFINED} -fno-sanitize-recover={UNDEFINED.replace(WRAPS + ',', '')}",
}


def variables(sanitizer):
    """Variables that their container sets before it runs build.sh."""
    flags = f"{FLAGS} {SANITIZERS[sanitizer]} -fsanitize=fuzzer-no-link"
    tools = {"CC": "clang", "CXX": "clang++", "CCC": "clang++", "LIB_FUZZING_ENGINE": "/usr/lib/libFuzzingEngine.a"}
    kind = {"SANITIZER": sanitizer, "FUZZING_ENGINE": "libfuzzer", "FUZZING_LANGUAGE": "c++", "ARCHITECTURE": "x86_64"}
    return {**FOLDERS, **tools, **kind, "CFLAGS": flags, "CXXFLAGS": f"{flags} -stdlib=libc++"}


def dockerfile_steps(text):
    """(instruction, argument) of each line, continued lines joined, comments left out."""
    joined = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]


def expand(text):
    return re.sub(r"\$\{?(SRC|WORK|OUT)\}?", lambda match: FOLDERS[match[1]], text)


def copy_sources(source, target):
    """Copies what `COPY` would of a clean checkout: files of git, no build folders."""
    if source.is_file():
        target = target / source.name if target.is_dir() else target
        shutil.copy(source, target)
        return
    shutil.rmtree(target, ignore_errors=True)
    listed = ["git", "-C", str(source), "ls-files", "-co", "--exclude-standard"]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in (n for n in names if (source / n).is_file()):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, target / name)


def run_dockerfile(root):
    """Runs the steps in a root folder that stands for the base image."""
    for folder in FOLDERS.values():
        (root.folder / folder[1:]).mkdir(exist_ok=True)
    cwd = "/"
    for instruction, argument in dockerfile_steps((ROOT / ".clusterfuzzlite/Dockerfile").read_text()):
        if instruction == "RUN":
            settings = {**FOLDERS, "DEBIAN_FRONTEND": "noninteractive"}
            root.run(["bash", "-c", argument], settings, cwd, stdout=subprocess.DEVNULL).check_returncode()
        elif instruction == "COPY":
            source, target = shlex.split(expand(argument))
            copy_sources(ROOT / source, root.folder / target[1:])
        elif instruction == "WORKDIR":
            cwd = expand(argument)
        elif instruction != "FROM":
            raise SystemExit(f".clusterfuzzlite/Dockerfile: {instruction} is not a step that this script can run")


def prepare(folder):
    """The two root folders, from one smallest system."""
    smallest, builder, runner = (SealedRoot(folder / name) for name in ("smallest", "builder", "runner"))
    smallest.make()
    for root, packages, setup in ((builder, BUILDER_PACKAGES, BUILDER_SETUP), (runner, RUNNER_PACKAGES, "true")):
        if not (root.folder / "installed").exists():
            shutil.rmtree(root.folder, ignore_errors=True)
            root.copy_from(smallest)
            root.install(packages)
            root.run(["sh", "-ec", setup]).check_returncode()
            (root.folder / "installed").touch()
    return builder, runner


def build(builder, sanitizer):
    """Runs build.sh into an empty $OUT; each sanitizer has its own $WORK."""
    out = builder.folder / FOLDERS["OUT"][1:]
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    settings = {**variables(sanitizer), "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count())}
    settings["WORK"] += f"/{sanitizer}"
    (builder.folder / settings["WORK"][1:]).mkdir(parents=True, exist_ok=True)
    done = builder.run(["bash", "-eu", "/src/build.sh"], settings, "/src/poolproof")
    if done.returncode != 0:
        raise SystemExit(f"build.sh ended with {done.returncode} under {sanitizer}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    place = pathlib.Path("/var/tmp/poolproof-check")
    parser.add_argument("--folder", type=pathlib.Path, default=place, help="taken up again by the next run")
    parser.add_argument("--sanitizer", action="append", choices=SANITIZERS, help="default: all")
    options = parser.parse_args()
    problem = missing_tools()
    if problem:
        print(f"fuzz/check_build.py: {problem}", file=sys.stderr)
        return 2
    options.folder.mkdir(parents=True, exist_ok=True)
    builder, runner = prepare(options.folder.resolve())
    run_dockerfile(builder)
    failures = []
    for sanitizer in options.sanitizer or SANITIZERS:
        out = build(builder, sanitizer)
        failures += run_test(runner, out, sanitizer, [f"fuzz_{h.name}" for h in HARNESSES])
    print("\n".join(failures) or "all harnesses pass")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
