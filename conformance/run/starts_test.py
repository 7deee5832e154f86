"""How often a backend is started to find out why cases fail, by what a start costs."""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import ROOT, Program, main

PYTHON = os.environ.get("POOLPROOF_PYTHON", sys.executable)
BACKEND = os.path.join(FOLDER, "testdata", "slow_start.py")


class Starts(Program):
    def starts(self, seconds, *options, kind="MaxPool-8 f64"):
        """Of one run whose failures none of the cases shows alone."""
        self.gate(
            f"process:exec {PYTHON} -B {BACKEND}",
            "--level=quick",
            "--random=0",
            f"--filter={kind}",
            f"--backend-option=seconds={seconds}",
            "--jobs=1",
            "--no-report",
            *options,
            code=1,
            env={"PYTHONPATH": os.path.join(ROOT, "conformance", "backends", "python")},
        )
        with open(self.path("out", "backend-1.log"), encoding="utf-8") as file:
            return file.read().count("started\n")

    def test_a_slow_start_is_made_a_few_times(self):
        # Eight, and as many as ten seconds hold; one for the cases, two before causes are looked for, one ahead.
        slow = self.starts(1.1)
        self.assertLessEqual(slow, 8 + 10 + 4)
        self.assertGreater(slow, 8)

    def test_no_case_is_asked_behind_the_failures_that_end_the_run(self):
        # Each hang ends a process.
        hangs = ("--backend-option=hangs=1", "--timeout=0.3", "--no-shrink")
        one = self.starts(0, *hangs, "--stop-after=1", kind="MaxPool-8")
        self.assertLess(one, self.starts(0, *hangs, "--stop-after=3", kind="MaxPool-8"))


if __name__ == "__main__":
    main()
