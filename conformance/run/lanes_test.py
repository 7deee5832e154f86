"""How the processes of one run are started, and started again after a call that breaks one."""

import os
import re
import signal
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import PROGRAM, Program, library, main

UNSUPPORTED = os.path.join(FOLDER, "..", "worker", "testdata", "unsupported_backend.js")


class Broken(Program):
    """Whoever breaks a process is accused, and nobody whom it keeps from answering."""

    def judge(self, *options):
        arguments = ["--level=quick", "--filter=MaxPool-1 f32 !invalid !random", "--no-shrink", *options]
        done, results = self.gate(library("breaking"), "--backend-option=kernel=5", *arguments, code=1)
        self.assertEqual(results.footer["process_faults"], [])
        accused = {case["id"] for case in results.cases if case["verdict"] not in ("pass", "unsupported")}
        culprits = {case["id"] for case in results.cases if re.search(" k=5[x ]", case["id"])}
        self.assertEqual(accused, culprits)
        self.assertGreater(len(culprits), 1)
        return done.stdout, {case["verdict"] for case in results.cases if case["id"] in culprits}

    def test_by_the_call_that_says_so(self):
        text, verdicts = self.judge()
        self.assertIn("INTERNAL_ERROR (an illegal address)", text)
        self.assertEqual(verdicts, {"fail"})

    def test_by_the_call_before(self):
        text, _ = self.judge("--backend-option=shown=later")
        self.assertIn("left its process unable to go on", text)


class Starts(Program):
    def start(self, command, *options):
        arguments = [PROGRAM, f"--backend=process:{command}", "--level=documented", "--filter=AvgPool-1 layer-*"]
        process = subprocess.Popen(
            [*arguments, "--jobs=3", *options],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_all_processes_start_at_once(self):
        """Each waits for the others; one after the other, the first would never answer."""
        wait = f"mktemp here-XXXXXX; while [ $(ls {self.folder} | grep -c here-) -lt 3 ]; do sleep 0.01; done"
        process = self.start(f"({wait}) >&2; exec node {UNSUPPORTED}", "--isolation=none")
        process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1)

    def test_one_that_does_not_start_ends_the_wait_for_others(self):
        first = f"mkdir {self.folder}/first 2>/dev/null"
        process = self.start(f"{first} && exit 7; sleep 1000", "--isolation=none", "--load-timeout=1000")
        _, said = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 3)
        self.assertIn("exited with status 7", said)

    def test_a_signal_ends_the_wait(self):
        process = self.start("echo begun >&2; touch begun; sleep 1000", "--isolation=none", "--load-timeout=1000")
        while not os.path.exists(self.path("begun")):
            pass
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130)
        self.assertIn("when the run had to end", said)


if __name__ == "__main__":
    main()
