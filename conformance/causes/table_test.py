"""Every deliberately wrong backend is caught, and TABLE.md says how.

After a change of the suite: build/bin/conformance mutants --write conformance/causes/TABLE.md"""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import MUTANTS, Program, library, main

TABLE = os.path.join(FOLDER, "TABLE.md")
# What a mutant can end in; `unsupported` is no verdict against a single case.
VERDICTS = {
    "deviates",
    "fail",
    "wrongly-accepted",
    "wrongly-rejected",
    "crash",
    "timeout",
    "out-of-bounds",
    "input-modified",
    "written-late",
    "unwritten",
    "nondeterministic",
    "inconsistent",
    "missing",
    "process-fault",
}


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


class Table(Program):
    maxDiff = None

    def test_all_mutants_are_caught_as_the_table_says(self):
        self.run_program("mutants", "--write", self.path("TABLE.md"), code=0, timeout=1500)
        self.assertEqual(lines_of(self.path("TABLE.md")), lines_of(TABLE))

    def test_each_verdict_has_a_mutant(self):
        rows = [line.replace("\\|", "").split("|") for line in lines_of(TABLE)[2:] if line.startswith("| ")]
        self.assertGreaterEqual(len(rows), 60)
        self.assertLessEqual(VERDICTS, {row[3].strip() for row in rows})


class Control(Program):
    """What fails a mutant is its defect: without one the same library passes."""

    def test_without_a_mutant_nothing_is_wrong(self):
        _, results = self.gate(MUTANTS, "--level=quick", "--random=5000", code=0)
        self.assertEqual(results.verdicts(), {"pass"})

    def test_unknown_mutant_is_refused(self):
        done = self.run_program(f"--backend={library(MUTANTS)}", "--backend-option=mutant=no-such-mutant", code=3)
        self.one_sentence(done, "no-such-mutant")
        done = self.run_program("mutants", "--only=no-such-mutant", code=2)
        self.one_sentence(done, "no-such-mutant")


if __name__ == "__main__":
    main()
