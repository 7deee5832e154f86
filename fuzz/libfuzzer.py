"""Building harnesses, and running them by libFuzzer's own options."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harnesses import ROOT

FUZZ_OPTIONS = ["-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only", "-DPOOLPROOF_LIBFUZZER=ON"]


def tool(name):
    return shutil.which(f"{name}-19") or shutil.which(name) or name


def fail(text):
    """Ends the program for wrong usage or something that is missing."""
    print(text, file=sys.stderr)
    sys.exit(2)


def show_progress(output, interval=5):
    """All that a build says. How far it is, "[12/340]", is printed at once and then every few seconds."""
    said, shown = "", -interval
    for line in output:
        said += line
        step = re.match(r"\[\d+/\d+\]", line)
        if step and time.monotonic() - shown >= interval:
            shown = time.monotonic()
            print(f"building the harnesses {step[0]}", file=sys.stderr, flush=True)
    return said


def build(folder, targets, jobs, options=FUZZ_OPTIONS):
    """Builds targets by clang, in a folder that is configured if it is not yet."""
    if not shutil.which(tool("clang++")):
        fail("libFuzzer needs clang++, which is not installed: scripts/install.sh fuzz does that")
    compilers = [f"-DCMAKE_CXX_COMPILER={tool('clang++')}", f"-DCMAKE_C_COMPILER={tool('clang')}"]
    steps = [["cmake", "--build", folder, "-j", jobs, "--target", *targets]]
    if not (folder / "CMakeCache.txt").exists():
        steps.insert(0, ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *compilers, *options])
    for step in [[str(word) for word in step] for step in steps]:
        with subprocess.Popen(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            said = show_progress(process.stdout)
        if process.returncode != 0:
            fail(f"{' '.join(step)} failed:\n{said[-3000:]}")


def ended_well(status, log):
    """Otherwise something has ended the process."""
    return status == 0 and re.search(r"^(Done \d+ runs|Executed )", log, re.MULTILINE) is not None


class Programs:
    """The harnesses of a build."""

    def __init__(self, build, **variables):
        self.build, self.bin = build, build / "bin"
        self.running = set()
        self.environment = {
            **os.environ,
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
            "ASAN_SYMBOLIZER_PATH": shutil.which("llvm-symbolizer-19") or "",
            **variables,
        }

    def not_built(self, harnesses):
        """The first program that is missing, "" if none is."""
        names = ["decode_problem", *(f"fuzz_{h.name}" for h in harnesses)]
        return next((str(self.bin / name) for name in names if not (self.bin / name).exists()), "")

    def run(self, harness, *arguments, **variables):
        """(exit status, output). The harness ends with this process, however that ends."""
        command = ["setpriv", "--pdeathsig", "KILL", self.bin / f"fuzz_{harness.name}", *harness.flags()]
        command += ["-timeout=20", "-rss_limit_mb=2048", "-detect_leaks=0", "-print_funcs=0", *arguments]
        with subprocess.Popen(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**self.environment, **variables},
            errors="replace",
            start_new_session=True,
        ) as process:
            self.running.add(process.pid)
            log, _ = process.communicate()
            self.running.discard(process.pid)
        return process.returncode, log

    def stop(self):
        """Ends the harnesses that run, and the processes that they have started."""
        for pid in list(self.running):
            os.killpg(pid, signal.SIGKILL)

    def fuzz(self, harness, corpus, artifacts, seconds, **variables):
        """Fuzzes in processes that hand their inputs to the corpus when they end, until an input ends one early. Seeds
        and inputs of the corpus that do so are passed over, and left among the artifacts."""
        limits = ["-fork=1", f"-max_total_time={seconds}", f"-artifact_prefix={artifacts}/"]
        inputs = [f"-dict={harness.dictionary_file()}", corpus, *harness.seed_folders(self.build)]
        with tempfile.TemporaryDirectory(prefix="poolproof-fuzz-") as own:  # where it leaves files if it is killed
            return self.run(harness, *limits, *inputs, TMPDIR=own, **variables)

    def merge(self, harness, target, source, artifacts):
        """Fills an empty folder with a smallest set of inputs that covers what the source and the seeds do; returns
        the edges that it reaches, 0 where it failed. An input that ends the harness is left out, as an artifact."""
        paths = [target, source, *harness.seed_folders(self.build)]
        status, log = self.run(harness, "-merge=1", f"-artifact_prefix={artifacts}/", *paths)
        edges = re.findall(r"(\d+) new coverage edges", log)
        return int(edges[-1]) if status == 0 and edges else 0

    def problem_line(self, path):
        done = subprocess.run([self.bin / "decode_problem", path], capture_output=True, text=True, check=False)
        return done.stdout.strip()
