"""DIAGNOSIS.md says what the gate names for wrong backends with known causes.

After a change of the suite: build/bin/conformance diagnosis --write conformance/causes/DIAGNOSIS.md"""

import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import Program, main

TABLE = os.path.join(FOLDER, "DIAGNOSIS.md")
# One of each kind: restricted, a reading, a stale cache, an event, an unknown form, two at once. All of
# them take too long for every test run.
SOME = (
    "exclude-pad-ignored where width%4",
    "same-divides-by-stride where height>=6",
    "stale strides by shape",
    "crash where channels>=3",
    "second-largest where channels>=2",
    "strides-reversed + f32-through-bf16 where width>=5",
)


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file if line.startswith("| ") and "---" not in line][1:]


def named(row):
    """What is wrong and what was named first; how many cases are wrong changes with every case of the plan."""
    what, _, names, _, right = row.strip("| ").split(" | ")
    return what, re.sub(r" \(\d+\)( only where [^;|]*)?", "", names), right


class Diagnosis(Program):
    maxDiff = None

    def test_the_table_has_what_the_gate_names(self):
        table = {row.split(" | ")[0]: row for row in rows_of(TABLE)}
        for faults in SOME:
            self.run_program("diagnosis", "--only", faults, "--write", self.path("some.md"), timeout=600)
            for row in rows_of(self.path("some.md")):
                self.assertEqual(named(row), named(table[row.split(" | ")[0]]))

    def test_the_table_is_good_enough(self):
        rows = rows_of(TABLE)
        pairs = [row for row in rows if " + " in row.split(" | ")[0]]
        single = [row for row in rows if row not in pairs]
        self.assertGreaterEqual(len(single), 120)
        self.assertGreaterEqual(len(pairs), 60)
        for some, share in ((single, 0.95), (pairs, 0.85)):
            self.assertGreaterEqual(sum(row.endswith("| yes |") for row in some) / len(some), share)
        alone = sum(row.split(" | ")[3] == "1" for row in single) / len(single)
        self.assertGreaterEqual(alone, 0.9)

    def test_large_cases_belong_to_the_cause(self):
        """Among these is one of 2 million taps, which is not tried with every known cause."""
        fault = "pads-end-as-begin where type=i32"
        some = ("--random=100000", "--filter=AvgPool-1 i32 random")
        done = self.run_program("diagnosis", "--only", fault, *some)
        self.assertIn("| pads-end-as-begin (175) | 1 | yes |", done.stdout)

    def test_an_unknown_one_is_refused(self):
        done = self.run_program("diagnosis", "--only=no-such-fault", code=2)
        self.one_sentence(done, "no-such-fault")


if __name__ == "__main__":
    main()
