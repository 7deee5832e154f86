"""The templates for Kubernetes, Grid Engine and Bazel, run as the services run them, without the services."""

import os
import re
import sys
import textwrap

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "conformance", "gate"))
from harness import MUTANTS, OPTIMIZED, PROGRAM, Program, Results, library, main

LEVEL = "--level=documented"


def text_of(*path):
    with open(os.path.join(ROOT, "scripts", *path), encoding="utf-8") as file:
        return file.read()


class Templates(Program):
    def shell(self, command, code=0, **variables):
        path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
        self.run_in_folder(command, code, **{"PATH": path, "CONFORMANCE": PROGRAM, **variables})

    def check_merged(self, backend, code):
        """The shards of all elements are the whole plan."""
        self.run_program("merge", self.path("shards"), f"--out={self.path('merged')}", code=code)
        _, whole = self.gate(backend, LEVEL, "--backend-option=mutant=index-counts-from-one", out="whole", code=code)
        merged = Results(self.path("merged", "results.jsonl"))
        self.assertEqual([case["id"] for case in merged.cases], [case["id"] for case in whole.cases])

    def test_kubernetes(self):
        text = text_of("kubernetes", "job.yaml")
        count = int(re.search(r"^  completions: (\d+)$", text, re.MULTILINE)[1])
        self.assertEqual(int(re.search(r'name: JOB_COMPLETIONS .*\n +value: "(\d+)"', text)[1]), count)
        script = textwrap.dedent(re.search(r"args:\n +- \|\n((?: {10}.*\n)+)", text)[1])
        backend = f"--backend={library(MUTANTS)} --backend-option=mutant=index-counts-from-one {LEVEL}"
        script = script.replace("/results/", self.path("")).replace("--backend=/opt/libmine.so", backend)
        for index in range(count):
            self.shell(["sh", "-c", script], JOB_COMPLETION_INDEX=str(index), JOB_COMPLETIONS=str(count))
        self.check_merged(MUTANTS, 1)
        self.shell(["sh", "-c", script], code=2, JOB_COMPLETION_INDEX="0")

    def element(self, index, code, backend=""):
        self.shell(
            [
                os.path.join(ROOT, "scripts", "grid_engine", "array.sh"),
                "3",
                self.folder,
                f"--backend={backend or library(MUTANTS)}",
                "--backend-option=mutant=index-counts-from-one",
                LEVEL,
            ],
            code=code,
            SGE_TASK_ID=str(index),
        )

    def test_grid_engine(self):
        self.element(2, 99, backend=self.path("none.so"))
        for index in (1, 2, 3):
            self.element(index, 1)
        self.check_merged(MUTANTS, 1)
        for code in (99, 99, 99, 3):  # and one before
            self.element(2, code, backend=self.path("none.so"))

    def test_bazel(self):
        count = int(re.search(r"shard_count = (\d+)", text_of("bazel", "BUILD.bazel"))[1])
        planned = 0
        for index in range(count):
            status = self.path(f"status{index}")
            self.shell(
                [os.path.join(ROOT, "scripts", "bazel", "pooling.sh"), f"--backend={library(OPTIMIZED)}", LEVEL],
                TEST_SHARD_INDEX=str(index),
                TEST_TOTAL_SHARDS=str(count),
                TEST_SHARD_STATUS_FILE=status,
                TEST_UNDECLARED_OUTPUTS_DIR=self.path(str(index)),
            )
            self.assertTrue(os.path.exists(status))
            planned += Results(self.path(str(index), "results", "results.jsonl")).footer["planned"]
        _, whole = self.gate(OPTIMIZED, LEVEL, out="whole", code=0)
        self.assertEqual(planned, whole.footer["planned"])


if __name__ == "__main__":
    main()
