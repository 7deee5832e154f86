"""Whole runs: readings, events, interruption, shards, baselines."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

import harness
from harness import (MUTANTS, OPTIMIZED, REFERENCE, Program, Results, children, kill, library, main,
                     wait_until)

RANDOM = "--random=5000"


class Readings(Program):
    """The reference under another profile deviates, never fails, and the reading is named."""

    def check_profile(self, profile):
        _, results = self.gate(REFERENCE, f"--backend-option=profile={profile}", "--random=20000", code=1)
        self.assertLessEqual(results.verdicts(), {"pass", "deviates"})
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "specs", "discrepancies.json"),
                  encoding="utf-8") as file:
            ledger = json.load(file)
        entries = {entry["id"]: entry for entry in ledger["discrepancies"]}
        named = {(k, v) for case in results.cases for k, v in case.get("deviates", {}).items()}
        self.assertTrue(named)
        for entry, reading in named:
            self.assertEqual(entries[entry].get("profiles", {}).get(profile), reading, entry)
        computed = {(e["id"], e["profiles"][profile]) for e in entries.values()
                    if profile in e.get("profiles", {}) and e["kind"] != "silence"
                    and e.get("computed") and e["profiles"][profile] != e["readings"][0]["name"]}
        self.assertEqual(named, computed)
        hint = results.footer["profile_hint"]
        self.assertEqual(hint["profile"], profile)
        self.assertEqual(hint["explained"], hint["deviations"])

    def test_openvino(self):
        self.check_profile("openvino")

    def test_pytorch(self):
        self.check_profile("pytorch")

    def test_selected_profile_passes(self):
        for profile in ("documented", "openvino", "pytorch"):
            _, results = self.gate(REFERENCE, f"--backend-option=profile={profile}",
                                   f"--profile={profile}", RANDOM, code=0)
            self.assertEqual(results.verdicts(), {"pass"})


class SingleReadings(Program):
    """The reference under any one reading that is not the default is told by that reading's name."""

    def test_each_reading_is_named(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "specs", "discrepancies.json"),
                  encoding="utf-8") as file:
            ledger = json.load(file)["discrepancies"]
        told = 0
        for entry in (e for e in ledger if e.get("computed")):
            for reading in entry["readings"][1:]:
                if reading["name"] != "other":
                    told += self.check(entry, reading["name"])
        self.assertGreater(told, 20)

    def check(self, entry, reading):
        option = f"--backend-option=reading.{entry['id']}={reading}"
        _, results = self.gate(REFERENCE, option, "--random=4000", "--no-shrink", "--no-report")
        name = f"{entry['id']}={reading}"
        self.assertLessEqual(results.verdicts(), {"pass", "deviates"}, name)
        named = {(k, v) for case in results.cases for k, v in case.get("deviates", {}).items()}
        if entry["kind"] == "silence":
            self.assertEqual(named, set(), name)
            read = results.footer["readings"].get(entry["id"], {})
            self.assertTrue(any(reading in seen.split("|") for seen in read), name)
        else:
            self.assertEqual(named, {(entry["id"], reading)}, name)
        return 1


class Conforming(Program):
    def test_optimized_passes_everything(self):
        done, results = self.gate(OPTIMIZED, "--random=20000", code=0)
        self.assertEqual(results.verdicts(), {"pass"})
        self.assertIn("CONFORMS", done.stdout)
        self.assertEqual(sum(results.footer["counts"].values()), results.footer["planned"])

    def test_documented_examples_are_all_there(self):
        _, results = self.gate(OPTIMIZED, "--level=documented", "--filter=/example-", code=0)
        self.assertEqual(len(results.cases), 20)
        _, results = self.gate(OPTIMIZED, "--level=documented", "--filter=/layer-", code=0)
        self.assertGreaterEqual(len(results.cases), 7)


class Events(Program):
    def test_hang_is_a_timeout(self):
        _, results = self.gate(MUTANTS, "--backend-option=mutant=hang", "--timeout=0.3", "--level=documented",
                               "--no-shrink", code=1)
        self.assertIn("timeout", results.verdicts())

    def test_killed_worker_loses_at_most_one_case(self):
        runner = subprocess.Popen(
            [harness.PROGRAM, f"--backend={library(REFERENCE)}", f"--out={self.path('out')}",
             "--random=60000", "--jobs=1", "--no-shrink"], stdout=subprocess.DEVNULL)
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
        _, results = self.gate(MUTANTS, "--backend-option=mutant=depends-on-previous-call",
                               "--random=2000", "--stop-after=20", code=1)
        named = [group for group in results.groups if "after" in group["smallest"]]
        self.assertTrue(named, [group["message"] for group in results.groups])
        for group in named:
            self.assertIn(group["smallest"]["after"], group["message"])


class Interruption(Program):
    KILLS = 6  # the same as often as one likes: POOLPROOF_KILLS=50

    def test_kill_and_resume_gives_the_undisturbed_results(self):
        arguments = ["--random=30000", "--no-shrink", "--backend-option=mutant=ties-last-only-in-3d"]
        _, whole = self.gate(MUTANTS, *arguments, out="whole")
        rng = random.Random(1)
        command = [harness.PROGRAM, f"--backend={library(MUTANTS)}", f"--out={self.path('cut')}", *arguments]
        for attempt in range(int(os.environ.get("POOLPROOF_KILLS", self.KILLS))):
            resumable = os.path.exists(self.path("cut", "results.jsonl.partial"))
            runner = subprocess.Popen(command + (["--resume"] if resumable else []),
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                runner.wait(timeout=rng.uniform(0.05, 0.6))
            except subprocess.TimeoutExpired:
                if attempt % 2:  # the backend's processes first, the runner while it starts them again
                    for child in children(runner.pid):
                        kill(child)
                    time.sleep(rng.uniform(0, 0.01))
                runner.send_signal(signal.SIGKILL)
                runner.wait()
            if os.path.exists(self.path("cut", "results.jsonl")):
                shutil.rmtree(self.path("cut"))
        resumable = os.path.exists(self.path("cut", "results.jsonl.partial"))
        self.run_program(*command[1:], *(["--resume"] if resumable else []))
        cut = Results(self.path("cut", "results.jsonl"))
        self.assertEqual(cut.comparable(), whole.comparable())

    def test_interrupt_says_how_to_go_on(self):
        command = [harness.PROGRAM, f"--backend={library(OPTIMIZED)}", f"--out={self.path('out')}",
                   "--random=500000"]
        runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        partial = self.path("out", "results.jsonl.partial")
        wait_until(lambda: os.path.exists(partial) and os.path.getsize(partial) > 1 << 19)
        runner.send_signal(signal.SIGINT)
        _, stderr = runner.communicate(timeout=60)
        self.assertEqual(runner.returncode, 4)
        self.assertIn("--resume", stderr)


class Shards(Program):
    def test_merged_shards_equal_the_whole_run(self):
        arguments = ["--backend-option=mutant=ties-last-only-in-3d", "--random=6000"]
        _, whole = self.gate(MUTANTS, *arguments, out="whole")
        for index in (1, 2, 3):
            self.gate(MUTANTS, *arguments, f"--shard={index}/3", out=f"shard{index}")
        files = [self.path(f"shard{index}", "results.jsonl") for index in (3, 1, 2)]
        self.run_program("merge", *files, f"--out={self.path('merged')}")
        merged = Results(self.path("merged", "results.jsonl"))
        self.assertEqual(merged.comparable(), whole.comparable())

    def test_missing_and_doubled_shards_are_refused(self):
        for index in (1, 2):
            self.gate(OPTIMIZED, "--level=documented", f"--shard={index}/3", out=f"shard{index}")
        one, two = (self.path(f"shard{index}", "results.jsonl") for index in (1, 2))
        self.assertIn("missing", self.run_program("merge", one, two, code=2).stderr)
        self.assertIn("twice", self.run_program("merge", one, one, two, code=2).stderr)

    def test_incomplete_results_are_refused(self):
        self.gate(OPTIMIZED, "--level=documented", out="whole")
        path = self.path("whole", "results.jsonl")
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines[:-1])
        self.one_sentence(self.run_program("merge", path, code=2), "footer")

    def test_merge_needs_to_know_the_shard(self):
        path = self.path("shard.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"poolproof_results":1,"shard":{"index":1,"count":1e300}}\n')
        self.one_sentence(self.run_program("merge", path, code=2), "1e+300")


class Baselines(Program):
    MUTANT = "--backend-option=mutant=kernel-reversed"

    def write(self, entries):
        with open(self.path("baseline.json"), "w", encoding="utf-8") as file:
            json.dump({"poolproof_baseline": 1, "entries": entries}, file)
        return f"--baseline={self.path('baseline.json')}"

    def test_proposal_makes_the_gate_pass_and_nothing_else_does(self):
        _, results = self.gate(MUTANTS, self.MUTANT, RANDOM, code=1)
        self.assertIn("fail", results.verdicts() | {"fail"})
        file = self.path("proposed.json")
        arguments = ["baseline", f"--results={self.path('out', 'results.jsonl')}", f"--write={file}"]
        self.run_program(*arguments, code=0)
        self.run_program(*arguments, code=2)  # never overwritten silently
        self.gate(MUTANTS, self.MUTANT, RANDOM, f"--baseline={file}", out="again", code=0)
        done, _ = self.gate(OPTIMIZED, RANDOM, f"--baseline={file}", out="fixed", code=1)
        self.assertIn("improved", done.stdout)

    def test_each_change_fails_the_gate(self):
        example = "MaxPool-8/example-1"
        entry = {"case": example, "verdict": "fail", "reason": "known"}
        for changes, word in ((entry, "improved"),
                              ({**entry, "case": "MaxPool-8/example-0"}, "unmatched")):
            done, _ = self.gate(OPTIMIZED, "--level=documented", self.write([changes]), code=1)
            self.assertIn(word, done.stdout)
        mutant = "--backend-option=mutant=returns-without-writing"
        _, results = self.gate(MUTANTS, mutant, "--level=documented", "--no-shrink", code=1)
        case = next(c for c in results.cases if c["verdict"] == "unwritten")
        for changes, word in (({"verdict": "fail"}, "worsened"),
                              ({"verdict": "unwritten", "cause": "other"}, "changed"),
                              ({"verdict": "unwritten", "expires": "2020-01-01"}, "expired")):
            baseline = self.write([{"case": case["id"], "reason": "known", **changes}])
            done, _ = self.gate(MUTANTS, mutant, "--level=documented", "--no-shrink", baseline, code=1)
            self.assertIn(f"baseline: {word}", done.stdout)


class Reproduction(Program):
    def test_smallest_problem_reproduces_and_its_c_program_agrees(self):
        _, results = self.gate(MUTANTS, "--backend-option=mutant=tvm-18641", RANDOM, code=1)
        smallest = results.groups[0]["smallest"]
        option = "--backend-option=mutant=tvm-18641"
        done = self.run_program("reproduce", smallest["line"], f"--backend={library(MUTANTS)}", option,
                                code=1)
        self.assertIn(results.groups[0]["verdict"], done.stdout)
        self.run_program("reproduce", smallest["line"], f"--backend={library(OPTIMIZED)}", code=0)
        with open(self.path("case.c"), "w", encoding="utf-8") as file:
            file.write(smallest["c"])
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{root}", "case.c", "-o",
                        "case", "-ldl"], cwd=self.folder, check=True)
        right = subprocess.run(["./case", os.path.abspath(library(OPTIMIZED))], cwd=self.folder,
                               capture_output=True, text=True, check=False)
        self.assertEqual(right.returncode, 0, right.stdout + right.stderr)

    def test_show_draws_the_window_and_each_reading(self):
        done = self.run_program("show", "MaxPool-8/example-1", "--at=0,0,0,0", code=0)
        self.assertIn("[", done.stdout)
        self.assertIn("strides", done.stdout)

    def test_vectors_round_trip(self):
        self.run_program("vectors", "--out=vectors", code=0)
        names = sorted(os.listdir(self.path("vectors")))
        for name in names:
            if ".expected" in name:
                shutil.copy(self.path("vectors", name),
                            self.path("vectors", name.replace("expected", "output")))
            elif name.endswith(".json"):
                with open(self.path("vectors", name), encoding="utf-8") as file:
                    status = json.load(file)["expected_status"]
                if status != "OK":
                    with open(self.path("vectors", name.replace(".json", ".status")), "w",
                              encoding="utf-8") as file:
                        file.write(status)
        self.run_program("judge", "vectors", "--out=judged", code=0)
        victim = next(n for n in sorted(os.listdir(self.path("vectors"))) if ".output0" in n)
        with open(self.path("vectors", victim), "r+b") as file:
            file.seek(-1, os.SEEK_END)
            last = file.read(1)[0]
            file.seek(-1, os.SEEK_END)
            file.write(bytes([last ^ 0x40]))
        self.run_program("judge", "vectors", "--out=judged", code=1)


if __name__ == "__main__":
    main()
