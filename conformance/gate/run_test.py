"""Whole runs: readings, events, history, reproduction."""

import json
import os
import shutil
import subprocess

import harness
from harness import (
    MUTANTS,
    OPTIMIZED,
    REFERENCE,
    Program,
    Results,
    children,
    families_with,
    kill,
    ledger,
    library,
    main,
    wait_until,
)

RANDOM = "--level=quick", "--random=5000"


class Readings(Program):
    """The reference under another profile deviates, never fails, and the reading is named."""

    def check_profile(self, profile, *options):
        _, results = self.gate(
            REFERENCE, f"--backend-option=profile={profile}", "--level=quick", "--random=20000", *options, code=1
        )
        self.assertLessEqual(results.verdicts(), {"pass", "deviates"})
        entries = {entry["id"]: entry for entry in ledger()}
        named = {(k, v) for case in results.cases for k, v in case.get("deviates", {}).items()}
        self.assertTrue(named)
        computed = {
            (e["id"], reading)
            for e in entries.values()
            for key, reading in e.get("profiles", {}).items()
            if key.split()[0] == profile
            and e["kind"] != "silence"
            and e.get("computed")
            and reading != e["readings"][0]["name"]
        }
        self.assertEqual(named, computed)
        hint = results.footer["profile_hint"]
        self.assertEqual(hint["profile"], profile)
        self.assertEqual(hint["explained"], hint["deviations"])
        for group in results.groups:  # the smallest problem shows what the title says
            for reading in group["signature"].split():
                self.assertIn(reading, group["message"], group["smallest_id"])
        details = [group["smallest"]["detail"] for group in results.groups]
        drawn = [detail for detail in details if any(detail.get("wrong", []))]
        for detail in drawn:
            self.assertNotEqual(detail["first"]["expected"], detail["first"]["got"])
            self.assertIn("window", detail)
        return drawn

    def test_openvino(self):
        self.assertTrue(self.check_profile("openvino", "--family=openvino,embarc_mli"))

    def test_pytorch(self):
        # A power average that is scaled past the end may also be one that overflows: two readings of one answer.
        self.check_profile("pytorch", "--filter=op != torch.LPPool or fill != extreme")

    def test_a_bug_suggests_no_profile(self):
        """Some of its answers look like another reading, which would make them pass and leave the bug."""
        bug = "--backend-option=mutant=maximum-starts-at-zero"
        _, results = self.gate(MUTANTS, bug, "--filter=MaxPool-1", "--level=quick", "--random=500", code=1)
        self.assertIn("deviates", results.verdicts())
        self.assertEqual([group["verdict"] for group in results.groups], ["fail"])
        self.assertIsNone(results.footer["profile_hint"])

    def test_selected_profile_passes(self):
        for profile in ("documented", "openvino", "pytorch"):
            _, results = self.gate(
                REFERENCE, f"--backend-option=profile={profile}", f"--profile={profile}", *RANDOM, code=0
            )
            self.assertEqual(results.verdicts(), {"pass"})


class Textbook(Program):
    """Plain averages, summed in f32 and truncated where they are integers, are right."""

    def test_nothing_is_accused(self):
        _, results = self.gate("average_backend", "--filter=AvgPool-1", "--level=quick", "--random=60000", code=0)
        self.assertEqual(results.verdicts(), {"pass", "unsupported"})
        for word in ("f32", "i8", "u32"):
            self.assertTrue(
                any(
                    case["verdict"] == "pass" and f" {word} " in case.get("line", case["id"]) for case in results.cases
                ),
                word,
            )


class SingleReadings(Program):
    """The reference under any one reading that the document denies is told by that reading's name. Those of a silence
    are in silences_test."""

    def test_each_reading_is_named(self):
        told = 0
        for entry in (e for e in ledger() if e.get("computed") and e["kind"] != "silence"):
            for reading in entry["readings"][1:]:
                if reading["name"] != "other":
                    told += self.check(entry, reading["name"])
        self.assertGreater(told, 12)

    def check(self, entry, reading):
        option = f"--backend-option=reading.{entry['id']}={reading}"
        options = [families_with(entry["id"]), "--level=quick", "--random=4000", "--no-shrink", "--no-report"]
        _, results = self.gate(REFERENCE, option, *options)
        name = f"{entry['id']}={reading}"
        self.assertLessEqual(results.verdicts(), {"pass", "deviates"}, name)
        named = {(k, v) for case in results.cases for k, v in case.get("deviates", {}).items()}
        self.assertEqual(named, {(entry["id"], reading)}, name)
        return 1


class Conforming(Program):
    def test_optimized_passes_everything(self):
        done, results = self.gate(OPTIMIZED, "--level=quick", "--random=20000", code=0)
        self.assertEqual(results.verdicts(), {"pass"})
        self.assertIn("CONFORMS", done.stdout)
        self.assertEqual(sum(results.footer["counts"].values()), results.footer["planned"])

    def test_a_path_alone_is_the_backend(self):
        done = self.run_program(library(OPTIMIZED), "--level=documented", "--out=short", code=0)
        self.assertIn("CONFORMS", done.stdout)

    def test_documented_examples_are_all_there(self):
        _, results = self.gate(OPTIMIZED, "--level=documented", "--filter=example-*", code=0)
        self.assertEqual(len(results.cases), 21)
        _, results = self.gate(OPTIMIZED, "--level=documented", "--filter=layer-*", code=0)
        self.assertGreaterEqual(len(results.cases), 7)


class Events(Program):
    def test_hang_is_a_timeout(self):
        _, results = self.gate(
            MUTANTS, "--backend-option=mutant=hang", "--timeout=0.3", "--level=documented", "--no-shrink", code=1
        )
        self.assertIn("timeout", results.verdicts())

    def test_killed_worker_loses_at_most_one_case(self):
        runner = subprocess.Popen(
            [
                harness.PROGRAM,
                f"--backend={library(REFERENCE)}",
                f"--out={self.path('out')}",
                "--level=quick",
                "--random=60000",
                "--jobs=1",
                "--no-shrink",
            ],
            stdout=subprocess.DEVNULL,
        )
        partial = self.path("out", "results.jsonl.partial")
        wait_until(lambda: os.path.exists(partial) and os.path.getsize(partial) > 1 << 20)
        for child in children(runner.pid):
            kill(child)
        self.assertIn(runner.wait(timeout=300), (0, 1))
        results = Results(self.path("out", "results.jsonl"))
        crashed = [case["verdict"] for case in results.cases if case["verdict"] != "pass"]
        self.assertIn(crashed, ([], ["crash"]))  # a case is tried once more before it counts
        self.assertEqual(sum(results.footer["counts"].values()), results.footer["planned"])
        self.assertGreater(results.footer["planned"], 60000)


class History(Program):
    def test_a_fault_that_needs_another_case_first_names_it(self):
        _, results = self.gate(
            MUTANTS,
            "--backend-option=mutant=depends-on-previous-call",
            "--level=quick",
            "--random=2000",
            "--stop-after=20",
            code=1,
        )
        named = [group for group in results.groups if "after" in group["smallest"]]
        self.assertTrue(named, [group["message"] for group in results.groups])
        for group in named:
            self.assertIn(group["smallest"]["after"], group["message"])


class Reproduction(Program):
    def test_the_smallest_problem_of_a_mistake_shows_no_other_one(self):
        known, unknown = "maximum-starts-at-zero", "tail-of-8"
        both = f"--backend-option=mutant={known} + {unknown}"
        _, results = self.gate(MUTANTS, both, "--level=quick", "--random=3000", "--filter=MaxPool-1", code=1)
        self.assertEqual([(group["cause"] or {}).get("id") for group in results.groups], [known, None])
        for group, wrong, right in ((0, known, unknown), (1, unknown, known)):
            line = results.groups[group]["smallest"]["line"]
            for mutant, code in ((wrong, 1), (right, 0)):
                option = f"--backend-option=mutant={mutant}"
                self.run_program("reproduce", line, f"--backend={library(MUTANTS)}", option, code=code)

    def test_smallest_problem_reproduces_and_its_c_program_agrees(self):
        _, results = self.gate(MUTANTS, "--backend-option=mutant=tvm-18641", *RANDOM, code=1)
        smallest = results.groups[0]["smallest"]
        option = "--backend-option=mutant=tvm-18641"
        done = self.run_program("reproduce", smallest["line"], f"--backend={library(MUTANTS)}", option, code=1)
        self.assertIn(results.groups[0]["verdict"], done.stdout)
        self.run_program("reproduce", smallest["line"], f"--backend={library(OPTIMIZED)}", code=0)
        with open(self.path("case.c"), "w", encoding="utf-8") as file:
            file.write(smallest["c"])
        # Alone in its folder: it needs no file but itself.
        self.run_in_folder(
            ["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "case.c", "-o", "case", "-ldl"], 0
        )
        self.run_in_folder(["./case", os.path.abspath(library(MUTANTS)), "mutant=tvm-18641"], 1)
        self.run_in_folder(["./case", os.path.abspath(library(OPTIMIZED))], 0)

    def test_smallest_problem_shows_more_than_the_sign_of_a_zero(self):
        # 1x1x1 with -0.0 would be as small.
        option = "--backend-option=mutant=maximum-starts-at-zero"
        _, results = self.gate(MUTANTS, option, "--level=quick", "--random=100", "--filter=MaxPool-1", code=1)
        self.assertEqual(results.groups[0]["smallest"]["line"].split()[-1], "data=-1")
        self.assertIn("expected -1, got 0", results.groups[0]["message"])

    def test_smallest_problem_is_one_that_its_cause_explains(self):
        """Large planes are explained by the cause of the run alone; none of them may stand for the group."""
        _, results = self.gate(
            MUTANTS, "--backend-option=mutant=tvm-18641", "--level=quick", "--filter=rounding=ceil fill=highest", code=1
        )
        self.assertEqual(len(results.groups), 1)
        self.assertNotIn("does not show", results.groups[0]["message"])
        self.assertLess(len(results.groups[0]["smallest"]["detail"]["input"]["values"]), 20)

    def test_where_of_a_cause_can_be_pasted_into_filter(self):
        """What it leaves out is right, and all that it leaves is wrong of which the cause tells."""
        option = "--backend-option=mutant=exclude-pad-ignored where width >= 6"
        wrong = (MUTANTS, option, "--family=openvino", "--no-shrink")
        _, results = self.gate(*wrong, *RANDOM, code=1)
        (group,) = results.groups
        self.assertEqual((group["cause"]["id"], group["where"]), ("exclude-pad-ignored", "width >= 6"))
        _, inside = self.gate(*wrong, *RANDOM, f"--filter={group['where']}", out="inside", code=1)
        self.assertEqual(inside.groups[0]["cases"], group["cases"])
        self.gate(*wrong, *RANDOM, f"--filter=not ({group['where']})", out="outside", code=0)

    def test_command_that_is_printed_reproduces(self):
        """Whatever the paths: it is typed again by a shell, from the same folder."""
        os.makedirs(self.path("it's a folder"))
        program, backend = self.path("it's a folder", "conformance"), self.path("it's a folder", "lib $HOME.so")
        shutil.copy(harness.PROGRAM, program)
        shutil.copy(harness.WORKER, self.path("it's a folder"))
        shutil.copy(library(MUTANTS), backend)
        gate = [program, f"--backend={backend}", "--backend-option=mutant=index-counts-from-one"]
        printed = self.run_in_folder([*gate, "--level=documented", "--timeout=9.5", "--out=out"], 1)
        command = printed.partition("reproduce: ")[2].partition("\n")[0]
        self.assertIn("--timeout=9.5", command)
        self.assertIn("indices count from one", self.run_in_folder(["sh", "-c", command], 1))

    def test_show_draws_the_window_and_each_reading(self):
        done = self.run_program("show", "MaxPool-8/example-1", "--at=0,0,0,0", code=0)
        self.assertIn("[", done.stdout)
        self.assertIn("strides", done.stdout)
        done = self.run_program("show", "MaxPool-8 f32 in=1x1x5x6 k=3 s=2 pb=1 pe=1 rounding=ceil", code=0)
        self.assertIn("size of axis 1: ceil((6 + 1 + 1 - 3) / 2) + 1 = 4 (maxpool-8/explicit-ceil)", done.stdout)
        line = "AvgPool-1 f32 in=1x1x5x6 k=3 s=2 pb=1 pe=1 exclude_pad=true"
        done = self.run_program("show", line, "--at=0,0,1,2", code=0)
        self.assertIn("padding before axis 0: 1 (avgpool-1/auto_pad-explicit)", done.stdout)
        self.assertIn("start of the window on axis 1: 2 * 2 - 1 = 3 (avgpool-1/operation)", done.stdout)
        self.assertIn("divisor on axis 1: max(min(3, ceil((6 - 3) / 1)) - max(ceil(-3 / 1), 0), 0) = 3", done.stdout)

    def test_show_has_what_a_profile_demands_of_an_element_type(self):
        for word, value in (("f32", "-3.4028235e+38"), ("f16", "-inf"), ("i16", " 0  1")):
            empty = f"MaxPool-1 {word} in=1x1x1 k=1 s=1 pb=1 pe=0 data=1"
            done = self.run_program("show", empty, "--profile=openvino", code=0)
            self.assertIn(value, done.stdout.partition("output ")[2].partition("under ")[0], word)

    def test_a_wrong_size_is_explained_by_its_formula(self):
        option = "--backend-option=mutant=tt-metal-11044"
        line = "MaxPool-8 f32 in=1x1x5x5 k=3 s=2 pb=1 pe=1 rounding=ceil"
        formula = "Size of axis 0: ceil((5 + 1 + 1 - 3) / 2) + 1 = 3 (maxpool-8/explicit-ceil)."
        done = self.run_program("reproduce", line, f"--backend={library(MUTANTS)}", option, code=1)
        self.assertIn(f"formula: {formula} Size of axis 1: ", done.stdout)
        done, _ = self.gate(MUTANTS, option, "--level=quick", "--random=0", "--filter=MaxPool-8 f32", code=1)
        self.assertIn(" Size of axis 0: ", done.stdout)

    def test_show_prints_what_the_specs_say(self):
        for name, function in (
            ("avg_pool_14", "AvgPool-14"),
            ("mli_maxpool", "mli_krn_maxpool_chw_fx8_k2x2_str1_nopad"),
        ):
            spec = json.loads(self.run_program("show", "--spec", name, code=0).stdout)
            self.assertEqual(spec["id"], name)
            self.assertEqual(json.loads(self.run_program("show", "--spec", function, code=0).stdout), spec)
        spec = json.loads(self.run_program("show", "--spec=AvgPool-14", code=0).stdout)
        clauses = {clause["id"]: clause["statement"] for clause in spec["documents"][0]["clauses"]}
        self.assertEqual(clauses["avgpool-14/kernel-range"], "Values start from 1.")
        self.assertEqual(spec["attributes"][5]["words"], ["floor", "ceil", "ceil_torch"])
        self.one_sentence(self.run_program("show", "--spec=NoPool\x1b", code=2), "--spec", '"NoPool\\u001b"')
        for arguments in ((), ("MaxPool-8/example-1", "--spec=MaxPool-8")):
            self.one_sentence(self.run_program("show", *arguments, code=2), "either a case or --spec")


if __name__ == "__main__":
    main()
