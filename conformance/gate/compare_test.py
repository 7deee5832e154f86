"""`conformance compare`: a run before a fix and one after it, by cause."""

import functools
import os
import re
import tempfile

from harness import MUTANTS, Program, main

TWO = "maximum-starts-at-zero where type in {f16, f32} + index-counts-from-one where type = i8"
MISSED = "maximum-starts-at-zero where type = f16"
OTHER = f"{MISSED} + index-counts-from-one where type = u8"
NONE = "index-counts-from-one where type = fx8"  # which no case of the plan is
PLAN = ("--level=quick", "--random=0", "--no-shrink", "--no-report")
SHARED = tempfile.TemporaryDirectory(prefix="poolproof-compare-")


@functools.cache
def run_of(mutants, chosen="MaxPool-8"):
    """Folder of a run of wrong backends, made once for all tests."""
    test = Program()
    test.folder = SHARED.name
    out = f"run{run_of.cache_info().misses}"
    test.gate(MUTANTS, f"--backend-option=mutant={mutants}", f"--filter={chosen}", *PLAN, out=out)
    return test.path(out)


class Compare(Program):
    def compare(self, *arguments, code):
        text = self.run_program("compare", *arguments, code=code).stdout
        if "--all" not in arguments:
            self.assertLessEqual(len(text.splitlines()), 15, text)
        return text

    def changed(self, name, change):
        """A copy of a results file with some text changed."""
        with open(os.path.join(run_of(TWO), "results.jsonl"), encoding="utf-8") as file:
            text = file.read()
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(change(text))
        return self.path(name)

    def test_a_fix_that_misses_a_type(self):
        text = self.compare(run_of(TWO), run_of(MISSED), code=0)
        self.assertRegex(text, r"(?m)^repaired: [\d,]+ cases of 2 causes\n")
        self.assertRegex(text, r"(?m)^  all [\d,]+ cases: .*\(index-counts-from-one\)")
        self.assertRegex(text, r"(?m)^  [\d,]+ cases, all but [\d,]+: .*\(maximum-starts-at-zero\)")
        missed = re.search(
            r"(?m)^missed: ([\d,]+) cases of 1 cause\n  \1 cases: .*\(maximum-starts-at-zero\).* '(.*)'$", text
        )
        self.assertIn(f"all but {missed[1]}: ", text)
        self.assertIn(" f16 ", missed[2])
        self.assertIn("NOTHING IS NEWLY WRONG", text)

    def test_a_fix_that_breaks_something(self):
        text = self.compare(run_of(MISSED), run_of(OTHER), code=1)
        self.assertRegex(text, r"(?m)^newly broken: [\d,]+ cases? of ")
        self.assertRegex(text, r"NEWLY WRONG: [\d,]+ cases?\n$")
        self.assertNotIn("repaired", text)

    def test_what_fails_for_another_cause_now_is_said(self):
        text = self.compare(run_of(MISSED), run_of("index-counts-from-one where type = f16"), code=1)
        self.assertRegex(text, r"(?m)^  [\d,]+ cases, all of them for another cause now: .*maximum-starts-at-zero")
        self.assertNotIn("another cause", self.compare(run_of(TWO), run_of(MISSED), code=0))

    def test_what_is_worse_has_its_verdicts(self):
        text = self.compare(run_of(MISSED), run_of("abort"), code=1)
        self.assertRegex(text, r"(?m)^worse: .*\n  .*, such as .* \(fail, then crash\)$")

    def test_all_names_each_case(self):
        text = self.compare(run_of(TWO), run_of(MISSED), "--all", code=0)
        named = [line for line in text.splitlines() if line.startswith("    ")]
        counted = re.findall(r"(?m)^(?:repaired|missed): ([\d,]+) cases", text)
        self.assertEqual(len(named), sum(int(count.replace(",", "")) for count in counted))
        self.assertEqual(len(set(named)), len(named))

    def test_files_and_folders_are_the_same(self):
        folders = self.compare(run_of(TWO), run_of(MISSED), code=0)
        files = [os.path.join(run_of(mutants), "results.jsonl") for mutants in (TWO, MISSED)]
        self.assertEqual(self.compare(*files, code=0), folders)

    def test_plans_that_differ_are_compared_where_they_overlap(self):
        part = run_of(TWO, "MaxPool-8 i8")
        text = self.compare(run_of(TWO), part, code=0)
        self.assertRegex(text, r"(?m)^only before: [\d,]+ cases, [\d,]+ of which fail, such as ")
        self.assertRegex(self.compare(part, run_of(TWO), code=0), r"(?m)^only after: ")

    def test_a_run_compared_with_itself(self):
        text = self.compare(run_of(NONE), run_of(NONE), code=0)
        self.assertEqual(len(text.splitlines()), 3)

    def test_another_backend_is_said(self):
        other = self.changed(
            "other.jsonl", lambda text: text.replace('"name":"poolproof-mutants"', '"name":"other"', 1)
        )
        self.assertIn("these are runs of two backends: ", self.compare(run_of(TWO), other, code=0))

    def test_other_specs_are_refused(self):
        other = self.changed(
            "specs.jsonl", lambda text: re.sub(r'"digest":"[0-9a-f]+(","operators")', r'"digest":"0\1', text)
        )
        done = self.run_program("compare", run_of(TWO), other, code=2)
        self.one_sentence(done, other, "specs")

    def test_files_that_are_none(self):
        cut = self.changed("cut.jsonl", lambda text: text[: len(text) // 2])
        self.one_sentence(self.run_program("compare", run_of(TWO), cut, code=2), cut)
        self.one_sentence(self.run_program("compare", cut, run_of(TWO), code=2), cut)
        self.one_sentence(self.run_program("compare", run_of(TWO), self.folder, code=2), self.path("results.jsonl"))
        self.run_program("compare", run_of(TWO), code=2)


if __name__ == "__main__":
    main()
