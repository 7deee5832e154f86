"""Results files: whatever is not as a run writes it is refused with one sentence, by everything that reads one."""

import json
import os
import re

from harness import MUTANTS, OPTIMIZED, Program, Results, library, main


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
        for index, mutant in ((1, "index-counts-from-one"), (2, "index-counts-from-one"), (3, "kernel-reversed")):
            self.gate(
                MUTANTS, *arguments, f"--device-option=mutant={mutant}", f"--shard={index}/3", out=f"parts/{index}"
            )
        done = self.run_program("merge", self.path("parts"), f"--out={self.path('merged')}", code=1)
        self.assertIn("--device-option=mutant=index-counts-from-one", done.stdout)
        part = Results(self.path("parts", "3", "results.jsonl"))
        self.assertEqual(part.header["device_options"], ["mutant=kernel-reversed"])
        other = ["--backend-option=mutant=kernel-reversed", "--shard=3/3", f"--out={self.path('parts', '3')}"]
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
        """The results of so many shards alone; merge names those that are missing."""
        for index in indexes:
            self.gate(OPTIMIZED, "--level=documented", f"--shard={index}/{count}", out=f"of{count}/{index}")
        self.one_sentence(self.run_program("merge", self.path(f"of{count}"), code=2), sentence)


class Strict(Program):
    """Each way to lose, double or forge cases, for merge, report, compare and baseline."""

    def setUp(self):
        super().setUp()
        self.gate(
            MUTANTS,
            "--backend-option=mutant=index-counts-from-one",
            "--level=documented",
            "--no-shrink",
            "--no-report",
            code=1,
        )
        self.file = self.path("out", "results.jsonl")
        with open(self.file, encoding="utf-8") as file:
            self.lines = file.readlines()
        self.cases = [line for line in self.lines if line.startswith('{"n":')]
        self.groups = [line for line in self.lines if line.startswith('{"group":')]
        self.header, self.footer = self.lines[0], self.lines[-1]

    def refused(self, text, *parts):
        path = self.path("bad.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else "".join(text))
        for command in (
            ["merge", path],
            ["report", path],
            ["report", self.file, path],
            ["baseline", f"--results={path}"],
        ):
            self.one_sentence(self.run_program(*command, code=2), "bad.jsonl", *parts)

    def with_counts(self, verdict, change):
        """The footer, changed as somebody would who forges it."""
        value = json.loads(self.footer)
        value["footer"]["planned"] += change
        value["footer"]["counts"][verdict] += change
        return json.dumps(value) + "\n"

    def test_as_it_is_it_is_read(self):
        self.run_program("report", self.file, "--out=report", code=0)
        self.run_program("merge", self.file, "--out=merged", code=1)
        self.run_program("baseline", f"--results={self.file}", code=0)

    def test_cut_out_lines(self):
        passing = [i for i, line in enumerate(self.lines) if '"verdict":"pass"}' in line][5:45]
        cut = [line for i, line in enumerate(self.lines) if i not in passing]
        self.refused(cut, "missing before it")
        self.refused(cut[:-1] + [self.with_counts("pass", -40)], "of the plan is missing")

    def test_last_cases_cut_off(self):
        last = self.cases[-1]
        self.assertIn("pass", last)
        cut = [line for line in self.lines if line != last]
        self.refused(cut[:-1] + [self.with_counts("pass", -1)], "is missing")

    def test_double_cases(self):
        twice = self.lines[:2] + self.lines[1:]
        self.refused(twice, "follows")
        renumbered = self.lines[:2] + [self.lines[1].replace('"n":0', '"n":1')] + self.lines[3:]
        self.refused(renumbered, "twice")

    def test_two_headers_or_footers(self):
        self.refused([self.header] + self.lines, "second header")
        self.refused(self.lines + [self.footer], "follows the footer")

    def test_cases_after_footer_or_groups(self):
        self.refused(self.lines + [self.cases[0]], "follows the footer")
        self.refused(self.lines[:-1] + [self.cases[-1], self.footer], "follows")

    def test_line_without_verdict(self):
        value = json.loads(self.lines[1])
        del value["verdict"]
        self.refused(self.lines[:1] + [json.dumps(value) + "\n"] + self.lines[2:], ":2:", "verdict")

    def test_other_id(self):
        value = json.loads(self.lines[1])
        value["id"] = "MaxPool-8/example-77"
        self.refused(self.lines[:1] + [json.dumps(value) + "\n"] + self.lines[2:], "example-77")

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
