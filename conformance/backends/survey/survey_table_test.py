"""python3 -m unittest discover -p '*_test.py' -s conformance/backends/survey"""

import json
import os
import tempfile
import unittest

import survey_table

LINES = [
    {"poolproof_results": 1, "backend": {"name": "lib", "version": "1.2"}},
    {"id": "a", "line": "a", "verdict": "pass"},
    {"id": "b", "line": "b", "verdict": "deviates", "deviates": {"ties": "last"}},
    {"id": "c", "line": "c", "verdict": "unsupported", "message": "no type in=[1,2] 7"},
    {"id": "d", "line": "d", "verdict": "unsupported", "message": "no type in=[3,4] 8"},
    {"id": "e", "line": "e k=2", "verdict": "fail", "group": 1, "message": "wrong"},
    {"group": 1, "verdict": "fail", "cases": 1, "operators": ["X"], "types": ["f32"], "cause": None,
     "first": ["e"], "smallest": {"line": "e k=2 | x"}},
    {"footer": {"planned": 5, "counts": {"pass": 1, "deviates": 1, "unsupported": 2, "fail": 1},
                "readings": {"nan": {"ignore": {"cases": 1, "example": "a"}}}}},
]
TRIAGE = [{"match": {"backends": ["lib"], "verdicts": ["fail"], "line": "k=2"},
           "class": "library defect", "what": "does so"}]


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
        self.assertIn("library defect", text)
        self.assertIn("`e k=2 \\| x`", text)

    def test_groups_without_a_triage_entry_are_counted(self):
        for change in ({"backends": ["other"]}, {"verdicts": ["crash"]}, {"line": "k=3"},
                       {"cause": "known"}, {"message": "right"}):
            entry = TRIAGE[0] | {"match": TRIAGE[0]["match"] | change}
            text, untriaged = survey_table.page([read(LINES)], [entry], [])
            self.assertEqual(untriaged, 1, change)
            self.assertIn("untriaged", text)

    def test_reasons_that_differ_in_numbers_only_are_one(self):
        self.assertEqual(list(read(LINES).reasons.values()), [2])

    def test_deviations_are_counted_by_reading(self):
        self.assertEqual(read(LINES).deviations, {"ties=last": 1})

    def test_results_without_footer_are_refused(self):
        with self.assertRaisesRegex(ValueError, "no footer"):
            read(LINES[:-1])


if __name__ == "__main__":
    unittest.main()
