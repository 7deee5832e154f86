"""Backends that attack whoever runs them: none gets out of its cell, none loses a result, none
conforms that does not pool right, and nothing stays behind. The attacks are in testdata/hostile."""

import ctypes
import multiprocessing.pool
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(FOLDER, "..", "..")
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

import harness
from hostile_tables import (
    CAUGHT,
    FAULTY,
    HANGING,
    HARMLESS,
    MAYBE,
    MOMENTS,
    PROGRAM_CAUGHT,
    PROGRAM_FAULTY,
    PROGRAM_HARMLESS,
    PROGRAM_MAYBE,
    PROGRAM_REFUSED,
    PROGRAM_WITHOUT_LANDLOCK,
    REAL,
    REFUSED,
    WITHOUT_LANDLOCK,
)

PYTHON = os.environ.get("POOLPROOF_PYTHON", sys.executable)
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
ROOTED = os.geteuid() == 0
THREADS = 4

# landlock_create_ruleset, asked for its version.
LANDLOCK = ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) > 0
REFUSED_HERE = REFUSED if LANDLOCK else WITHOUT_LANDLOCK
PROGRAM_REFUSED_HERE = PROGRAM_REFUSED if LANDLOCK else PROGRAM_WITHOUT_LANDLOCK


def setUpModule():
    # A process that a backend leaves behind and the runner does not end becomes a child of this one.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    Attack.stage = tempfile.mkdtemp(prefix="poolproof-hostile-")
    os.chmod(Attack.stage, 0o755)
    os.mkdir(os.path.join(Attack.stage, "files"))
    for file in (
        harness.PROGRAM,
        harness.WORKER,
        harness.library("hostile"),
        os.path.join(harness.BUILD, "bin", "old_system"),
        os.path.join(FOLDER, "testdata", "hostile", "hostile_program.py"),
        os.path.join(FOLDER, "testdata", "hostile", "hostile_replies.py"),
        os.path.join(ROOT, "conformance", "backends", "python", "example_backend.py"),
        os.path.join(ROOT, "conformance", "backends", "python", "poolproof.py"),
    ):
        shutil.copy(file, os.path.join(Attack.stage, "files"))


def tearDownModule():
    shutil.rmtree(Attack.stage)


class Attack:
    """One run of the gate, a small plan, against one attack."""

    stage = ""

    def __init__(self, name, *options, at="run", program=False, wrapper=()):
        self.program = program
        self.name = f"{name} {at} {' '.join(options)}"
        self.folder = tempfile.mkdtemp(prefix="run-", dir=self.stage)
        self.out = os.path.join(self.folder, "out")
        self.victim = os.path.join(self.folder, "victim")
        os.mkdir(self.victim)
        for file in ("file", "readable", "secret"):
            with open(os.path.join(self.victim, file), "w", encoding="utf-8") as opened:
                opened.write("secret\n")
        for name_of_folder in ("home", "work"):
            os.mkdir(os.path.join(self.folder, name_of_folder))
        if ROOTED and NOBODY[0] in wrapper:
            for path, folders, files in os.walk(self.folder):
                for entry in [".", *folders, *files]:
                    os.chown(os.path.join(path, entry), 65534, 65534)
        self.before = self.snapshot()
        self.command = [
            *wrapper,
            os.path.join(self.stage, "files", "conformance"),
            "--level=documented",
            f"--filter={'*MaxPool-8 layer-*' if program else 'AvgPool-1 layer-*'}",
            "--no-shrink",
            "--no-report",
            "--memory=4",
            "--log-limit=1",
            "--reading=mean-scaling=after",  # a changed rounding mode could pass for another way to scale
            f"--out={self.out}",
            f"--timeout={1 if name in HANGING else 60}",
            f"--backend-option=attack={name}",
            f"--backend-option=victim={self.victim}",
            f"--backend-option=out={self.out}",
            *options,
        ]
        if "siblings" not in name:
            self.command.append("--jobs=1")
        if program:
            self.command += [
                "--processes=20",
                f"--backend=process:exec {PYTHON} -B {self.stage}/files/hostile_program.py",
                f"--backend-option=secret={self.victim}/secret",
            ]
        else:
            self.command += [f"--backend={self.stage}/files/libhostile.so", f"--backend-option=at={at}"]

    def snapshot(self):
        """All that is below the victim and the home: content, mode, time, attributes."""
        found = {}
        for path, folders, files in os.walk(self.folder):
            for entry in [*folders, *files]:
                whole = os.path.join(path, entry)
                if whole.startswith(self.out):
                    continue
                status = os.lstat(whole)
                found[whole] = (
                    status.st_mode,
                    status.st_mtime_ns,
                    status.st_size,
                    status.st_nlink,
                    tuple(os.listxattr(whole, follow_symlinks=False)),
                )
        return found

    def run(self):
        # A session of its own, so that what is meant for the runner's group does not hit this test.
        done = subprocess.run(
            self.command,
            capture_output=True,
            timeout=300,
            check=False,
            cwd=f"{self.folder}/work",
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "HOME": f"{self.folder}/home", "CI_TOKEN": "hunter2"},
        )
        self.code, self.said = done.returncode, (done.stdout + done.stderr).decode(errors="replace")
        self.log = ""
        for entry in os.listdir(self.out):
            if entry.endswith(".log"):
                with open(os.path.join(self.out, entry), "rb") as file:
                    self.log += file.read().decode(errors="replace")
        self.results = None
        if self.code in (0, 1):
            self.results = harness.Results(os.path.join(self.out, "results.jsonl"))
        return self


def run_all(attacks):
    with multiprocessing.pool.ThreadPool(THREADS) as pool:
        return pool.map(Attack.run, attacks, chunksize=1)


class Attacked(unittest.TestCase):
    """What is checked of attacks, and that they leave nothing."""

    maxDiff = None

    def tearDown(self):
        # A process that is a child of this one now was left behind.
        left = []
        for process in harness.children(os.getpid()):
            with open(f"/proc/{process}/comm", encoding="utf-8") as file:
                left.append(file.read().strip())
            harness.kill(process)
            os.waitpid(process, 0)
        self.assertEqual(left, [])
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run"):
            self.assertFalse(os.path.exists(f"{folder}/poolproof-hostile"), folder)

    def check(self, attack, verdicts, ids):
        """What holds of every attack, whether it is noticed or not."""
        self.assertIn(attack.code, (0, 1), attack.said)
        self.assertNotIn("breach", attack.log)
        self.assertEqual(sorted(case["id"] for case in attack.results.cases), ids)
        self.assertEqual(attack.snapshot(), attack.before)
        logs = {f"backend-{n}.log" for n in range(1, 9)}
        self.assertLessEqual(set(os.listdir(attack.out)), logs | {"results.jsonl", ".lock"})
        self.assertLess(len(attack.log), (1 << 20) * (1 + attack.name.count("siblings")) + 1000)
        self.assertNotRegex(attack.said, "[\x00-\x08\x0b-\x1f\x7f]")
        seen = attack.results.verdicts() - {"pass", "unsupported"}
        outside = bool(attack.results.footer["process_faults"])
        name = attack.name.split()[0]
        if name in (PROGRAM_MAYBE if attack.program else MAYBE):
            self.assertLessEqual(seen, verdicts)
            self.assertEqual(attack.code, 1 if seen or outside else 0)
            return
        faulty = name in (PROGRAM_FAULTY if attack.program else FAULTY)
        self.assertEqual(attack.code, 1 if verdicts or faulty else 0, attack.said)
        self.assertLessEqual(seen, verdicts)
        self.assertEqual(bool(seen) or outside, bool(verdicts) or faulty)

    def check_table(self, refused, harmless, caught, *options, **more):
        names = [*refused, *harmless, *caught]
        self.check_all([Attack(name, *options, **more) for name in names], caught, refused)

    def check_all(self, attacks, caught, refused):
        control = Attack("none", program=attacks[0].program).run()
        ids = sorted(case["id"] for case in control.results.cases)
        self.assertGreater(len(ids), 3)
        for attack in run_all(attacks):
            name = attack.name.split()[0]
            with self.subTest(attack=attack.name):
                self.check(attack, caught.get(name, set()), ids)
                self.assertTrue(name in ("none", "list", "escapes-in-error") or f"attack: {name}\n" in attack.log)
                if "siblings" not in name:  # which may have ended before
                    self.assertEqual("refused" in attack.log, name in refused)


class Hostile(Attacked):
    """As whoever runs this test, which may be the superuser."""

    def test_every_attack_is_in_the_tables_and_counted_on_the_page(self):
        counts = []
        for program, tables in (
            (False, [*REFUSED, *HARMLESS, *CAUGHT, *MAYBE]),
            (True, [*PROGRAM_REFUSED, *PROGRAM_HARMLESS, *PROGRAM_CAUGHT, *PROGRAM_MAYBE]),
        ):
            listed = set(Attack("list", program=program).run().log.split()) - {"attack:", "list"}
            self.assertEqual(listed, set(tables) - {"list"})
            counts.append(len(listed - {"none"}))
        with open(os.path.join(FOLDER, "ISOLATION.md"), encoding="utf-8") as file:
            self.assertIn("{} shared objects and {} programs".format(*counts), file.read())

    def test_shared_objects(self):
        self.check_table(REFUSED_HERE, HARMLESS, {**CAUGHT, **MAYBE})

    def test_moments(self):
        self.check_all([Attack(name, at=at) for name, at in MOMENTS], {}, REFUSED)

    def test_programs(self):
        caught = {**PROGRAM_CAUGHT, **PROGRAM_MAYBE}
        self.check_table(PROGRAM_REFUSED_HERE, PROGRAM_HARMLESS, caught, program=True)

    def test_attacks_are_real(self):
        for attack in run_all([Attack(name, "--isolation=none") for name in REAL]):
            with self.subTest(attack=attack.name):
                self.assertIn("breach", attack.log)


@unittest.skipUnless(ROOTED, "this is an ordinary user, as whom the tests above have run")
class OrdinaryUser(Attacked):
    """The same as somebody who is not the superuser."""

    def test_shared_objects(self):
        self.check_table(REFUSED_HERE, ["none"], {}, wrapper=NOBODY)

    def test_programs(self):
        caught = {"fork-bomb": {"crash"}}
        self.check_table(PROGRAM_REFUSED_HERE, ["none", "daemon"], caught, program=True, wrapper=NOBODY)


class FullIsolation(Attacked):
    """Either all of it, or a sentence that says what is missing."""

    def test_shared_objects(self):
        self.check_full(["kill-runner", "fork-bomb", "socket-tcp", "write-victim"], program=False)

    def test_programs(self):
        self.check_full(["daemon", "fork-bomb", "kill-runner"], program=True)

    def check_full(self, names, program):
        (control,) = run_all([Attack("none", "--isolation=full", program=program)])
        if control.code == 3:
            self.assertIn("full isolation is not to be had here: ", control.said)
            return
        attacks = [Attack(name, "--isolation=full", program=program) for name in names]
        for attack in run_all(attacks):
            with self.subTest(attack=attack.name):
                caught = program and "fork-bomb" in attack.name
                self.check(attack, {"crash"} if caught else set(), sorted(case["id"] for case in control.results.cases))


class OldSystem(Attacked):
    """Without Landlock and without namespaces for users: what the other parts keep."""

    def setUp(self):
        self.wrapper = [f"{Attack.stage}/files/old_system"]

    def test_parts_that_are_left(self):
        self.check_table(WITHOUT_LANDLOCK, ["none"], {}, wrapper=self.wrapper)

    def test_parts_say_what_is_missing(self):
        for program in (False, True):
            attack = Attack("none", program=program, wrapper=self.wrapper).run()
            isolation = attack.results.header["isolation"]
            self.assertEqual(isolation["level"], "standard")
            missing = {name for name, state in isolation["parts"].items() if state != "on"}
            self.assertEqual(missing, {"files", "signals"} if program else {"files"})
            for name in missing:
                self.assertEqual(isolation["parts"][name], "not available: Landlock: Function not implemented")
            self.assertIn("files not available: Landlock: Function not implemented", attack.said)
            self.assertGreater(len(isolation["parts"]), 6)

    def test_programs(self):
        harmless, caught = ["none", "daemon", "double-fork"], {"fork-bomb": {"crash"}}
        self.check_table(PROGRAM_WITHOUT_LANDLOCK, harmless, caught, program=True, wrapper=self.wrapper)

    @unittest.skipUnless(ROOTED, "needs to become another user")
    def test_as_ordinary_user(self):
        self.check_table(WITHOUT_LANDLOCK, ["none"], {}, wrapper=[*self.wrapper, *NOBODY])

    def test_full_isolation_does_not_start(self):
        attack = Attack("none", "--isolation=full", wrapper=self.wrapper).run()
        self.assertEqual(attack.code, 3)
        self.assertIn("full isolation is not to be had here: ", attack.said)


if __name__ == "__main__":
    harness.main()
