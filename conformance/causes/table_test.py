"""Every deliberately wrong backend is caught, with a verdict that its declaration expects, and as it was before.

The page is BUILD/mutants.md afterwards. Where a change of the suite changes how mutants are caught, compare it with
that of the commit before, and take over what is new here."""

import collections
import hashlib
import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import BUILD, MUTANTS, Program, library, main

PAGE = os.path.join(BUILD, "mutants.md")
# Mutants by how they end: each verdict, a fault of the process, and a backend of which no case passed.
ENDS = {
    "deviates": 5,
    "fail": 146,
    "wrongly-accepted": 9,
    "wrongly-rejected": 4,
    "crash": 8,
    "timeout": 3,
    "out-of-bounds": 10,
    "input-modified": 1,
    "written-late": 5,
    "unwritten": 3,
    "nondeterministic": 6,
    "inconsistent": 7,
    "missing": 1,
    "process-fault": 3,
    "nothing passed": 1,
}
NAMED = 114  # whose failure is named after them
DIGEST = "95b457dcfc6d4a8f"  # of mutants, ends, numbers of cases, first cases and names


def rows_of(text):
    """Mutant, title, end, number of cases, first case and name of each."""
    return [re.split(r"(?<!\\) \| ", row[2:-2]) for row in text.splitlines()[2:]]


class Table(Program):
    maxDiff = None

    def test_all_mutants_are_caught_as_before(self):
        self.run_program("mutants", "--write", PAGE, code=0, timeout=1500)
        with open(PAGE, encoding="utf-8") as file:
            rows = rows_of(file.read())
        self.assertEqual(collections.Counter(row[2] for row in rows), ENDS)
        self.assertEqual(sum(row[0] in row[5].split(", ") for row in rows), NAMED)
        # A failure without a name is told by numbers of its smallest problem, whose size depends on the time.
        numbers = r"\[[^]]*\]|-?\d[\d.e+-]*"
        told = "\n".join("|".join([row[0], *row[2:5], re.sub(numbers, "N", row[5])]) for row in rows)
        self.assertEqual(hashlib.sha256(told.encode()).hexdigest()[:16], DIGEST, f"{PAGE} differs")


class Control(Program):
    """What fails a mutant is its defect: without one the same library passes."""

    def test_without_a_mutant_nothing_is_wrong(self):
        _, results = self.gate(MUTANTS, "--level=quick", "--random=5000", code=0)
        self.assertEqual(results.verdicts(), {"pass"})

    def test_one_is_shown_as_all_are(self):
        done = self.run_program("mutants", "--only=index-of-window-start", code=0)
        table, _, end = done.stdout.rstrip().rpartition("\n")
        (row,) = rows_of(table)
        self.assertEqual((row[0], row[2], row[5], len(row)), ("index-of-window-start", "fail", row[0], 6))
        self.assertEqual(end, "1 mutants, 0 not caught")

    def test_unknown_mutant_is_refused(self):
        done = self.run_program(f"--backend={library(MUTANTS)}", "--backend-option=mutant=no-such-mutant", code=3)
        self.one_sentence(done, "no-such-mutant")
        done = self.run_program("mutants", "--only=no-such-mutant", code=2)
        self.one_sentence(done, "no-such-mutant")


if __name__ == "__main__":
    main()
