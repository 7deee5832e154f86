"""The backend harness notices deliberately wrong backends by its seeds, and by problems that random bytes mean.

This takes seconds, without clang. mutants.py runs the fuzzer with sanitizers, and thereby also finds those that access
memory outside of tensors or err in few problems.
"""

import concurrent.futures
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

BUILD = os.environ["POOLPROOF_BUILD"]
RANDOM_INPUTS = 5000
SECONDS = 10  # of one that hangs


class Mutants(unittest.TestCase):
    def replay(self, mutant, *inputs):
        """Whether the harness fails with the mutant as its backend."""
        backend = {
            "POOLPROOF_BACKEND": f"{BUILD}/lib/libpoolproof_mutants.so",
            "POOLPROOF_BACKEND_OPTIONS": f"mutant={mutant}",
        }
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
        self.assertLess(len(missed), 25, missed)


if __name__ == "__main__":
    unittest.main()
