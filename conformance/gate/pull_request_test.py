"""The gate of a pull request: what is new, alone, in ten lines, against a baseline that was made at night."""

import functools
import json
import re
import shutil
import tempfile

from harness import MUTANTS, Program, main

KNOWN = "maximum-starts-at-zero where type = f16 + index-counts-from-one where type = f32"
READING = "same-divides-by-stride"
MENDED = "index-counts-from-one where type = f32"
FOURTH = f"{KNOWN} + kernel-reversed where type = i8"
NIGHT = ("--level=quick", "--random=1000", "--no-shrink")
DAY = ("--level=quick", "--random=200", "--no-shrink")
SHARED = tempfile.TemporaryDirectory(prefix="poolproof-pull-request-")


@functools.cache
def night():
    """Results of the night and the baseline of them, made once for all tests."""
    test = Program()
    test.folder = SHARED.name
    _, results = test.gate(MUTANTS, f"--backend-option=mutant={KNOWN}", *NIGHT, "--no-report", code=1)
    test.run_program("baseline", f"--results={results.path}", "--write=known.txt", code=0)
    return results.path, test.path("known.txt")


class PullRequest(Program):
    def run_of(self, mutants, *plan, out="out", code):
        done, results = self.gate(MUTANTS, f"--backend-option=mutant={mutants}", *plan, out=out, code=code)
        return done.stdout, results

    def setUp(self):
        super().setUp()
        self.file = self.path("known.txt")
        self.night, known = night()
        shutil.copy(known, self.file)

    def day(self, mutants, *plan, code):
        return self.run_of(mutants, *(plan or DAY), f"--baseline={self.file}", out="day", code=code)

    def lines(self):
        with open(self.file, encoding="utf-8") as file:
            return [line for line in file if not line.startswith("#") and line.strip()]

    def text(self, name):
        with open(self.path("day", name), encoding="utf-8") as file:
            return file.read()

    def test_ten_lines_name_what_is_new_alone(self):
        text, results = self.day(FOURTH, code=1)
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 10, text)
        cases = next(group["cases"] for group in results.groups if "standing" not in group)
        self.assertEqual(lines[0], f"NEW: {cases} cases of 1 cause")
        self.assertIn("(kernel-reversed)", lines[1])
        self.assertRegex(lines[2], r"^   .*Pool-.*, i8; explains ")
        self.assertIn("reproduce: ", lines[5])
        for other in ("maximum-starts-at-zero (", "index-counts-from-one (", "f16", "f32"):
            self.assertNotIn(other, "\n".join(lines[:5]))
        self.assertRegex(lines[6], r"^[\d,]+ known, as expected$")
        part = "(quick, 200 of 100,000 random problems)"
        self.assertEqual(lines[8], f"DOES NOT CONFORM: {cases} new cases of 1 cause {part}")
        self.reports_name_it_first(cases)

    def reports_name_it_first(self, cases):
        summary = self.text("summary.md").splitlines()
        self.assertEqual(summary[2], f"### New: {cases} cases of 1 cause")
        self.assertIn("kernel", summary[4].lower())
        self.assertLessEqual(len(summary), 14)
        self.assertIn("known, as expected", self.text("summary.md"))
        self.assertIn(f"{cases} new cases of 1 cause", self.text("badge.svg"))
        listed = re.findall(r'<span class="size">([^<]*)</span></li>', self.text("report.html"))
        self.assertEqual(listed[0], f"{cases} new cases")
        self.assertRegex(listed[1], r"^\d+ known cases?$")
        junit = self.text("junit.xml")
        failing = re.findall(r'<testcase classname="poolproof.causes" name="([^"]*)"[^>]*>\s*<failure', junit)
        self.assertEqual(len(failing), 1, failing)
        self.assertTrue(failing[0].startswith("new: "), failing)
        self.assertIn("--backend=", junit)
        self.assertIn("--backend-option=", junit)
        self.assertEqual(json.loads(self.text("summary.json"))["standings"]["new"], {"cases": cases, "causes": 1})

    def test_a_shorter_plan_conforms_and_says_how_much_is_known(self):
        plans = (
            DAY,
            ("--level=documented", "--random=0"),
            (*DAY, "--shard=2/3"),
            ("--level=quick", "--filter=AvgPool-*", "--random=50"),
        )
        for plan in plans:
            with self.subTest(plan):
                text, results = self.day(KNOWN, *plan, code=0)
                known = sum(group["cases"] for group in results.groups)
                self.assertEqual({group["standing"] for group in results.groups} - {"known"}, set())
                lines = text.splitlines()
                if known > 0:
                    self.assertEqual(lines[0], f"{known:,} known, as expected")
                    self.assertRegex(lines[2], f"^CONFORMS, {known:,} known \\(")
                self.assertEqual(len(lines), 4 if known > 0 else 3)

    def test_a_longer_plan_says_what_the_baseline_was_made_of(self):
        sentence = "baseline: made of {} random problems, here are 4,000: what the others meet is new to it"
        text, _ = self.day(KNOWN, "--level=quick", "--random=4000", "--no-shrink", code=1)
        self.assertIn(sentence.format("1,000"), text.splitlines())
        text, _ = self.day(KNOWN, "--level=quick", "--random=4000", "--seed=5", "--no-shrink", code=1)
        self.assertIn(sentence.format("none of seed 5"), text.splitlines())

    def test_what_no_longer_fails_can_go(self):
        text, results = self.day(MENDED, *NIGHT, code=1)
        gone = next(change["count"] for change in results.footer["baseline"]["changes"])
        command = re.search(rf"^{gone} lines can go: (.*)$", text, re.MULTILINE)[1]
        self.assertIn(f"DOES NOT CONFORM: {gone} lines can go (quick", text)
        self.assertIn(f"{gone} lines can go", self.text("summary.md"))
        before = self.lines()
        pruned = self.run_printed(command)
        self.assertIn(f"{gone} lines went from {self.file}", pruned)
        self.assertIn("left out: ", pruned)
        self.assertEqual(len(self.lines()), len(before) - gone)
        self.day(MENDED, *NIGHT, code=0)
        self.assertIn("0 lines went", self.run_printed(command))

    def test_pruning_leaves_what_was_not_run(self):
        before = self.lines()
        _, results = self.day(MENDED, code=1)
        gone = next(change["count"] for change in results.footer["baseline"]["changes"])
        self.assertLess(gone, sum(" f16 " in line for line in before))
        self.run_program("baseline", f"--prune={self.file}", f"--results={results.path}", code=0)
        self.assertEqual(len(self.lines()), len(before) - gone)
        self.one_sentence(
            self.run_program(
                "baseline", f"--prune={self.file}", f"--update={self.file}", f"--results={results.path}", code=2
            ),
            "--prune",
        )

    def test_updating_by_day_keeps_what_is_of_the_night(self):
        before = self.lines()
        _, results = self.day(KNOWN, code=0)
        update = (f"--update={self.file}", f"--write={self.file}", f"--results={results.path}")
        done = self.run_program("baseline", *update, code=0)
        self.assertEqual(self.lines(), before)
        known = sum(group["cases"] for group in results.groups)
        self.assertIn(f"kept: {len(before) - known} lines of cases that these results do not have", done.stdout)

    def test_a_reason_is_of_the_operators_below_it(self):
        with open(self.night, encoding="utf-8") as file:
            cases = {case["id"]: case for case in map(json.loads, file) if "n" in case and "group" in case}
        with open(self.file, encoding="utf-8") as file:
            blocks = file.read().split("\n\n")[1:]
        for block in blocks:
            reason = re.search("^# reason: to be explained: (.*)$", block, re.MULTILINE)[1]
            of = [cases[line.split("\t")[0]] for line in block.splitlines() if not line.startswith("#")]
            operators = {case.get("line", case["id"]).split()[0] for case in of}
            said = {case.get("line", case["id"]).split()[0] for case in of if case["message"] == reason}
            self.assertTrue(not said or len(operators) == 1, block[:500])
            self.assertTrue(said or len(operators) > 0 and "expected" not in reason, block[:500])

    def change_answers(self):
        with open(self.file, encoding="utf-8") as file:
            text = file.read()
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(re.sub(r"(MaxPool-8/example-\d\tfail\t)[0-9a-f]{16}", r"\g<1>0123456789abcdef", text))

    def test_ten_lines_are_enough_where_known_answers_change_as_well(self):
        self.change_answers()
        text, _ = self.day(FOURTH, code=1)
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 10, text)
        self.assertRegex(lines[6], r"^CHANGED: .* with another answer; [\d,]+ known, as expected$")

    def test_ten_lines_are_enough_for_two_signs_of_one_mistake(self):
        text, results = self.day(f"{FOURTH} + indices-unwritten where type = i32", code=1)
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 10, text)
        self.assertEqual(
            {group["verdict"] for group in results.groups if "standing" not in group}, {"fail", "unwritten"}
        )
        self.assertRegex(lines[0], "^NEW: .* cases of 2 causes$")
        self.assertIn("reproduce: ", lines[4])
        self.assertRegex(lines[5], r"^2\. (fail|unwritten) in [\d,]+ cases?.*; .*Pool-.*, i(8|32): .")

    def test_ten_lines_are_enough_for_many_signs_of_one_mistake(self):
        signs = f"{FOURTH} + {READING} where type = u8 + crash where type = i16"
        for mutants, causes in ((signs, 3), (f"{signs} + indices-unwritten where type = i32", 4)):
            text, results = self.day(mutants, code=1)
            lines = text.splitlines()
            self.assertEqual(len(lines), 10, text)
            self.assertRegex(lines[0], f"^NEW: .* of {causes} causes$")
            verdicts = {group["verdict"] for group in results.groups if "standing" not in group}
            self.assertLessEqual({"fail", "deviates", "crash"}, verdicts)
            self.assertIn("reproduce: ", lines[3])
            self.assertRegex(lines[4], r"^2\. .*; .*Pool-.*: .")
            self.assertRegex(
                lines[5], r"^3\. .*; .*Pool-.*: ." if causes == 3 else "^... and 2 more causes, see the report$"
            )

    def test_ten_lines_are_enough_for_a_mistake_that_mends_another_one(self):
        """What is known stops failing, since the calls that showed it crash now, or are refused."""
        text, _ = self.day(f"{MENDED} + kernel-reversed where type = i8 + crash where type = i16", code=1)
        self.assertRegex(text, r"(?m)^\d+ lines can go: ")
        self.assertLessEqual(len(text.splitlines()), 10, text)

    def test_ten_lines_are_enough_for_a_reading_that_can_be_demanded(self):
        text, _ = self.day(f"{KNOWN} + {READING} where type = i8", code=1)
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 10, text)
        self.assertRegex(lines[1], r"^1\. deviates in ")
        self.assertRegex(lines[5], "^   if that is meant: --reading=")

    def test_cases_of_changed_answers_are_named_with_how_to_run_them(self):
        self.change_answers()
        text, results = self.day(KNOWN, code=1)
        changed = next(change["count"] for change in results.footer["baseline"]["changes"])
        self.assertRegex(text.splitlines()[0], f"^CHANGED: {changed} cases? of 1 cause: {changed} with another answer$")
        self.assertIn("reproduce: ", text.splitlines()[3])


if __name__ == "__main__":
    main()
