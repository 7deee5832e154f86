"""`conformance fuzz`: findings by cause and the exit code, what a baseline knows, and what cannot be used."""

import re

from harness import MUTANTS, OPTIMIZED, Program, library, main, text_of

WRONG = f"--backend={library(MUTANTS)}"
BUG = "--backend-option=mutant=exclude-pad-ignored"
OTHER = "--backend-option=mutant=exclude-pad-ignored+index-counts-from-one"
SHORT = ("--seconds=6", "--seed=1", "--no-shrink", "--out=found")


class Fuzz(Program):
    def fuzz(self, *arguments, code):
        return self.run_program("fuzz", *arguments, code=code)

    def named(self, name, *arguments):
        """What is said of a run long enough to name this cause."""
        for seconds in (12, 120):  # a slow machine needs the longer time
            said = self.fuzz(*arguments, f"--seconds={seconds}", code=1).stdout
            if f"({name})" in said:
                break
        self.assertIn(f"({name})", said)
        return said

    def test_a_right_library_has_no_finding(self):
        for seconds in (6, 120):  # a slow machine needs the longer time
            said = self.fuzz(f"--backend={library(OPTIMIZED)}", *SHORT[1:], f"--seconds={seconds}", code=None).stdout
            cases = int(re.search(r"fuzzed, ([\d,]+) cases", said)[1].replace(",", ""))
            if cases > 1200:
                break
        self.assertGreater(cases, 1200, "more than the documented ones")
        self.assertIn("CONFORMS in a part of the plan", said)

    def test_a_wrong_one_has_findings_by_cause_and_a_baseline_knows_them(self):
        self.named("exclude-pad-ignored", WRONG, BUG, *SHORT[1:])
        self.run_program("baseline", "--results=found/results.jsonl", "--write=known.txt", code=0)
        # Another seed: of its cases the baseline lists those of the documents alone.
        again = ("--seed=2", "--no-shrink", "--baseline=known.txt")
        said = self.fuzz(WRONG, BUG, *again, "--seconds=6", code=None).stdout
        (known,) = re.findall(r"([\d,]+) known, as expected", said)
        new = re.findall(r"^NEW: (\d+) cases? of 1 cause", said, re.MULTILINE)
        # Those of the same cause that look like a contradiction to another case are not told to be of it one by one.
        self.assertLess(50 * int(new[0] if new else 0), int(known.replace(",", "")), said)
        said = self.named("index-counts-from-one", WRONG, OTHER, *again)
        self.assertRegex(said, r"NEW: [\d,]+ cases of \d+ cause")

    def test_a_library_that_counts_what_is_reached_guides(self):
        # Eight conditions have to be met at once: 33,000 to 111,000 problems with guidance, not in 2,900,000 without.
        found = ("--seconds=200", "--seed=1", "--stop-after=1", "--out=guided")
        said = self.fuzz(f"--backend={library('counted')}", *found, code=1).stdout
        self.assertIn("k=4x5 s=3x7 pb=3x2 pe=1x3", said)
        self.assertGreater(int(re.search(r"guided: (\d+) problems reached code", said)[1]), 8)
        # Problems made of the corpus are the same in what comes after the run.
        self.run_program("report", "guided/results.jsonl", "--out=again", code=0)
        self.run_program("baseline", "--results=guided/results.jsonl", "--write=known.txt", code=0)
        self.assertIn("k=4x5", text_of(self.path("known.txt")))
        plain = self.fuzz(f"--backend={library(OPTIMIZED)}", "--seconds=2", "--no-report", code=None).stdout
        self.assertIn("not guided: the library does not count", plain)

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
