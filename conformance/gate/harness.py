"""Runs the conformance program in tests: arguments, exit codes, results, processes."""

import contextlib
import functools
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = os.path.abspath(os.environ.get("POOLPROOF_BUILD", "build"))
PROGRAM = os.path.join(BUILD, "bin", "conformance")
WORKER = os.path.join(BUILD, "bin", "poolproof-worker")
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
NUMPY = os.environ.get("POOLPROOF_PYTHON", sys.executable)  # a Python that has it


def library(name):
    """Path of a backend that the build made."""
    return os.path.join(BUILD, "lib", f"lib{name}.so")


def text_of(*path):
    """Text of a file of the project."""
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def ledger():
    """The entries of the ledger, with what the files of families add to them."""
    paths = sorted(glob.glob(os.path.join(ROOT, "specs", "**", "discrepancies.json"), recursive=True))
    files = [json.loads(text_of(path)) for path in paths]
    entries = {entry["id"]: entry for file in files for entry in file["discrepancies"]}
    for added in (added for file in files for added in file.get("shared", [])):
        entry = entries[added["id"]]
        entry["clauses"] = entry.get("clauses", []) + added.get("clauses", [])
        entry["profiles"] = {**entry.get("profiles", {}), **added.get("profiles", {})}
    return list(entries.values())


def families_with(entry):
    """Option that selects the families with a spec that names this entry of the ledger; it changes no other."""
    specs = os.path.join(ROOT, "specs")
    folders = set(next(os.walk(specs))[1]) - {"schema"}
    files = [(folder, name) for folder in folders for name in os.listdir(os.path.join(specs, folder))]
    named = {folder for folder, name in files if f'"{entry}"' in text_of("specs", folder, name)}
    return f"--family={','.join(sorted(named))}"


def blocks_of(text):
    """(language, text) of each fenced block of a page, in order."""
    return re.findall(r"^```(\w+)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


OPTIMIZED = "poolproof_optimized_backend"
REFERENCE = "poolproof_reference_backend"
MUTANTS = "poolproof_mutants"


class Program(unittest.TestCase):
    """A test case with a scratch folder and ways to run the program."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="poolproof-test-")
        self.folder = self._folder.name
        self.addCleanup(self._folder.cleanup)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def run_program(self, *arguments, code=None, timeout=300, env=None):
        """Runs to the end; checks the exit code if one is given. Output is text of both streams."""
        done = subprocess.run(
            [PROGRAM, *arguments],
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=self.folder,
            env={**os.environ, **(env or {})},
        )
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout[-3000:] + done.stderr[-3000:])
        return done

    def run_in_folder(self, command, code, **variables):
        """A command beside the program, with variables of its own; returns what it printed. code may be several."""
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=300, env={**os.environ, **variables}
        )
        codes = code if isinstance(code, tuple) else (code,)
        self.assertIn(done.returncode, codes, f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def make_checkout(self):
        """Makes the folder one in which the program was built and backends can be, as pages have it."""
        shutil.copytree(
            os.path.join(ROOT, "conformance"),
            self.path("conformance"),
            ignore=shutil.ignore_patterns("testdata", "causes", "*_test*"),
        )
        os.makedirs(self.path("build", "bin"))
        for program in (PROGRAM, WORKER):
            shutil.copy(program, self.path("build", "bin"))

    def run_printed(self, command, code=0):
        """A command of a page; returns what it printed."""
        # NumPy belongs to the system's Python; another one may be in front of it.
        path = "/usr/bin" + os.pathsep + os.environ["PATH"]
        return self.run_in_folder(["bash", "-e", "-c", command], code, PATH=path)

    def gate(self, name, *arguments, out="out", code=None, **more):
        """Runs the gate against one of our backends and returns (completed process, Results)."""
        backend = name if "/" in name or ":" in name else library(name)
        done = self.run_program(f"--backend={backend}", f"--out={self.path(out)}", *arguments, code=code, **more)
        return done, Results(self.path(out, "results.jsonl"))

    def one_sentence(self, done, *parts):
        """The program said one sentence on standard error, with all the parts in it."""
        # A slow machine says every ten seconds what it does.
        said = done.stderr.strip().splitlines()
        lines = [line for line in said if not re.fullmatch(r"[a-z ]+ for \d+ (s|min)", line)]
        self.assertEqual(len(lines), 1, done.stderr)
        for part in parts:
            self.assertIn(part, lines[0])


def digest(data):
    """XXH3-128, by the tool of its library."""
    done = subprocess.run(["xxhsum", "-H2", "-"], input=data, capture_output=True, check=True)
    return done.stdout.decode().split()[0]


def digest_of(cases):
    """What a results file says over all its cases."""
    return digest("".join(f"{case['n']} {case['id']} {case['verdict']}\n" for case in cases).encode())


class Results:
    """A results file, read. Cases that have no line in it are those that the program says they are."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.lines = file.readlines()
        values = [json.loads(line) for line in self.lines]
        self.header = values[0]
        self.groups = [v for v in values if "group" in v and "n" not in v]
        self.footer = values[-1]["footer"]

    @functools.cached_property
    def case_lines(self):
        """A line for each case, as the file of a run that has not ended has them."""
        done = subprocess.run(
            [PROGRAM, "list", f"--results={self.path}"], capture_output=True, text=True, timeout=300, check=True
        )
        return done.stdout.splitlines(keepends=True)

    @functools.cached_property
    def cases(self):
        return [json.loads(line) for line in self.case_lines]

    def verdicts(self):
        return set(self.footer["counts"])

    def case(self, case_id):
        return next(case for case in self.cases if case["id"] == case_id)

    def line_of(self, case_id):
        return next(case.get("line", case_id) for case in self.cases if case["id"] == case_id)

    def comparable(self):
        """All lines without what depends on time and place."""
        footer = {
            k: v for k, v in self.footer.items() if k not in ("duration_seconds", "problems_per_second", "stdout_bytes")
        }
        header = {k: v for k, v in self.header.items() if k not in ("started", "jobs")}
        return [json.dumps(header), *self.lines[1:-1], json.dumps(footer)]


def children(pid):
    """Process ids of the children of a process."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(entry))
    return found


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def wait_until(condition, seconds=60):
    """Polls; fails loudly instead of hanging where the condition never comes true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited too long")
        time.sleep(0.01)


def main():
    unittest.main(argv=sys.argv)
