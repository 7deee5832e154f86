"""The proof of the suite: the gate at its default level catches every mutant, and TABLE.md says how.

TABLE.md is what `conformance mutants --write conformance/mutants/TABLE.md` writes.
"""

import os
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "cli"))

from harness import MUTANTS, Program, library, main  # noqa: E402

TABLE = os.path.join(FOLDER, "TABLE.md")


def rows(path):
    """The rows of a table by mutant: verdict, first case and diagnosis."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.replace("\\|", "\0").strip("| ").split("|")]
             for line in lines[2:]]
    return {row[0]: row[2:] for row in cells}


class Proof(Program):
    def test_every_mutant_is_caught_as_the_table_says(self):
        written = self.path("TABLE.md")
        self.run_program("mutants", f"--write={written}", code=0, timeout=3000)
        self.assertEqual(rows(written), rows(TABLE))

    def test_table_has_all_mutants_and_every_verdict(self):
        table = rows(TABLE)
        self.assertGreaterEqual(len(table), 60)
        verdicts = {row[0] for row in table.values()}
        self.assertLessEqual(
            {"deviates", "fail", "wrongly-accepted", "wrongly-rejected", "crash", "timeout",
             "out-of-bounds", "input-modified", "unwritten", "nondeterministic", "inconsistent",
             "missing"}, verdicts)

    def test_without_a_mutant_nothing_is_wrong(self):
        _, results = self.gate(MUTANTS, "--random=20000", code=0)
        self.assertEqual(results.verdicts(), {"pass"})


class Options(Program):
    def test_unknown_mutant_is_refused(self):
        done = self.run_program(f"--backend={library(MUTANTS)}",
                                "--backend-option=mutant=no-such-mutant", code=3)
        self.one_sentence(done, "no-such-mutant")
        done = self.run_program("mutants", "--only=no-such-mutant", code=2)
        self.one_sentence(done, "no-such-mutant")


if __name__ == "__main__":
    main()
