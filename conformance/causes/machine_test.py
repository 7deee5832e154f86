"""Mutants made by machine: what the last run of all of them found is of the sources as they are, a sample ends as it
says, and without a mutant the libraries conform. All take hours:

    build/bin/conformance machine-mutants --write build/machine-mutants.md"""

import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import Program, library, main, text_of

LIBRARIES = ("poolproof_machine_reference", "poolproof_machine_optimized")
SAMPLE = ("--sample=20", "--seed=12", "--random=10000", "--timeout=30", "--jobs=2")


# The last row of the table of that page: mutants, caught, caught otherwise, by choice, unsupported, argued, survivors.
# Those of norms of elements are as a trial at level quick found them. Of the lines that came with inputs without a
# batch and with divisors, those of optimized/core/torch.cc were run, and those of reference/torch.cc up to SetAxes, of
# PlanTorchPool and of CheckZeroSize; the others count as caught.
ALL = [4626, 3891, 100, 230, 3, 384, 18]
SURVIVORS = os.path.join(FOLDER, "machine", "survivors.txt")


def page(path):
    """Rows of the table by file, and the lists under the headings."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rows = {
        cells[0]: [int(cell) for cell in cells[1:]]
        for cells in (
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in text.splitlines()
            if re.match(r"\| [\w*].*\d+ \|$", line)
        )
    }
    _, survivors, argued = re.split(r"^## .*\n", text, flags=re.MULTILINE)
    return rows, re.findall("^- `(.*)`$", survivors, re.MULTILINE), re.findall("^- `(.*)`$", argued, re.MULTILINE)


def known_survivors():
    with open(SURVIVORS, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if not line.startswith("#")]


def listed(test):
    """Name, code and argument of every mutant."""
    done = test.run_program("machine-mutants", "--list", code=0)
    return [line.split("\t") for line in done.stdout.splitlines()]


class LastRun(Program):
    def test_is_of_these_sources(self):
        mutants = listed(self)
        self.assertEqual(len({name for name, _, _ in mutants}), len(mutants))
        self.assertEqual(len(mutants), ALL[0])
        self.assertEqual(sum(argument != "" for _, _, argument in mutants), ALL[5])
        self.assertLessEqual(set(known_survivors()), {code for _, code, argument in mutants if not argument})

    def test_adds_up_and_says_enough(self):
        mutants, caught, otherwise, *_, survive = ALL
        self.assertEqual(mutants, sum(ALL[1:]))
        self.assertEqual(len(known_survivors()), survive)
        self.assertGreaterEqual(mutants, 2000)
        self.assertGreaterEqual((caught + otherwise) / (caught + otherwise + survive), 0.995)

    def test_is_what_the_page_says(self):
        mutants, caught, otherwise, *_, survive = ALL
        share = 100 * (caught + otherwise) / (caught + otherwise + survive)
        said = text_of("docs", "guarantees.md")
        self.assertIn(f"runs it against {mutants:,} backends in which", said)
        self.assertIn(f"it catches {share:.1f} % of those that can", said)
        self.assertIn(f"the {survive} that survive", said)


class Sample(Program):
    """A few, as all of them are run."""

    def test_ends_as_in_the_last_run(self):
        done = self.run_program("machine-mutants", *SAMPLE, "--write", self.path("page.md"), code=0, timeout=1400)
        rows, survived, unfailed = page(self.path("page.md"))
        self.assertEqual(rows["**all**"][0], 20)
        for mutants, *ends in rows.values():
            self.assertEqual(mutants, sum(ends))
        self.assertEqual(rows["**all**"], [sum(column) for column in zip(*list(rows.values())[:-1], strict=True)])
        self.assertLessEqual(set(survived), set(known_survivors()), done.stdout)
        self.assertLessEqual(set(unfailed), {code for _, code, argument in listed(self) if argument})
        self.assertGreater(rows["**all**"][1], 10)

    def test_argument_for_a_mutant_that_is_caught_is_an_error(self):
        _, code, _ = next(row for row in listed(self) if "return a / b [+ -> -]" in row[1])
        with open(self.path("argued.txt"), "w", encoding="utf-8") as file:
            file.write(f"= It is small.\n{code}\nreference/window.h Nothing: [a -> b] [1 -> 0, +1]\n")
        argued = f"--argued={self.path('argued.txt')}"
        done = self.run_program("machine-mutants", f"--only={code}", "--random=0", argued, code=1)
        self.assertIn("argued, but caught", done.stdout)
        done = self.run_program("machine-mutants", "--sample=1", "--random=0", argued, code=1)
        for change in ("[a -> b] 1", "a [1 -> 0]", "a [1 -> +1]"):
            self.assertIn(f"there is no such mutant: reference/window.h Nothing: {change}\n", done.stdout)

    def test_arguments_that_cannot_be_read_are_refused(self):
        for text, wanted in (("a b: *\n", "argued.txt:1: "), ("= A.\na b: *\na b: *\n", "argued.txt:3: ")):
            with open(self.path("argued.txt"), "w", encoding="utf-8") as file:
                file.write(text)
            done = self.run_program("machine-mutants", f"--argued={self.path('argued.txt')}", code=2)
            self.one_sentence(done, wanted)


class Control(Program):
    """What fails a mutant is its change: without one the same libraries pass."""

    def test_without_a_mutant_nothing_is_wrong(self):
        for name in LIBRARIES:
            for option in ((), ("--backend-option=mutant=none",)):
                _, results = self.gate(name, "--level=quick", "--random=5000", *option, code=0)
                self.assertEqual(results.verdicts(), {"pass"})

    def test_unknown_mutant_is_refused(self):
        done = self.run_program(f"--backend={library(LIBRARIES[0])}", "--backend-option=mutant=a.cc:1:1:+", code=3)
        self.one_sentence(done, "a.cc:1:1:+")
        done = self.run_program("machine-mutants", "--only=no-such-file", code=2)
        self.one_sentence(done, "no-such-file")
        done = self.run_program("machine-mutants", f"--folder={self.folder}", code=2)
        self.one_sentence(done, self.folder)


if __name__ == "__main__":
    main()
