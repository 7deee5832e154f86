"""python3 -m unittest discover -p '*_test.py' -s conformance/backends/survey"""

import json
import os
import re
import tempfile
import unittest

import survey_table

LINES = [
    {"poolproof_results": 2, "backend": {"name": "lib", "version": "1.2"}},
    {"planned": 5, "digest": "0123456789abcdef0123456789abcdef"},
    {"alike": "pass", "readings": {"nan": "ignore"}, "cases": 1, "example": "a", "places": "AB"},
    {"alike": "unsupported", "message": "no type in=[1,2] 7", "cases": 1, "example": "c", "places": "AD"},
    {"n": 1, "id": "b", "line": "b", "verdict": "deviates", "deviates": {"ties": "last"}},
    {"n": 3, "id": "d", "line": "d", "verdict": "unsupported", "message": "no type in=[3,4] 8"},
    {"n": 4, "id": "e", "line": "e k=2 | x and much more", "verdict": "fail", "group": 1, "message": "wrong"},
    {
        "group": 1,
        "verdict": "fail",
        "cases": 1,
        "operators": ["X"],
        "types": ["f32"],
        "cause": None,
        "first": ["e"],
        "smallest": {"line": "e k=2 | x"},
    },
    {"counted": "X", "parts": {}, "attributes": {}},
    {
        "footer": {
            "planned": 5,
            "counts": {"pass": 1, "deviates": 1, "unsupported": 2, "fail": 1},
            "readings": {"nan": {"ignore": {"cases": 1, "example": "a"}}},
        }
    },
]
MATCH = {"backends": ["lib"], "verdicts": ["fail"], "line": "k=2"}
TRIAGE = [{"match": MATCH, "class": "library defect", "what": "does so", "seen": "1.3"}]
FOLDER = os.path.dirname(os.path.abspath(__file__))
REPRO = os.path.join(os.path.dirname(FOLDER), "repro")
ACCUSING = ("library defect", "fixed defect")


def read(lines):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "results.jsonl")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
        return survey_table.read_run("lib", path)


class SurveyTableTest(unittest.TestCase):
    def test_groups_with_a_triage_entry_name_it(self):
        text, untriaged = survey_table.page([read(LINES)], TRIAGE, [])
        self.assertEqual(untriaged, 0)
        self.assertIn("| library defect | 1.3 |", text)
        self.assertIn("`e k=2 \\| x`", text)

    def test_groups_without_a_triage_entry_are_counted(self):
        others = {"backends": ["other"], "verdicts": ["crash"], "line": "k=3", "cause": "known", "message": "right"}
        for change in others.items():
            entry = TRIAGE[0] | {"match": MATCH | dict([change])}
            text, untriaged = survey_table.page([read(LINES)], [entry], [])
            self.assertEqual(untriaged, 1, change)
            self.assertIn("untriaged", text)

    def test_reasons_that_differ_in_numbers_only_are_one(self):
        self.assertEqual(list(read(LINES).reasons.values()), [2])

    def test_deviations_are_counted_by_reading(self):
        self.assertEqual(read(LINES).deviations, {"ties=last": 1})

    def test_readings_that_other_calls_contradict_are_left_out(self):
        seen = {"pads-required": {"optional": {"cases": 1, "example": "a"}}, "nan": {"a|b": {}, "ignore": {}}}
        run = read([*LINES[:-1], {"footer": {"planned": 5, "counts": {}, "readings": seen}}])
        self.assertIn("| nan: ignore; pads-required: optional |", "".join(survey_table.readings([run])))
        run.deviations["pads-required=required"] = 3
        self.assertNotIn("pads-required=required", "".join(survey_table.readings([run])))

    def test_results_without_footer_are_refused(self):
        with self.assertRaisesRegex(ValueError, "no footer"):
            read(LINES[:-1])


class TriageTest(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(FOLDER, "triage.json"), encoding="utf-8") as file:
            self.entries = json.load(file)["entries"]

    def test_classes_are_known(self):
        known = (*ACCUSING, "library limit", "library choice", "document silence")
        self.assertEqual([e for e in self.entries if e["class"] not in known], [])

    def test_accusations_name_a_version_and_what_shows_them(self):
        for entry in self.entries:
            if entry["class"] in ACCUSING:
                with self.subTest(entry["what"]):
                    self.assertTrue(entry["seen"])
                    with open(os.path.join(REPRO, entry["repro"]), encoding="utf-8") as file:
                        self.assertIn(entry["shows"], file.read())

    def test_defects_were_seen_in_the_release_that_is_installed(self):
        pins = set()
        for folder in (REPRO, os.path.join(os.path.dirname(FOLDER), "python")):
            with open(os.path.join(folder, "requirements.txt"), encoding="utf-8") as lines:
                pins.update(line.split("==")[1].strip() for line in lines if "==" in line)
        for entry in self.entries:
            if entry["class"] == "library defect":
                self.assertTrue(pins & set(re.split("[ ,()]+", entry["seen"])), entry["what"])

    def test_every_reproduction_shows_something(self):
        named = {entry.get("repro") for entry in self.entries}
        programs = {name for name in os.listdir(REPRO) if name.endswith((".py", ".cc"))}
        self.assertEqual(programs - named, {"onnx_node.py", "verdict.py"})


if __name__ == "__main__":
    unittest.main()
