"""The commands of README.md for campaigns of many workers, run as printed but for their seconds.

They run in a copy of the folder whose harnesses are testdata/counting_harness.py, which needs no compiler."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harnesses import HARNESSES, ROOT  # noqa: E402


def commands(heading):
    """The indented lines of a section."""
    text = (ROOT / "fuzz/README.md").read_text()
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"^    (\S.*)$", section, re.MULTILINE)


class ManyMachines(unittest.TestCase):
    def test_commands(self):
        lines = commands("Many machines")
        self.assertEqual([bool(re.search(flag, line)) for flag, line in
                          zip(("--seconds", "--prune", "--report", "coverage"), lines)], [True] * 4)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "fuzz", f"{folder}/fuzz")
            programs = pathlib.Path(folder, "build-fuzz/bin")
            programs.mkdir(parents=True)
            for name in ("decode_problem", *(f"fuzz_{h.name}" for h in HARNESSES)):
                shutil.copy(ROOT / "fuzz/testdata/counting_harness.py", programs / name)
            for line in lines[:3]:
                line = re.sub(r"--seconds \d+", "--seconds 3", line.split("  ")[0])
                done = subprocess.run(["bash", "-ec", line], cwd=folder, capture_output=True, text=True, timeout=300,
                                      check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
                self.assertEqual(done.returncode, 0, line + done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"^1 workers\n")
            self.assertTrue(any(pathlib.Path(folder, "shared/corpus").rglob("pruned-*/*")))


if __name__ == "__main__":
    unittest.main()
