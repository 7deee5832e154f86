"""Baselines cover the very cases they were made from and the answers those had, and hide nothing else.

The same backend as often as one likes: POOLPROOF_RUNS=100."""

import copy
import functools
import os
import re
import tempfile

from harness import MUTANTS, OPTIMIZED, Program, Results, main

RUNS = int(os.environ.get("POOLPROOF_RUNS", 5))
SHARED = tempfile.TemporaryDirectory(prefix="poolproof-baseline-")

WHOLE = ("--level=documented", "--random=0", "--no-shrink", "--no-report")
PART = ("--level=quick", "--random=0", "--filter=MaxPool-8", "--no-shrink", "--no-report")
FROM_ONE = "index-counts-from-one"  # fails cases of WHOLE, in two ways
REVERSED = "kernel-reversed"


def option(mutant):
    return f"--backend-option=mutant={mutant}"


@functools.cache
def run_of(mutant, *plan):
    """The results of a mutant, made once for all tests."""
    test = Program()
    test.folder = tempfile.mkdtemp(dir=SHARED.name)
    test.gate(MUTANTS, option(mutant), *plan, code=1)
    return test.path("out", "results.jsonl")


class Block:
    """Comments, keys, further causes, and [id, verdict, answer] for each case."""

    def __init__(self, text):
        self.comments, self.keys, self.also, self.cases = [], {}, [], []
        for line in text.splitlines():
            if line.startswith("# also: "):
                self.also.append(line)
            elif key := re.match(r"# ([a-z]+): (.*)", line):
                self.keys[key[1]] = key[2]
            elif line.startswith("#"):
                self.comments.append(line)
            else:
                self.cases.append(line.split("\t"))

    def __str__(self):
        keys = [f"# {key}: {value}" for key, value in self.keys.items()]
        return "\n".join(self.comments + keys + self.also + ["\t".join(case) for case in self.cases]) + "\n"

    def by_verdict(self):
        """A block for each verdict of its cases: the same in all else."""
        for verdict in sorted({case[1] for case in self.cases}):
            block = copy.deepcopy(self)
            block.keys["verdict"] = verdict
            block.cases = [case for case in self.cases if case[1] == verdict]
            yield block


class Baseline(Program):
    def setUp(self):
        super().setUp()
        self.file = self.path("baseline.txt")

    def write(self, *options, results=None, code=0):
        files = [f"--results={path}" for path in results or [run_of(FROM_ONE, *WHOLE)]]
        return self.run_program("baseline", *files, f"--write={self.file}", *options, code=code)

    def text(self):
        with open(self.file, encoding="utf-8") as file:
            return file.read()

    def put(self, text):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)

    def blocks(self):
        return [Block(text) for text in self.text().split("\n\n")[1:]]

    def edit(self, change):
        """Changes the list of blocks."""
        blocks = self.blocks()
        change(blocks)
        self.put("\n".join([self.text().split("\n\n")[0] + "\n", *map(str, blocks)]))

    def again(self, mutant=FROM_ONE, *options, code, plan=WHOLE):
        backend = (OPTIMIZED,) if mutant is None else (MUTANTS, option(mutant))
        done, results = self.gate(*backend, *options, *plan, f"--baseline={self.file}", out="again", code=code)
        return done, {change["kind"]: change for change in results.footer["baseline"]["changes"]}

    def refused(self, text, *parts):
        self.put(text)
        self.one_sentence(self.run_program("--backend=x", f"--baseline={self.file}", code=2), "baseline.txt", *parts)


class SameBackend(Baseline):
    """A backend conforms to its own fresh baseline, in every run."""

    def check(self, mutant, runs, *options, plan=PART):
        results = run_of(mutant, *plan, *options)
        self.write(results=[results])
        for _ in range(runs):
            self.again(mutant, *options, code=0, plan=plan)
        return Results(results)

    def test_crash_at_random_addresses(self):
        results = self.check("crash-at-random-addresses", RUNS)
        signatures = {group["signature"] for group in results.groups if group["verdict"] == "crash"}
        self.assertEqual(len(signatures), 1)
        for signature in signatures:
            self.assertNotRegex(signature, "0x|[0-9a-f]{4}")

    def test_wrong_values_and_shapes(self):
        self.assertLessEqual({"fail", "wrongly-rejected"}, self.check(REVERSED, 1).verdicts())

    def test_two_readings(self):
        self.assertIn("inconsistent", self.check("ties-last-only-in-3d", 1).verdicts())

    def test_set_aside(self):
        results = self.check("hangs-in-f16", 1, "--timeout=1")
        self.assertIn("missing", results.verdicts())

    def test_shards(self):
        self.write(results=[run_of(REVERSED, *PART)])
        for index in (1, 2, 3):
            self.again(REVERSED, f"--shard={index}/3", code=0, plan=PART)

    def test_a_sorted_line_for_each_case(self):
        results = Results(run_of(FROM_ONE, *WHOLE))
        self.write()
        failing = {(case["id"], case["verdict"], case["answer"]) for case in results.cases if "group" in case}
        listed = [tuple(case) for block in self.blocks() for case in block.cases]
        self.assertGreater(len(failing), 20)
        self.assertCountEqual(listed, failing)
        for block in self.blocks():
            self.assertEqual(block.cases, sorted(block.cases))
        self.assertTrue(self.text().startswith("# poolproof baseline 3\n# random: "))


class Hidden(Baseline):
    """Whatever is not in the baseline fails the gate and is named."""

    def setUp(self):
        super().setUp()
        self.write()

    def test_one_more_case(self):
        removed = []
        self.edit(lambda blocks: removed.append(blocks[-1].cases.pop()[0]))
        done, changes = self.again(code=1)
        self.assertEqual(changes, {"new": {"kind": "new", "count": 1, "ids": removed}})
        self.assertTrue(done.stdout.startswith("NEW: 1 case of 1 cause\n"), done.stdout)

    def test_another_answer(self):
        def change(blocks):
            answer = blocks[-1].cases[0][2]
            blocks[-1].cases[0][2] = answer[:-1] + ("0" if answer[-1] != "0" else "1")

        self.edit(change)
        _, changes = self.again(code=1)
        self.assertEqual(changes, {"answer": {"kind": "answer", "count": 1, "ids": [self.blocks()[-1].cases[0][0]]}})

    def test_a_grosser_bug_of_the_same_operators(self):
        for mutant in ("returns-without-writing", "maximum-starts-at-zero"):
            _, changes = self.again(mutant, code=1)
            self.assertGreater(changes["new"]["count"], 5)

    def test_improved_and_unmatched(self):
        done, changes = self.again(None, code=1)
        self.assertEqual(list(changes), ["improved"])
        self.assertEqual(changes["improved"]["count"], sum(len(block.cases) for block in self.blocks()))
        self.assertIn(f"{changes['improved']['count']} lines can go: ", done.stdout)
        self.edit(lambda blocks: blocks[0].cases.append(["MaxPool-8/example-0", "crash", "0" * 16]))
        _, changes = self.again(code=1)
        self.assertEqual(changes, {"unmatched": {"kind": "unmatched", "count": 1, "ids": ["MaxPool-8/example-0"]}})

    def test_worsened_cause_and_expired(self):
        def verdict(blocks):
            blocks[0].cases[0][1] = "crash"

        def cause(blocks):
            blocks[0].keys["cause"] = "another"

        def date(blocks):
            blocks[0].keys["expires"] = "2020-01-01"

        for change, kind, way in (
            (verdict, "worsened", "with another verdict"),
            (cause, "cause", "for another cause"),
            (date, "expired", "in a block that has expired"),
        ):
            self.write("--force")
            self.edit(change)
            done, changes = self.again(code=1)
            self.assertEqual(list(changes), [kind])
            self.assertIn(self.blocks()[0].cases[0][0], changes[kind]["ids"])
            self.assertRegex(done.stdout, f"^CHANGED: .*: {changes[kind]['count']} {way}\n")
        self.edit(lambda blocks: blocks[0].keys.update(expires="2999-12-31"))
        self.again(code=0)


class Varying(Baseline):
    def vary(self, within, by="cpu"):
        def change(blocks):
            if isinstance(within, int):
                blocks[:] = [one for block in blocks for one in block.by_verdict()]
            for block in blocks:
                block.keys["varies"] = f"by={by} within={within} why=which kernels there are"
                if isinstance(within, int):
                    block.cases = []

        self.write("--force")
        self.edit(change)

    def test_within_answers_and_cases(self):
        self.vary("answers")
        self.again(None, code=0)  # any of its cases may pass
        done, _ = self.again(code=0)
        self.assertIn("baseline: varies: ", done.stdout)
        self.assertIn("which kernels there are", done.stdout)

        def answers(blocks):
            for block in blocks:
                block.cases = [[case, verdict, "0" * 16] for case, verdict, _ in block.cases]

        self.edit(answers)
        _, changes = self.again(code=1)
        self.assertEqual(list(changes), ["answer"])
        self.vary("cases")
        self.edit(answers)
        self.again(code=0)
        self.again("maximum-starts-at-zero", code=1)

    def test_within_a_number(self):
        self.write()
        most = max(len(one.cases) for block in self.blocks() for one in block.by_verdict())
        self.vary(most, by="run")
        self.again(code=0)
        self.vary(most - 1, by="run")
        _, changes = self.again(code=1)
        self.assertEqual(list(changes), ["exceeded"])
        for pattern, code in (("*Pool-*", 0), ("MaxPool-1 *", 1)):
            self.vary(most, by="run")
            self.edit(lambda blocks, p=pattern: [block.keys.update(case=p) for block in blocks])
            self.again(code=code)

    def test_results_of_two_machines(self):
        results = [run_of(FROM_ONE, *WHOLE), run_of("maximum-starts-at-zero", *WHOLE)]
        self.one_sentence(self.write(results=results, code=2), "--varies")
        self.write("--varies=cpu", results=results)
        self.again(code=0)
        self.again("maximum-starts-at-zero", code=0)
        self.again("returns-without-writing", code=1)
        self.assertEqual(
            {block.keys["varies"] for block in self.blocks()}, {"by=cpu within=answers why=to be explained"}
        )
        before = self.text()
        self.write(f"--update={self.file}", results=results[:1])  # what the other machine answers stays
        self.assertEqual(self.text(), before)

    def test_refused(self):
        for varies in (
            "by=cpu within=answers",
            "by=cpu within=answers why=",
            "by=moon within=answers why=r",
            "by=cpu why=r",
            "by=cpu within=0 why=r",
            "by=cpu within=-1 why=r",
            "by=cpu within=99999999999999999999 why=r",
            "cpu",
        ):
            head = f"# poolproof baseline 3\n\n# reason: r\n# varies: {varies}\n"
            self.refused(f"{head}# verdict: fail\n", f':4: "varies" is "{varies}",')


class Files(Baseline):
    def test_never_overwritten_silently(self):
        self.write()
        self.one_sentence(self.write(code=2), "--force")
        self.write("--force")

    def test_update_in_place_keeps_what_people_wrote(self):
        self.write()

        def explain(blocks):
            for i, block in enumerate(blocks):
                block.keys.update(reason=f"reason {i}", owner="me", expires="2999-12-31")
            # Cases of one cause are in two blocks, one of which does not name it.
            largest = max(blocks, key=lambda block: len(block.cases))
            blocks.append(Block("# http://example.org/1\n# reason: apart"))
            blocks[-1].cases.append(largest.cases.pop())

        self.edit(explain)
        before = {block.keys["reason"]: block for block in self.blocks()}
        more = ("--level=quick", "--random=200", "--filter=MaxPool-*", "--no-shrink", "--no-report")
        self.write(f"--update={self.file}", results=[run_of(FROM_ONE, *more)])
        self.again(FROM_ONE, code=0, plan=more)
        after = {block.keys["reason"]: block for block in self.blocks()}
        self.assertEqual(set(after), set(before))
        for reason, block in after.items():
            self.assertEqual((block.keys, block.comments), (before[reason].keys, before[reason].comments))
        self.assertEqual(after["apart"].cases, before["apart"].cases)
        self.assertGreater(sum(len(block.cases) for block in after.values()), 100)

    def test_updating_says_what_fits_no_more(self):
        self.write()
        before = self.blocks()
        done = self.write(f"--update={self.file}", results=[run_of("maximum-starts-at-zero", *WHOLE)])
        left_out = re.findall("^left out: .*: no case fits it$", done.stdout, re.MULTILINE)
        self.assertEqual(len(left_out), len(before))

    def test_a_merge_by_git_in_any_order_means_the_same(self):
        self.write()
        head, *blocks = self.text().split("\n\n")
        self.put("\n\n".join([head, *(block.strip() for block in reversed(blocks))]) + "\n\n\n")
        self.edit(lambda blocks: [block.cases.reverse() for block in blocks])
        self.again(code=0)
        self.write(f"--update={self.file}")
        self.assertEqual(self.text().split("\n\n"), [head, *blocks])

    def test_other_formats_are_refused(self):
        for text in ('{"poolproof_baseline":2,"entries":[]}', '{"poolproof_baseline":1}', "{"):
            self.refused(text, ":1: ", "--results=results.jsonl --write=pooling-baseline.txt")
        for text in ("", "[]", "# poolproof baseline 4\n"):
            self.refused(text, ":1: ", '"# poolproof baseline 3"')

    def test_broken_blocks(self):
        case = "MaxPool-8/example-1\tfail\t0123456789abcdef\n"
        counted = "# varies: by=run within=5 why=w\n"
        for text, *parts in (
            (case, ":3: ", "no block"),
            ("# has: MaxPool-8 f33\n", ":3: ", "MaxPool-8 f33"),
            ("# has: MaxPool-8\n", ":3: ", '"MaxPool-8"'),
            ("# lacks: MaxPool-8 f32\n", ":3: ", "condition on calls"),
            ("# random: 10 of seed\n", ":3: ", '"10 of seed"'),
            (f"# owner: me\n{case}", ":3: ", "# reason: "),
            ("# reason: r\n", ":3: ", "no cases"),
            (f"# reason:\n{case}", ":3: ", '"reason" is empty'),
            (f"# reason: r\n# reason: s\n{case}", ":4: ", '"reason" is "s"'),
            (f"# reason: r\n{counted}{counted}", ":5: ", '"varies"'),
            (f"# reason: r\n# owned: me\n{case}", ":4: ", '"owned"'),
            (f"# reason: r\n# expires: soon\n{case}", ":4: ", '"soon"'),
            (f"# reason: r\n# verdict: fail\n{case}", ":3: ", '"verdict"'),
            (f"# reason: r\n# case: Max*\n{case}", ":3: ", '"case"'),
            (f"# reason: r\n{counted}", ":3: ", "# verdict: "),
            (f"# reason: r\n# verdict: fail\n{counted}{case}", ":3: ", "lists cases"),
            (f"# reason: r\n{case}{case}", ":5: ", "line 4"),
            (f"# reason: r\n{case}\n# reason: s\n{case.replace('0', 'f')}", ":7: ", "line 4"),
            ("# reason: r\na\tfial\t0123456789abcdef\n", ":4: ", '"fial"'),
            ("# reason: r\na\tpass\t0123456789abcdef\n", ":4: ", '"pass"'),
            ("# reason: r\na\n", ":4: ", '"a" is no case'),
            ("# reason: r\na\tfail\n", ":4: ", "no case"),
            ("# reason: r\na\tfail\t12\n", ":4: ", "no case"),
            ("# reason: r\na\tfail\t0123456789ABCDEF\n", ":4: ", "no case"),
        ):
            with self.subTest(text):
                self.refused(f"# poolproof baseline 3\n\n{text}", *parts)

    def test_regular_files_only(self):
        os.mkfifo(self.path("fifo"))
        for path in (self.path("fifo"), "/dev/zero"):
            self.one_sentence(self.run_program("--backend=x", f"--baseline={path}", code=2, timeout=20), path)


if __name__ == "__main__":
    main()
