"""What a backend cannot get at: somebody's answers, the seed of the run, and more memory than it may have. The attacks
are in testdata/hostile/greedy_backend.cc and greedy_program.py."""

import ctypes
import os
import shutil
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import PROGRAM, WORKER, Program, Results, library, main

PYTHON = os.environ.get("POOLPROOF_PYTHON", sys.executable)
LANDLOCK = ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) > 0
PROGRAM_OF_GREED = os.path.join(FOLDER, "testdata", "hostile", "greedy_program.py")
FEW = ["--level=documented", "--filter=AvgPool-1/layer-1", "--no-report", "--jobs=1", "--no-shrink"]


class Greedy(Program):
    def attack(self, name, *options, backend=None, program=PROGRAM, memory=1):
        """Runs one attack, and returns the backend's log and what became of the cases."""
        out = self.path("out")
        shutil.rmtree(out, ignore_errors=True)
        command = [
            program,
            f"--backend={backend or library('greedy')}",
            f"--backend-option=attack={name}",
            f"--memory={memory}",
            f"--out={out}",
        ]
        self.done = subprocess.run(
            [*command, *FEW, *options], capture_output=True, text=True, timeout=300, cwd=self.folder, check=False
        )
        if self.done.returncode == 3:
            return None, None
        with open(os.path.join(out, "backend-1.log"), encoding="utf-8") as file:
            log = file.read()
        return log, Results(os.path.join(out, "results.jsonl")).verdicts()


class Answers(Greedy):
    def test_no_reference_in_the_process(self):
        log, _ = self.attack("find-oracle")
        self.assertEqual(log.count("refused: "), 3, log)
        self.assertNotIn("breach", log)

    def test_nothing_of_the_package_or_the_results(self):
        """The backend lies beside the program, in a folder that it may read."""
        for path in (PROGRAM, WORKER, library("greedy")):
            shutil.copy(path, self.folder)
        staged = {"backend": self.path("libgreedy.so"), "program": self.path("conformance")}
        places = [f"--backend-option=folder={self.folder}", f"--backend-option=out={self.path('out')}"]
        log, _ = self.attack("read-package", *places, "--isolation=none", **staged)
        self.assertIn(f"breach: {self.path('conformance')}\n", log)
        self.assertIn("breach: the results\n", log)
        log, _ = self.attack("read-package", *places, **staged)
        self.assertIn("breach: its own library\n", log)
        self.assertEqual(log.count("breach"), 1 if LANDLOCK else 3, log)


class Seed(Greedy):
    def test_no_seed_in_command_lines_or_variables(self):
        """One that was drawn is nowhere; one that was given is in a command line, which full isolation hides."""
        log, _ = self.attack("read-seed", "--seed=random")
        self.assertIn("refused: the seed", log)
        log, _ = self.attack("read-seed", "--seed=7")
        self.assertIn("breach: the seed", log)
        log, _ = self.attack("read-seed", "--seed=7", "--isolation=full")
        if log is None:
            self.assertIn("full isolation is not to be had here: ", self.done.stderr)
        else:
            self.assertIn("looked around\nrefused: the seed", log)


class Memory(Greedy):
    def test_shared_memory_is_bounded(self):
        for name in ("share", "memory-files", "zero"):
            with self.subTest(attack=name):
                log, verdicts = self.attack(name)
                self.assertIn("refused: 3 GiB", log)
                self.assertEqual(verdicts, {"unsupported"})

    def test_memory_shared_with_the_runner_is_bounded(self):
        log, verdicts = self.attack("arena", "--timeout=100", memory=0.25)
        self.assertNotIn("breach", log)
        self.assertIn("crash", verdicts)

    def test_threads_are_bounded(self):
        for backend in (None, f"process:exec {PYTHON} -B {PROGRAM_OF_GREED}"):
            log, verdicts = self.attack("threads", "--timeout=100", backend=backend)
            self.assertNotIn("breach", log)
            # A system may refuse them first.
            self.assertTrue("refused" in log or "crash" in verdicts, log)

    def test_the_runner_allocates_nothing_for_a_description(self):
        """4 GiB that a program says its output needs are neither waited for nor made room for."""
        script = f'ulimit -v {3 << 20}; exec "$0" "$@"'
        out = self.path("out")
        done = subprocess.run(
            [
                "bash",
                "-c",
                script,
                PROGRAM,
                f"--backend=process:exec {PYTHON} -B {PROGRAM_OF_GREED}",
                "--timeout=5",
                "--backend-option=attack=describe",
                "--isolation=none",
                *FEW,
                f"--out={out}",
            ],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        results = Results(os.path.join(out, "results.jsonl"))
        self.assertEqual(results.verdicts(), {"fail", "unsupported"} & results.verdicts())
        self.assertIn("fail", results.verdicts())


if __name__ == "__main__":
    main()
