"""`conformance fuzz`: findings by cause and the exit code, what a baseline knows, and what cannot be used."""

import re

from harness import MUTANTS, OPTIMIZED, Program, library, main

WRONG = f"--backend={library(MUTANTS)}"
BUG = "--backend-option=mutant=exclude-pad-ignored"
OTHER = "--backend-option=mutant=exclude-pad-ignored+index-counts-from-one"
SHORT = ("--seconds=6", "--seed=1", "--no-shrink", "--out=found")


class Fuzz(Program):
    def fuzz(self, *arguments, code):
        return self.run_program("fuzz", *arguments, code=code)

    def test_a_right_library_has_no_finding(self):
        said = self.fuzz(f"--backend={library(OPTIMIZED)}", *SHORT, code=0).stdout
        cases = int(re.search(r"fuzzed, ([\d,]+) cases", said)[1].replace(",", ""))
        self.assertGreater(cases, 1200, "more than the documented ones")

    def test_a_wrong_one_has_findings_by_cause_and_a_baseline_knows_them(self):
        self.assertIn("(exclude-pad-ignored)", self.fuzz(WRONG, BUG, *SHORT, code=1).stdout)
        self.run_program("baseline", "--results=found/results.jsonl", "--write=known.txt", code=0)
        # Another seed: of its cases the baseline lists those of the documents alone.
        again = ("--seconds=6", "--seed=2", "--no-shrink", "--baseline=known.txt")
        said = self.fuzz(WRONG, BUG, *again, code=None).stdout
        (known,) = re.findall(r"([\d,]+) known, as expected", said)
        new = re.findall(r"^NEW: (\d+) cases? of 1 cause", said, re.MULTILINE)
        # Those of the same cause that look like a contradiction to another case are not told to be of it one by one.
        self.assertLess(50 * int(new[0] if new else 0), int(known.replace(",", "")), said)
        said = self.fuzz(WRONG, OTHER, *again, code=1).stdout
        self.assertRegex(said, r"NEW: [\d,]+ cases of \d+ cause")
        self.assertIn("(index-counts-from-one)", said)

    def test_its_results_are_reported_as_those_of_a_run(self):
        self.fuzz(WRONG, BUG, *SHORT, code=1)
        self.run_program("report", "found/results.jsonl", "--out=again", code=0)

    def test_what_cannot_be_used_is_said(self):
        absent = f"--backend={self.path('absent.so')}"
        for arguments, code, words in (
            ((), 2, "--backend"),
            ((absent,), 3, "absent.so"),
            ((WRONG, "--seconds=0"), 2, "--seconds"),
            ((WRONG, "--filter=NoSuchOperator"), 2, "NoSuchOperator"),
        ):
            done = self.fuzz(*arguments, code=code)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    main()
