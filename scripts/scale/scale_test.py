"""docs/scale.md: what it tells each scheduler to run, run as that does, without it; its measurement on a small run."""

import os
import re
import subprocess
import sys
import textwrap
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "conformance", "gate"))
from harness import MUTANTS, OPTIMIZED, PROGRAM, Program, Results, blocks_of, library, main, text_of

PAGE = text_of("docs", "scale.md")
BLOCKS = blocks_of(PAGE)
LEVEL = "--level=documented"
WRONG = f"--backend={library(MUTANTS)} --backend-option=mutant=index-counts-from-one {LEVEL}"


def block(text):
    """The one block of the page that holds a text."""
    (found,) = (block for _, block in BLOCKS if text in block)
    return found


class Schedulers(Program):
    def shell(self, script, code=0, name="conformance", **variables):
        """A script of the page, where the program has that name."""
        tools = self.path("tools")
        os.makedirs(tools, exist_ok=True)
        if not os.path.exists(os.path.join(tools, name)):
            os.symlink(PROGRAM, os.path.join(tools, name))
        path = tools + os.pathsep + os.environ["PATH"]
        return self.run_in_folder(["sh", "-c", script], code, PATH=path, **variables)

    def check_merged(self):
        """The shards of all elements are the whole plan."""
        self.shell("conformance merge shards --out=merged", code=1)
        _, whole = self.gate(MUTANTS, *WRONG.split()[1:], out="whole", code=1)
        merged = Results(self.path("merged", "results.jsonl"))
        self.assertEqual([case["id"] for case in merged.cases], [case["id"] for case in whole.cases])

    def test_kubernetes(self):
        text = block("kind: Job")
        count = re.search(r"^  completions: (\d+)$", text, re.MULTILINE)[1]
        self.assertEqual(re.search(r'name: JOB_COMPLETIONS, value: "(\d+)"', text)[1], count)
        script = textwrap.dedent(re.search(r"args:\n +- \|\n((?: {10}.*\n)+)", text)[1])
        script = script.replace("/results/", self.path("")).replace("--backend=/opt/libmine.so", WRONG)
        for index in range(int(count)):
            self.shell(script, name="poolproof", JOB_COMPLETION_INDEX=str(index), JOB_COMPLETIONS=count)
        again = self.shell(script, name="poolproof", JOB_COMPLETION_INDEX="0", JOB_COMPLETIONS=count)
        self.assertIn("(0 per second)", again)  # nothing is judged twice
        self.check_merged()
        self.shell(script, code=2, name="poolproof", JOB_COMPLETION_INDEX="0")

    def test_grid_engine(self):
        script = block("SGE_TASK_ID")
        right = script.replace("--backend=./libmine.so", WRONG)
        count = int(re.search(r"#\$ -t 1-(\d+) ", script)[1])
        self.shell(script, 99, SGE_TASK_ID="2")
        for index in range(1, count + 1):
            self.shell(right, 1, SGE_TASK_ID=str(index))
        self.assertIn("(0 per second)", self.shell(right, 1, SGE_TASK_ID="1"))
        self.check_merged()
        for code in (99, 99, 99, 3):  # and one before
            self.shell(script, code, SGE_TASK_ID="2")

    def test_bazel(self):
        text = block("sh_test(")
        count = int(re.search(r"shard_count = (\d+)", text)[1])
        script = re.search(r"# (exec .*)", text)[1]
        planned = 0
        for index in range(count):
            status = self.path(f"status{index}")
            self.shell(
                f"set -- --backend={library(OPTIMIZED)} {LEVEL}; {script}",
                CONFORMANCE=PROGRAM,
                TEST_SHARD_INDEX=str(index),
                TEST_TOTAL_SHARDS=str(count),
                TEST_SHARD_STATUS_FILE=status,
                TEST_UNDECLARED_OUTPUTS_DIR=self.path(str(index)),
            )
            self.assertTrue(os.path.exists(status))
            planned += Results(self.path(str(index), "results", "results.jsonl")).footer["planned"]
        _, whole = self.gate(OPTIMIZED, LEVEL, out="whole", code=0)
        self.assertEqual(planned, whole.footer["planned"])

    def test_each_command_of_the_page_is_run_by_a_test(self):
        """Here, but for parallel in parallel_test.py, and Slurm, whose command lines submit_test.py and cluster_test.py
        build."""
        known = ("SGE_TASK_ID", "seq 8 | parallel ", "slurm/submit.py --folder=", "measure.py --backend=")
        for language, text in BLOCKS:
            self.assertTrue(language != "sh" or any(part in text for part in known), text)


class Measurement(unittest.TestCase):
    def test_measure(self):
        small = ("--level=quick", "--random=100", "--some=400", "--shards=2")
        script = os.path.join(ROOT, "scripts", "scale", "measure.py")
        command = [sys.executable, "-B", script, f"--backend={library(OPTIMIZED)}", f"--program={PROGRAM}", *small]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        *tables, last = said.splitlines()
        self.assertEqual(sum(line.startswith("| ") and line[2].isdigit() for line in tables), 3 + 4, said)
        self.assertRegex(last, r"^work \d+ s, start of a shard \d+\.\d s, merge \d+\.\d s$")


if __name__ == "__main__":
    main()
