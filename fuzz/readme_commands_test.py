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
from harnesses import HARNESSES, ROOT


def commands(heading):
    """The indented lines of a section."""
    text = (ROOT / "fuzz/README.md").read_text()
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"^    (\S.*)$", section, re.MULTILINE)


class ManyMachines(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        shutil.copytree(ROOT / "fuzz", f"{self.folder}/fuzz")
        programs = pathlib.Path(self.folder, "build-fuzz/bin")
        programs.mkdir(parents=True)
        for name in ("decode_problem", *(f"fuzz_{h.name}" for h in HARNESSES)):
            shutil.copy(ROOT / "fuzz/testdata/counting_harness.py", programs / name)
        self.lines = commands("Many machines")

    def run_line(self, line, codes=(0,), **variables):
        done = subprocess.run(
            ["bash", "-ec", line],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables},
        )
        self.assertIn(done.returncode, codes, line + done.stdout + done.stderr)
        return done.stdout

    def test_workers(self):
        self.assertEqual(
            [
                bool(re.search(flag, line))
                for flag, line in zip(("--seconds", "--prune", "--report", "coverage"), self.lines)
            ],
            [True] * 4,
        )
        for line in self.lines[:3]:
            text = self.run_line(re.sub(r"--seconds \d+", "--seconds 3", line.split("  ")[0]))
        self.assertRegex(text, r"^1 workers\n")
        self.assertTrue(any(pathlib.Path(self.folder, "shared/corpus").rglob("pruned-*/*")))

    def test_checks_of_workers(self):
        """With few executions of a harness that no exchange helps; so either may reach more."""
        compare, kill = (line for line in self.lines if "workers_check" in line)
        names = re.findall(r"--harness (\w+)=\d+", compare)
        self.assertEqual(len(names), 3)
        text = self.run_line(re.sub(r"=\d+", "=20", compare) + " --repeats 1", codes=(0, 1))
        for name in names:
            self.assertRegex(text, rf"(?m)^{name} +\d+ +\d+ ")
        text = self.run_line(re.sub(r"--kills \d+", "--kills 1 --seconds 4", kill), COUNTING_CRASHES="7000001")
        self.assertRegex(text, r"^(\d+) inputs written, \d+ of them without a record, (\d+) reported in 1 causes\n$")


if __name__ == "__main__":
    unittest.main()
