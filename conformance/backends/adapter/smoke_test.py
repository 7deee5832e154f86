"""One adapter to a real library: its ABI, its options, its rules, and the examples that MaxPool-8's document prints.

    POOLPROOF_BUILD=build python3 -B smoke_test.py BACKEND [--option=KEY=VALUE] [--unsupported=N,N] [--different=N,N]
        [--program=OPTION]

BACKEND is what the program's --backend takes. The examples named `unsupported` must be refused with a reason; those
named `different` the library is known to compute in another way, so that a version that does not shows.
"""

import argparse
import ctypes
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gate"))
import harness

ABI_VERSION = 1


class SmokeTest(harness.Program):
    def test_unknown_option_is_rejected_by_name(self):
        words = ["--backend-option=no_such_option=1", "--level=documented", *ARGUMENTS.program]
        done = self.run_program(f"--backend={ARGUMENTS.backend}", *words, code=3)
        self.assertIn("no_such_option", done.stderr)

    def test_examples_come_out_as_printed_or_as_known(self):
        options = [f"--backend-option={option}" for option in ARGUMENTS.option]
        words = "--level=documented --random=0 --jobs=1 --timeout=100 --no-report --no-shrink".split()
        words += [f"--backend={ARGUMENTS.backend}", "--filter=MaxPool-8 examples", *options, *ARGUMENTS.program]
        # Conforms or not: what else the library does with the documents' calls is the survey's.
        done = self.run_program(*words)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = {"unsupported": [], "different": []}
        seen = 0
        for case in harness.Results(self.path("poolproof-results", "results.jsonl")).cases:
            number = case["id"].removeprefix("MaxPool-8/example-")
            if number.isdecimal():
                seen += 1
                kind = "unsupported" if case["verdict"] == "unsupported" else "different"
                if case["verdict"] != "pass":
                    found[kind].append(number)
                if kind == "unsupported":
                    self.assertIn(": ", case["message"])
        self.assertEqual(seen, 7)
        self.assertEqual(found, {"unsupported": ARGUMENTS.unsupported, "different": ARGUMENTS.different})


class LibraryTest(unittest.TestCase):
    """Only of adapters that are a shared object."""

    def setUp(self):
        self.library = ctypes.CDLL(ARGUMENTS.backend)

    def test_another_version_of_the_abi_is_not_served(self):
        get = self.library.poolproof_get_backend
        get.restype = ctypes.c_void_p
        self.assertIsNone(get(ABI_VERSION + 1))
        self.assertIsNotNone(get(ABI_VERSION))

    def test_rules_are_listed_with_condition_and_reason(self):
        rules, count = self.library.poolproof_adapter_rules, ctypes.c_size_t()
        rules.restype = ctypes.POINTER(ctypes.c_char_p)
        texts = rules(ctypes.byref(count))
        for text in texts[: count.value]:
            self.assertIn(b": ", text)


def numbers(text):
    return text.split(",") if text else []


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("backend")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--program", action="append", default=[], help="an option of the program")
    for kind in ("unsupported", "different"):
        parser.add_argument(f"--{kind}", type=numbers, default=[])
    ARGUMENTS = parser.parse_args()
    if ARGUMENTS.backend.startswith("process:"):
        del LibraryTest
    unittest.main(argv=sys.argv[:1])
