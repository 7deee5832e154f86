"""The backend harness notices deliberately wrong backends by its seeds, and by problems that random bytes mean.

This takes seconds, without clang. mutants.py runs the fuzzer with sanitizers, and thereby also finds those that access
memory outside of tensors or err in few problems.
"""

import concurrent.futures
import contextlib
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import campaign
from findings import KNOWN
from harnesses import HARNESSES, ROOT

BUILD = os.environ["POOLPROOF_BUILD"]
MUTANTS = f"{BUILD}/lib/libpoolproof_mutants.so"
RANDOM_INPUTS = 5000
SECONDS = 10  # of one that hangs


class Mutants(unittest.TestCase):
    def replay(self, mutant, *inputs):
        """Whether the harness fails with the mutant as its backend."""
        backend = {"POOLPROOF_BACKEND": MUTANTS, "POOLPROOF_BACKEND_OPTIONS": f"mutant={mutant}"}
        try:
            done = subprocess.run(
                [f"{BUILD}/bin/fuzz_backend", *inputs],
                env={**os.environ, **backend},
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0 or b"replayed" not in done.stdout

    def test_are_found(self):
        listed = subprocess.run([f"{BUILD}/bin/list_mutants"], capture_output=True, text=True, check=True).stdout
        mutants = [line.split("\t")[0] for line in listed.splitlines()]
        generator = random.Random(1)
        with tempfile.TemporaryDirectory() as folder:
            for i in range(RANDOM_INPUTS):
                pathlib.Path(folder, str(i)).write_bytes(generator.randbytes(100))
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                found = list(pool.map(lambda m: self.replay(m, f"{BUILD}/fuzz/problems", folder), mutants))
        missed = [mutant for mutant, is_found in zip(mutants, found) if not is_found]
        self.assertGreater(len(mutants), 190)
        self.assertIn("supports-nothing", missed)  # which answers nothing wrongly
        self.assertLess(len(missed), 32, missed)


class Campaigns(unittest.TestCase):
    """Campaigns with the real harness, in which testdata/replaying_harness.py stands for libFuzzer."""

    LISTED = "MaxPool-14/example-1"
    BUGS = ("nan-as-zero", "exclude-pad-ignored", "index-not-modulo-axis")

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "bin").mkdir()
        (self.folder / "fuzz").symlink_to(f"{BUILD}/fuzz")
        (self.folder / "bin/decode_problem").symlink_to(f"{BUILD}/bin/decode_problem")
        (self.folder / "bin/fuzz_backend").symlink_to(ROOT / "fuzz/testdata/replaying_harness.py")

    @staticmethod
    def replay(path, mutant, **variables):
        """What the harness prints with a wrong backend over inputs."""
        library = {"POOLPROOF_BACKEND": MUTANTS, "POOLPROOF_BACKEND_OPTIONS": f"mutant={mutant}"}
        environment = {**os.environ, **library, **variables}
        done = subprocess.run(
            [f"{BUILD}/bin/fuzz_backend", path],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout

    def findings(self, library, **variables):
        """The names of each finding of a campaign that goes on to its end, and what its report says."""
        options = type(
            "Options",
            (),
            {
                "build": self.folder,
                "out": self.folder / "out",
                "seconds": 100,
                "jobs": 1,
                "variables": {
                    "POOLPROOF_BACKEND": MUTANTS,
                    "POOLPROOF_BACKEND_OPTIONS": f"mutant={library}",
                    **variables,
                },
            },
        )
        backend = next(h for h in HARNESSES if h.name == "backend")
        run = campaign.Campaign(options, [backend])
        run.out.mkdir()
        run.work()
        with contextlib.redirect_stdout(io.StringIO()) as text:
            found = run.report(0)
        return found, text.getvalue()

    def test_three_bugs_are_three_findings(self):
        found, text = self.findings("+".join(self.BUGS))
        self.assertEqual(len(found), 3, text)
        for bug in self.BUGS:
            self.assertRegex(text, f"cause: .*{bug}")

    def baseline(self, cause, *cases):
        path = self.folder / "baseline.txt"
        lines = ["# poolproof baseline 3", "", "# reason: known", f"# cause: {cause}", *cases]
        path.write_text("\n".join([*lines, ""]))
        return str(path)

    def test_causes_of_a_baseline_are_passed_over(self):
        baseline = self.baseline(self.BUGS[0], f"{self.LISTED}\tfail\t0123456789abcdef")
        found, text = self.findings("+".join(self.BUGS), POOLPROOF_BASELINE=baseline)
        self.assertEqual(len(found), 2, text)
        self.assertNotIn(self.BUGS[0], text)

    def test_a_crash_is_told_by_where_it_is(self):
        seeds, crash = f"{BUILD}/fuzz/problems", "crash-on-invalid-call"
        (line,) = re.findall(r"^ENDED IN: .*$", self.replay(seeds, crash), re.MULTILINE)
        words = re.fullmatch(r"ENDED IN: the library, (.* in infer_shapes) of (\w+)", line)
        known = self.baseline(f"{words[2]}|{words[1]}", f"{self.LISTED}\tfail\t0123456789abcdef")
        self.assertNotIn(KNOWN, self.replay(seeds, crash))
        self.assertIn(KNOWN, self.replay(seeds, crash, POOLPROOF_BASELINE=known))

    def test_cases_of_a_baseline_are_not_run(self):
        """Even where they end the process."""
        seed = self.folder / "seed"
        listed = [f"{BUILD}/bin/conformance", "list", "--level=documented", f"--filter={self.LISTED}"]
        seed.write_text(subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split(maxsplit=2)[2])
        self.assertIn("ENDED IN: the library", self.replay(seed, "throws"))
        known = self.baseline("another", f"{self.LISTED}\tcrash\t0123456789abcdef")
        self.assertIn("replayed 1 files", self.replay(seed, "throws", POOLPROOF_BASELINE=known))

    def test_what_cannot_be_read_is_said(self):
        for name, words in (("POOLPROOF_BASELINE", "none.txt"), ("POOLPROOF_KNOWN", "none.txt")):
            self.assertIn(words, self.replay(os.devnull, "none", **{name: str(self.folder / "none.txt")}))


if __name__ == "__main__":
    unittest.main()
