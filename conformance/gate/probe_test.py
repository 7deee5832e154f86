"""What a backend has is found out, kept, and missed where it is lost."""

import json
import os

from harness import NUMPY, OPTIMIZED, Program, Results, library, main

EXAMPLE = "example_backend"
PYTHON = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "backends", "python")

# Maximum pooling that takes only some calls.
PICKY = """
import sys
sys.path.insert(0, "FOLDER")
import example_backend
import poolproof


class Picky(example_backend.ExampleBackend):
    def infer_shapes(self, call):
        if not call.SUPPORTED:
            raise poolproof.Unsupported("not this one")
        return super().infer_shapes(call)


poolproof.serve(Picky)
"""
QUICK = ["--level=quick", "--no-report", "--no-shrink"]


class Probe(Program):
    def probe(self, backend=EXAMPLE, path="probe.json"):
        done = self.run_program("probe", f"--backend={library(backend)}", f"--write={self.path(path)}", code=0)
        with open(self.path(path), encoding="utf-8") as file:
            return done.stdout, json.load(file)

    def test_what_a_backend_has(self):
        text, probe = self.probe()
        self.assertIn("1 function, with element types 1 of the ", text)
        self.assertIn("MaxPool-8\n  f32   without ", text)
        lacks = probe["lacks"]
        self.assertEqual(lacks["MaxPool-8"]["i8"], "all")
        self.assertLessEqual({"rank = 3", "rank = 5", "rounding_type = ceil"}, set(lacks["MaxPool-8"]["f32"]))
        self.assertNotIn("auto_pad = explicit", lacks["MaxPool-8"]["f32"])
        _, whole = self.probe(OPTIMIZED, "whole.json")
        self.assertEqual(whole["lacks"], {})

    def test_what_takes_no_plain_call_is_found(self):
        for supported in ('attributes.get("axis") == 2', "inputs[0].shape[1] % 8 == 0", "inputs[0].shape[-1] >= 16"):
            with open(self.path("picky.py"), "w", encoding="utf-8") as file:
                file.write(PICKY.replace("SUPPORTED", supported).replace("FOLDER", PYTHON))
            backend = f"--backend=process:{NUMPY} {self.path('picky.py')}"
            done = self.run_program("probe", backend, "--isolation=none", code=0)
            self.assertIn("\n1 function, with element types 10 of the ", done.stdout, supported)

    def test_what_hangs_costs_few_time_limits(self):
        text = self.run_program(
            "probe",
            f"--backend={library('poolproof_mutants')}",
            "--backend-option=mutant=hangs-in-f16",
            "--timeout=0.2",
            f"--write={self.path('hangs.json')}",
            code=0,
        ).stdout
        self.assertRegex(text, r"(\d+) of the \1\b")
        with open(self.path("hangs.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["lacks"], {})

    def test_a_verdict_says_of_how_many_cases_it_is(self):
        done, _ = self.gate(EXAMPLE, "--level=documented", "--no-report", code=0)
        self.assertRegex(
            done.stdout,
            r"\nCONFORMS in a part of the plan: level documented; judged are the \d+ of [\d,]+ cases that the backend "
            r"supports, too few to speak for an operator; "
            r"not there: all but MaxPool-8 \(\d\d operators, [\d,]+ cases\)\n",
        )

    def test_a_verdict_names_the_operators_that_are_not_there(self):
        """On the terminal, on the page, in the summary and on the badge, and with a baseline as well."""
        lacks = ("--filter=MaxPool-?", "--level=quick", "--random=4000", "--no-shrink")
        self.run_program("baseline", f"--results={self.gate(EXAMPLE, *lacks)[1].path}", "--write=b.txt")
        for baseline in ((), (f"--baseline={self.path('b.txt')}",)):
            done, results = self.gate(EXAMPLE, *lacks, *baseline, code=0)
            planned = sum(case["id"].split()[0].split("/")[0] == "MaxPool-1" for case in results.cases)
            said = f"MaxPool-1 ({planned:,} cases)"
            verdict = next(line for line in done.stdout.splitlines() if line.startswith("CONFORMS"))
            self.assertTrue(verdict.endswith("; not there: " + said), verdict)
            for name, text in (
                ("report.html", f">Not there, and not judged: {said}.<"),
                ("summary.md", f"Not there, and not judged: {said}."),
                ("badge.svg", "in 1 of 2 operators"),
            ):
                with open(self.path("out", name), encoding="utf-8") as file:
                    self.assertIn(text, file.read(), name)
        done, _ = self.gate(OPTIMIZED, *lacks, code=0)
        self.assertNotIn("not there", done.stdout)

    def test_random_problems_are_those_it_has(self):
        _, results = self.gate(EXAMPLE, *QUICK, "--random=2000", code=0)
        random = [case for case in results.cases if case["section"] == "random"]
        self.assertEqual(len(random), 2000)
        unsupported = [case for case in random if case["verdict"] == "unsupported"]
        self.assertLess(len(unsupported), 100, unsupported[:3])
        self.assertEqual({case["id"].split()[0] for case in random}, {"MaxPool-8"})

    def test_a_file_says_the_same_as_asking(self):
        _, probe = self.probe()
        arguments = [*QUICK, "--random=500"]
        _, asked = self.gate(EXAMPLE, *arguments, out="asked", code=0)
        _, told = self.gate(EXAMPLE, *arguments, "--probe=" + self.path("probe.json"), out="told", code=0)
        self.assertEqual(asked.header["lacks"], probe["lacks"])
        self.assertEqual(told.comparable(), asked.comparable())
        for index in (1, 2):
            self.gate(EXAMPLE, *arguments, f"--shard={index}/2", out=f"s{index}", code=0)
        self.run_program("merge", "s1/results.jsonl", "s2/results.jsonl", "--out=merged", code=0)
        merged = Results(self.path("merged", "results.jsonl"))
        self.assertEqual([case["id"] for case in merged.cases], [case["id"] for case in asked.cases])

    def test_what_a_file_denies_is_judged_where_it_is_answered(self):
        """What is expected of a call that the backend lacks is computed once it turns out to have it."""
        wrong = ("poolproof_mutants", "--backend-option=mutant=kernel-reversed", "--level=documented", "--no-shrink")
        _, asked = self.gate(*wrong, code=1)
        self.probe(EXAMPLE)  # one function, of one type
        _, told = self.gate(*wrong, "--probe=" + self.path("probe.json"), out="told", code=1)
        self.assertGreater(told.footer["counts"]["fail"], 0)
        self.assertEqual([case["verdict"] for case in told.cases], [case["verdict"] for case in asked.cases])
        self.assertEqual([group["cases"] for group in told.groups], [group["cases"] for group in asked.groups])

    def test_what_was_lost_fails_the_gate(self):
        arguments = [*QUICK, "--random=100"]
        self.gate(OPTIMIZED, *arguments, out="before", code=0)
        file = self.path("baseline.txt")
        self.run_program("baseline", f"--results={self.path('before', 'results.jsonl')}", f"--write={file}", code=0)
        self.gate(OPTIMIZED, *arguments, f"--baseline={file}", out="same", code=0)
        done, results = self.gate(EXAMPLE, *arguments, f"--baseline={file}", out="less", code=1)
        self.assertIn("lost: ", done.stdout)
        changes = {change["kind"]: change for change in results.footer["baseline"]["changes"]}
        self.assertIn("MaxPool-8 i8", changes["lost"]["ids"])
        self.assertNotIn("MaxPool-8 f32", changes["lost"]["ids"])

    def test_bad_probe_files(self):
        _, probe = self.probe()
        for change, part in (
            ({"poolproof_probe": 2}, "no probe of format 1"),
            ({"specs": "0"}, "other specs"),
            ({"lacks": 7}, '"lacks" is 7'),
            ({"lacks": {"Pool-9": {"f32": "all"}}}, "Pool-9"),
            ({"lacks": {"MaxPool-8": {"f32": "some"}}}, "some"),
            ({"lacks": {"MaxPool-8": {"fx8": "all"}}}, "fx8"),
            ({"lacks": {"MaxPool-8": {"f32": ["rank = "]}}}, "column"),
        ):
            with open(self.path("bad.json"), "w", encoding="utf-8") as file:
                json.dump({**probe, **change}, file)
            done = self.run_program(f"--backend={library(EXAMPLE)}", "--probe=" + self.path("bad.json"), code=2)
            self.one_sentence(done, "bad.json: ", part)
        self.one_sentence(
            self.run_program(f"--backend={library(EXAMPLE)}", "--probe=no-such-file", code=2), "no-such-file"
        )


if __name__ == "__main__":
    main()
