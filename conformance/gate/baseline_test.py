"""Baselines cover the very cases they were made from and the answers those had, and hide nothing else.

The same backend as often as one likes: POOLPROOF_RUNS=100."""

import json
import os

from harness import MUTANTS, OPTIMIZED, Program, main

RUNS = int(os.environ.get("POOLPROOF_RUNS", 20))
PLAN = ["--level=quick", "--random=1500", "--no-shrink", "--no-report"]
REVERSED = "--backend-option=mutant=kernel-reversed"


class Baseline(Program):
    """A backend, its run in out/ and its baseline."""

    def setUp(self):
        super().setUp()
        self.file = self.path("baseline.json")

    def find(self, *options, plan=None, out="out"):
        _, results = self.gate(MUTANTS, *options, *(plan or PLAN), out=out, code=1)
        return results

    def write(self, *options, results=("out",), code=0):
        files = [f"--results={self.path(out, 'results.jsonl')}" for out in results]
        return self.run_program("baseline", *files, f"--write={self.file}", *options, code=code)

    def read(self):
        with open(self.file, encoding="utf-8") as file:
            return json.load(file)

    def edit(self, change):
        value = self.read()
        change(value["entries"])
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(value, file)

    def again(self, *options, code, backend=MUTANTS, plan=None):
        done, results = self.gate(backend, *options, *(plan or PLAN), f"--baseline={self.file}", out="again", code=code)
        changes = {change["kind"]: change for change in results.footer["baseline"]["changes"]}
        return done, changes


class SameBackend(Baseline):
    """A backend conforms to its own fresh baseline, in every run."""

    def check(self, mutant, runs):
        option = f"--backend-option=mutant={mutant}"
        self.find(option)
        self.write()
        for _ in range(runs):
            self.again(option, code=0)

    def test_crash_at_random_addresses(self):
        self.check("crash-at-random-addresses", RUNS)

    def test_wrong_values_and_shapes(self):
        self.check("kernel-reversed", 2)

    def test_two_readings(self):
        self.check("ties-last-only-in-3d", 2)

    def test_set_aside(self):
        self.check("always-crashes-in-f16", 2)

    def test_groups_do_not_splinter(self):
        results = self.find("--backend-option=mutant=crash-at-random-addresses")
        signatures = {group["signature"] for group in results.groups if group["verdict"] == "crash"}
        self.assertTrue(signatures)
        operators = {name for group in results.groups for name in group["operators"]}
        self.assertLessEqual(len(signatures), len(operators))
        for signature in signatures:
            self.assertNotRegex(signature, "0x|[0-9a-f]{4}")

    def test_shards(self):
        self.find(REVERSED)
        self.write()
        for index in (1, 2, 3):
            self.again(REVERSED, f"--shard={index}/3", code=0)

    def test_file_is_small(self):
        results = self.find(REVERSED)
        failing = sum(1 for case in results.cases if "group" in case)
        self.write()
        self.assertGreater(failing, 300)
        self.assertLess(os.path.getsize(self.file), 40 * failing + 10_000)


class Hidden(Baseline):
    """Whatever is not in the baseline fails the gate and is named."""

    def setUp(self):
        super().setUp()
        self.results = self.find(REVERSED)
        self.write()

    def entry(self, entries, listed):
        """An entry that lists its cases by id, or one in short form."""
        return next(e for e in entries if isinstance(e["cases"], dict) == listed)

    def test_one_more_case_of_an_entry_that_lists_ids(self):
        removed = []

        def change(entries):
            cases = self.entry(entries, True)["cases"]
            removed.append(cases.popitem()[0])
            if not cases:
                entries.remove(self.entry(entries, True))

        self.edit(change)
        done, changes = self.again(REVERSED, code=1)
        self.assertEqual(changes, {"new": {"kind": "new", "count": 1, "ids": removed}})
        self.assertIn(f"baseline: new: {removed[0]} (", done.stdout)

    def test_one_more_case_of_an_entry_in_short_form(self):
        def change(entries):
            entry = self.entry(entries, False)
            line = next(i for i, text in enumerate(entry["cases"]) if len(text) > 17)
            entry["cases"][line] = entry["cases"][line][:-14]
            entry["count"] -= 1

        self.edit(change)
        _, changes = self.again(REVERSED, code=1)
        self.assertEqual(changes["new"]["count"], 1)
        self.assertIn(changes["new"]["ids"][0], {case["id"] for case in self.results.cases if "group" in case})

    def test_another_answer(self):
        def change(entries):
            entry = self.entry(entries, False)
            entry["cases"][0] = entry["cases"][0][:-4] + ("0000" if entry["cases"][0][-4:] != "0000" else "1111")

        self.edit(change)
        _, changes = self.again(REVERSED, code=1)
        self.assertEqual((list(changes), changes["answer"]["count"]), (["answer"], 1))
        self.write("--force")

        def change_listed(entries):
            cases = self.entry(entries, True)["cases"]
            cases[next(iter(cases))] = "0123456789abcdef"

        self.edit(change_listed)
        _, changes = self.again(REVERSED, code=1)
        self.assertEqual((list(changes), changes["answer"]["count"]), (["answer"], 1))

    def test_what_the_short_form_cannot_tell_apart(self):
        self.edit(lambda entries: self.entry(entries, False).update(digest="0" * 32))
        _, changes = self.again(REVERSED, code=1)
        self.assertEqual(list(changes), ["altered"])

    def test_a_grosser_bug_of_the_same_operators(self):
        for mutant in ("returns-without-writing", "maximum-starts-at-zero"):
            _, changes = self.again(f"--backend-option=mutant={mutant}", code=1)
            self.assertIn("new", changes)
            self.assertGreater(changes["new"]["count"], 10)

    def test_improved_and_unmatched(self):
        done, changes = self.again(code=1, backend=OPTIMIZED)
        self.assertEqual(list(changes), ["improved"])
        self.assertIn("baseline: improved", done.stdout)
        self.edit(
            lambda entries: entries.append(
                {**entries[0], "cause": "other", "count": 1, "digest": "0" * 32, "cases": ["00:" + "0" * 14]}
            )
        )
        done, changes = self.again(REVERSED, code=1)
        self.assertEqual(list(changes), ["unmatched"])

    def test_worsened_cause_and_expired(self):
        def verdict(entries):
            self.entry(entries, False)["verdict"] = "crash"

        def cause(entries):
            self.entry(entries, False)["cause"] = "another"

        def date(entries):
            self.entry(entries, False)["expires"] = "2020-01-01"

        for change, kind in ((verdict, "worsened"), (cause, "cause"), (date, "expired")):
            self.write("--force")
            self.edit(change)
            done, changes = self.again(REVERSED, code=1)
            self.assertIn(kind, changes)
            self.assertIn(f"baseline: {kind}: ", done.stdout)


class Varying(Baseline):
    def vary(self, within, by="cpu", keep_cases=True):
        def change(entries):
            for entry in entries:
                entry["varies"] = {"by": by, "reason": "which kernels there are", "within": within}
                entry.pop("digest", None)
                if not keep_cases:
                    entry.pop("cases", None)
                    entry.pop("count", None)

        self.edit(change)

    def test_within_answers_and_cases(self):
        self.find(REVERSED)
        self.write()
        self.vary("answers")
        self.again(code=0, backend=OPTIMIZED)  # any of its cases may pass
        done, _ = self.again(REVERSED, code=0)
        self.assertIn("baseline: varies: ", done.stdout)
        self.assertIn("which kernels there are", done.stdout)

        def answers(entries):
            for entry in entries:
                if isinstance(entry["cases"], list):
                    entry["cases"] = [line[:-4] + "0000" for line in entry["cases"]]

        self.edit(answers)
        _, changes = self.again(REVERSED, code=1)
        self.assertEqual(list(changes), ["answer"])
        self.vary("cases")
        self.again(REVERSED, code=0)
        self.again("--backend-option=mutant=maximum-starts-at-zero", code=1)

    def test_within_a_number(self):
        self.find(REVERSED)
        self.write()
        with open(self.file, encoding="utf-8") as file:
            entries = json.load(file)["entries"]
        most = max(entry.get("count", len(entry["cases"])) for entry in entries)
        self.vary(most, by="run", keep_cases=False)
        self.again(REVERSED, code=0)
        self.vary(most - 1, by="run", keep_cases=False)
        _, changes = self.again(REVERSED, code=1)
        self.assertEqual(list(changes), ["exceeded"])

    def test_results_of_two_machines(self):
        self.find(REVERSED)
        self.find("--backend-option=mutant=ties-last-only-in-3d", out="other")
        done = self.write(results=("out", "other"), code=2)
        self.one_sentence(done, "--varies")
        self.write("--varies=cpu", results=("out", "other"))
        self.again(REVERSED, code=0)
        self.again("--backend-option=mutant=ties-last-only-in-3d", code=0)
        self.assertTrue(any("varies" in entry for entry in self.read()["entries"]))

    def test_refused(self):
        self.find(REVERSED)
        self.write()
        for varies in (
            {"by": "cpu", "within": "answers"},
            {"by": "moon", "reason": "r", "within": "answers"},
            {"by": "cpu", "reason": "r"},
            {"by": "cpu", "reason": "r", "within": 0},
            {"by": "cpu", "reason": "r", "within": -1},
            {"by": "cpu", "reason": "r", "within": 5},
            "cpu",
        ):
            self.write("--force")
            self.edit(lambda entries, v=varies: entries[0].update(varies=v))
            done = self.run_program("--backend=x", f"--baseline={self.file}", code=2)
            self.one_sentence(done, "/entries/0")


class Files(Baseline):
    def test_never_overwritten_silently(self):
        self.find(REVERSED)
        self.write()
        self.one_sentence(self.write(code=2), "--force")
        self.write("--force")

    def test_format_1_is_refused_and_converted(self):
        results = self.find(REVERSED)
        group = max((g for g in results.groups if g["verdict"] == "fail"), key=lambda g: g["cases"])
        old = self.path("old.json")
        with open(old, "w", encoding="utf-8") as file:
            json.dump(
                {
                    "poolproof_baseline": 1,
                    "entries": [
                        {
                            "case": "MaxPool*",
                            "verdict": "fail",
                            "cause": group["cause"]["id"],
                            "reason": "of ours",
                            "owner": "me",
                        },
                        {"case": "NoSuch*", "verdict": "crash", "reason": "gone"},
                    ],
                },
                file,
            )
        done = self.run_program("--backend=x", f"--baseline={old}", code=2)
        self.one_sentence(done, "old.json", "--convert=")
        done = self.write(f"--convert={old}")
        self.assertIn("left out: crash", done.stdout)
        self.assertIn("are in no entry", done.stdout)
        (entry,) = self.read()["entries"]
        self.assertEqual((entry["reason"], entry["owner"], entry["case"]), ("of ours", "me", "MaxPool*"))
        _, changes = self.again(REVERSED, code=1)
        self.assertEqual(list(changes), ["new"])
        self.write("--force", f"--update={old}")
        self.again(REVERSED, code=0)
        self.assertIn("of ours", {e["reason"] for e in self.read()["entries"]})

    def test_update_in_place_keeps_what_people_wrote(self):
        self.find(REVERSED)
        self.write()
        self.edit(lambda entries: [e.update(reason=f"reason {i}", owner="me") for i, e in enumerate(entries)])
        before = self.read()
        self.find(REVERSED, plan=["--level=quick", "--random=3000", "--no-shrink", "--no-report"], out="more")
        self.write(f"--update={self.file}", results=("more",))
        after = {e["reason"]: e for e in self.read()["entries"]}
        for entry in before["entries"]:
            self.assertEqual(after[entry["reason"]]["owner"], "me")
        self.again(REVERSED, code=0, plan=["--level=quick", "--random=3000", "--no-shrink", "--no-report"])

    def test_broken_covers(self):
        head = '{"poolproof_baseline":2,"entries":[{"verdict":"fail","reason":"r",%s}]}'
        for cover, part in (
            ('"count":1', "cases"),
            ('"cases":7', "cases"),
            ('"cases":{}', "empty"),
            ('"cases":[]', "count"),
            ('"cases":{"a":"12"}', "16"),
            ('"cases":{"a":[]}', "no answer"),
            ('"count":1,"cases":["00:12"]', "/cases/0"),
            ('"count":1,"cases":["zz:00000000000000"]', "/cases/0"),
            ('"count":2,"cases":["00:00000000000000"]', "--update"),
            ('"count":1,"cases":[{"a":1}]', "/cases/0"),
            ('"count":1,"digest":"xyz","cases":["00:00000000000000"]', "digest"),
            ('"digest":"x","cases":{"a":"0123456789abcdef"}', "digest"),
        ):
            with open(self.file, "w", encoding="utf-8") as file:
                file.write(head % cover)
            done = self.run_program("--backend=x", f"--baseline={self.file}", code=2)
            self.one_sentence(done, "baseline.json", "/entries/0", part)

    def test_regular_files_only(self):
        os.mkfifo(self.path("fifo"))
        for path in (self.path("fifo"), "/dev/zero"):
            self.one_sentence(self.run_program("--backend=x", f"--baseline={path}", code=2, timeout=20), path)


if __name__ == "__main__":
    main()
