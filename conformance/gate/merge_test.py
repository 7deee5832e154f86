"""Results files: whatever is not as a run writes it is refused with one sentence, by everything that reads one."""

import json
import os
import re
import string

from harness import MUTANTS, OPTIMIZED, Program, Results, digest_of, library, main, text_of


class Merge(Program):
    def test_merged_shards_equal_the_whole_run(self):
        arguments = ["--backend-option=mutant=ties-last-only-in-3d", "--level=quick", "--random=6000"]
        _, whole = self.gate(MUTANTS, *arguments, out="whole")
        for index in (1, 2, 3):
            self.gate(MUTANTS, *arguments, f"--shard={index}/3", out=f"shard{index}")
        files = [self.path(f"shard{index}", "results.jsonl") for index in (3, 1, 2)]
        self.run_program("merge", *files, f"--out={self.path('merged')}")
        merged = Results(self.path("merged", "results.jsonl"))
        self.assertEqual(merged.comparable(), whole.comparable())

    def test_what_depends_on_earlier_calls_is_counted_once(self):
        arguments = [
            "--backend-option=mutant=depends-on-previous-call",
            "--level=quick",
            "--random=2000",
            "--no-shrink",
        ]
        _, whole = self.gate(MUTANTS, *arguments, out="whole", code=1)
        self.assertEqual(whole.groups[0]["cause"]["id"], "depends-on-earlier-calls")
        self.run_program("merge", whole.path, f"--out={self.path('merged')}", code=1)
        self.assertEqual(Results(self.path("merged", "results.jsonl")).comparable(), whole.comparable())

    def test_folder_stands_for_all_results_in_it(self):
        arguments = ["--level=documented", "--backend-option=mutant=index-counts-from-one"]
        parts = [self.gate(MUTANTS, *arguments, f"--shard={index}/2", out=f"shards/{index}")[1] for index in (1, 2)]
        for _ in range(2):  # what the first merge left there is no shard
            done = self.run_program("merge", self.path("shards"), f"--out={self.path('shards', 'all')}", code=1)
        merged = Results(self.path("shards", "all", "results.jsonl"))
        self.assertEqual(len(merged.cases), sum(len(part.cases) for part in parts))
        self.assertIn(f"--backend={library(MUTANTS)} --backend-option=mutant=index-counts-from-one", done.stdout)
        self.assertIn("level documented", done.stdout)
        os.mkdir(self.path("empty"))
        self.one_sentence(self.run_program("merge", self.path("empty"), code=2), "empty", "no results")

    def test_shards_may_run_on_other_devices(self):
        arguments = ["--level=documented", "--no-shrink"]
        for index, mutant in ((1, "index-counts-from-one"), (2, "index-counts-from-one"), (3, "mli-hwc-as-chw")):
            self.gate(
                MUTANTS, *arguments, f"--device-option=mutant={mutant}", f"--shard={index}/3", out=f"parts/{index}"
            )
        done = self.run_program("merge", self.path("parts"), f"--out={self.path('merged')}", code=1)
        self.assertIn("--device-option=mutant=index-counts-from-one", done.stdout)
        part = Results(self.path("parts", "3", "results.jsonl"))
        self.assertEqual(part.header["device_options"], ["mutant=mli-hwc-as-chw"])
        other = ["--backend-option=mutant=mli-hwc-as-chw", "--shard=3/3", f"--out={self.path('parts', '3')}"]
        self.run_program(f"--backend={library(MUTANTS)}", *arguments, *other, code=0)
        self.one_sentence(self.run_program("merge", self.path("parts"), code=2), "is of another run: backend was")

    def test_missing_and_doubled_shards_are_refused(self):
        for index in (1, 2):
            self.gate(OPTIMIZED, "--level=documented", f"--shard={index}/15", out=f"shard{index}")
        one, two = (self.path(f"shard{index}", "results.jsonl") for index in (1, 2))
        for files, sentence in (
            ((one,), "shards 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 4 others of the 15"),
            ((one, two), "shards 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 3 others of the 15"),
        ):
            self.one_sentence(self.run_program("merge", *files, code=2), sentence + " of this run are missing.")
        self.check_named((1, 3), 3, "shard 2 of the 3 of this run is missing.")
        self.check_named((1, 3), 5, "shards 2, 4 and 5 of the 5 of this run are missing.")
        self.assertIn("twice", self.run_program("merge", one, one, two, code=2).stderr)

    def check_named(self, indexes, count, sentence):
        """The results of that many shards alone; merge names those that are missing."""
        for index in indexes:
            self.gate(OPTIMIZED, "--level=documented", f"--shard={index}/{count}", out=f"of{count}/{index}")
        self.one_sentence(self.run_program("merge", self.path(f"of{count}"), code=2), sentence)


class Strict(Program):
    """Each way to lose, double or forge cases, for merge, report, compare and baseline."""

    text = None  # of the results of one run, which all tests start from

    def setUp(self):
        super().setUp()
        wrong = (MUTANTS, "--backend-option=mutant=index-counts-from-one", "--level=documented", "--random=400")
        if Strict.text is None:
            self.gate(*wrong, "--no-shrink", "--no-report", code=1)
            Strict.text = text_of(self.path("out", "results.jsonl"))
        self.file = self.path("results.jsonl")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(Strict.text)
        self.results = Results(self.file)
        self.lines = self.results.lines
        self.header, self.planned, self.footer = self.lines[0], self.lines[1], self.lines[-1]
        self.alike = [line for line in self.lines if line.startswith('{"alike":')]
        self.cases = [line for line in self.lines if line.startswith('{"n":')]
        self.rest = self.lines[2 + len(self.alike) + len(self.cases) :]  # groups, counts, footer

    def refused(self, text, *parts):
        """Everything that reads it refuses the file with one sentence, which has one of the words of each part."""
        path = self.path("bad.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else "".join(text))
        for command in (
            ["merge", path],
            ["report", path],
            ["report", self.file, path],
            ["baseline", f"--results={path}"],
        ):
            done = self.run_program(*command, code=2)
            self.one_sentence(done, "bad.jsonl")
            for words in parts:
                some = (words,) if isinstance(words, str) else words
                self.assertTrue(any(word in done.stderr for word in some), done.stderr)

    # Reports count before they make the plan.
    LOST = ("the file stands for", "the digest of its cases", " are counted")
    EDITED = ("the digest of its cases", "counts")

    def forged(self, *, cases=None, alike=None, drop=(), counts=(), rest=None):
        """The file as a forger makes it who knows the format: planned, digest and footer are those of the other lines.
        `drop`: places that are no longer there; `counts`: (verdict, how many more) of the footer."""
        told = [case for case in self.results.cases if case["n"] not in drop]
        verdicts = {json.loads(line)["n"]: json.loads(line)["verdict"] for line in cases or self.cases}
        told = [{**case, "verdict": verdicts.get(case["n"], case["verdict"])} for case in told]
        planned, footer = json.loads(self.planned), json.loads(self.footer)
        planned.update(planned=len(told), digest=digest_of(told))
        footer["footer"]["planned"] = len(told)
        for verdict, more in counts:
            footer["footer"]["counts"][verdict] = footer["footer"]["counts"].get(verdict, 0) + more
        return [
            self.header,
            json.dumps(planned) + "\n",
            *(self.alike if alike is None else alike),
            *(self.cases if cases is None else cases),
            *(self.rest if rest is None else rest)[:-1],
            json.dumps(footer) + "\n",
        ]

    def counted(self, verdict, more):
        """The lines after the cases with other counts of what has no line."""
        lines = list(self.rest)
        at = next(i for i, line in enumerate(lines) if line.startswith('{"counted":'))
        value = json.loads(lines[at])
        (types,) = (types for section, types in value["parts"].items() if section == "random")
        counts = next(iter(types.values()))
        counts[verdict] = counts.get(verdict, 0) + more
        lines[at] = json.dumps(value) + "\n"
        return lines

    def test_as_it_is_it_is_read(self):
        self.run_program("report", self.file, "--out=report", code=0)
        self.run_program("merge", self.file, "--out=merged", code=1)
        self.run_program("baseline", f"--results={self.file}", code=0)
        self.assertEqual(json.loads(self.planned)["digest"], digest_of(self.results.cases))
        self.assertGreater(len(self.alike), 3)
        self.assertLess(len(self.cases), len(self.results.cases))

    def test_lists_hold_the_places_that_they_say(self):
        """Decoded by what the page of the format says, not by the code that wrote it."""
        digits = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
        told = {case["n"]: case for case in self.results.cases}
        for alike in map(json.loads, self.alike):
            order, text = digits.index(alike["places"][0]), alike["places"][1:]
            bits = "".join(f"{digits.index(digit):06b}" for digit in text)
            place = -1
            for count in range(alike["cases"]):
                zeros = bits.index("1")
                place += int(bits[zeros : 2 * zeros + order + 1], 2) - 2**order + 1
                bits = bits[2 * zeros + order + 1 :]
                case = told[place]
                self.assertEqual(case["verdict"], alike["alike"])
                self.assertEqual(case.get("readings"), alike.get("readings"))
                self.assertEqual(case.get("message"), alike.get("message"))
                if count == 0:
                    self.assertEqual(case["id"], alike["example"])
            self.assertLess(len(bits), 6)

    def test_lines_cut_out(self):
        passing = [line for line in self.cases if '"verdict":"pass"}' in line][5:45]
        places = {json.loads(line)["n"] for line in passing}
        left = [line for line in self.cases if line not in passing]
        self.refused([line for line in self.lines if line not in passing], "were planned")
        self.refused(self.forged(cases=left, drop=places, counts=[("pass", -40)]), self.LOST)

    def test_cases_without_a_line_lost(self):
        told = {json.loads(line)["n"] for line in self.cases}
        lost = next(case["n"] for case in self.results.cases if case["n"] not in told and "readings" not in case)
        rest = self.counted("pass", -1)
        self.refused(self.forged(drop=[lost], counts=[("pass", -1)], rest=rest), self.LOST)
        self.refused(self.forged(drop=[lost], counts=[("pass", -1)]), self.LOST)

    def test_last_cases_cut_off(self):
        last = self.results.cases[-1]["n"]
        rest = self.counted("pass", -1)
        self.refused(self.forged(drop=[last], counts=[("pass", -1)], rest=rest), "is missing")

    def test_double_cases(self):
        first = 2 + len(self.alike)
        self.refused(self.lines[: first + 1] + self.lines[first:], "follows")
        second = json.loads(self.lines[first + 1])["n"]
        renumbered = re.sub('"n":[0-9]+', f'"n":{second}', self.lines[first])
        self.refused([*self.lines[: first + 1], renumbered, *self.lines[first + 2 :]], "twice")
        self.refused([*self.lines[:3], *self.lines[2:]], "twice")

    def test_verdict_changed(self):
        at = next(i for i, line in enumerate(self.cases) if '"verdict":"pass"}' in line)
        cases = list(self.cases)
        cases[at] = cases[at].replace('"verdict":"pass"', '"verdict":"unsupported"')
        self.refused([self.header, self.planned, *self.alike, *cases, *self.rest], self.EDITED)
        self.refused(self.forged(cases=cases), "counts")

    def test_two_headers_or_footers(self):
        self.refused([self.header] + self.lines, "second header")
        self.refused([*self.lines[:2], self.planned, *self.lines[2:]], "follows")
        self.refused(self.lines + [self.footer], "follows the footer")

    def test_cases_after_footer_or_groups(self):
        self.refused(self.lines + [self.cases[0]], "follows the footer")
        self.refused(self.lines[:-1] + [self.cases[-1], self.footer], "follows")

    def changed_case(self, change):
        first = 2 + len(self.alike)
        value = json.loads(self.lines[first])
        change(value)
        return [*self.lines[:first], json.dumps(value) + "\n", *self.lines[first + 1 :]]

    def test_line_without_verdict(self):
        self.refused(self.changed_case(lambda case: case.pop("verdict")), f":{3 + len(self.alike)}:", "verdict")

    def test_other_id(self):
        self.refused(self.changed_case(lambda case: case.update(id="MaxPool-8/example-77")), "example-77")

    def test_forged_verdict(self):
        value = json.loads(self.footer)
        value["footer"]["conforms"] = True
        self.refused(self.lines[:-1] + [json.dumps(value) + "\n"], "conforms")

    def test_no_footer(self):
        self.refused(self.lines[:-1], "footer")

    def test_nested_brackets(self):
        self.refused(self.lines[:1] + ["[" * 2_000_000 + "\n"], "nested")

    def test_other_version(self):
        other = re.sub('"version":"[^"]*"', '"version":"9.9"', self.header, count=1)
        path = self.path("other.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines([other] + self.lines[1:])
        self.one_sentence(self.run_program("merge", path, code=2), "9.9")
        self.one_sentence(self.run_program("baseline", f"--results={path}", code=2), "9.9")
        self.run_program("report", path, "--out=report", code=0)  # its cases cannot be known, it can be shown
        done = self.run_program("report", self.file, path, code=2)
        self.one_sentence(done, "other.jsonl: not all of its cases have a line", "9.9")

    def test_bad_headers(self):
        value = json.loads(self.header)
        for key, bad in (
            ("shard", {"index": 1, "count": 1e300}),
            ("shard", {"index": 3, "count": 2}),
            ("level", "deep"),
            ("seed", -1),
            ("random", 10**12),
            ("random", "many"),
        ):
            self.refused_by_merge({**value, key: bad}, key)

    def refused_by_merge(self, header, part):
        path = self.path("bad.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines([json.dumps(header) + "\n"] + self.lines[1:])
        self.one_sentence(self.run_program("merge", path, code=2), "bad.jsonl", part)

    def test_regular_files_only(self):
        os.mkfifo(self.path("fifo"))
        for path in (self.path("fifo"), "/dev/zero"):
            self.one_sentence(self.run_program("merge", path, code=2, timeout=20), path, "not a file")
        for path in (self.path("fifo"), "/dev/zero", self.folder):
            self.one_sentence(self.run_program("report", path, code=2, timeout=20), path, "not a file")


if __name__ == "__main__":
    main()
