"""Every deliberately wrong backend is caught, with a verdict that its declaration expects, and as it was before.

The page is BUILD/mutants.md afterwards. Where a change of the suite changes how mutants are caught, compare it with
that of the commit before, and take over what is new here: `python3 table_test.py --digests PAGE` prints the end of this
file."""

import collections
import hashlib
import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import BUILD, MUTANTS, Program, library, main

PAGE = os.path.join(BUILD, "mutants.md")
# Mutants by how they end: each verdict, a fault of the process, and a backend of which no case passed.
ENDS = {
    "deviates": 5,
    "fail": 146,
    "wrongly-accepted": 9,
    "wrongly-rejected": 4,
    "crash": 8,
    "timeout": 3,
    "out-of-bounds": 10,
    "input-modified": 1,
    "written-late": 5,
    "unwritten": 3,
    "nondeterministic": 6,
    "inconsistent": 7,
    "missing": 1,
    "process-fault": 3,
    "nothing passed": 1,
}
NAMED = 114  # whose failure is named after them


def rows_of(text):
    """Mutant, title, end, number of cases, first case and name of each."""
    return [re.split(r"(?<!\\) \| ", row[2:-2]) for row in text.splitlines()[2:]]


def digest_of(row):
    """Of its mutant, its end, and where the library only computes wrongly, of the first case. What depends on how far a
    busy machine has come is left out: how many cases ran before the gate stopped, and which of several causes it had
    the time to try."""
    mutant, _, end, cases, first, _ = row
    return hashlib.sha256("|".join([mutant, end, first if cases else ""]).encode()).hexdigest()[:4]


class Table(Program):
    maxDiff = None

    def test_all_mutants_are_caught_as_before(self):
        self.run_program("mutants", "--write", PAGE, code=0, timeout=2400)
        with open(PAGE, encoding="utf-8") as file:
            rows = rows_of(file.read())
        self.assertEqual(collections.Counter(row[2] for row in rows), ENDS)
        self.assertEqual(sum(row[0] in row[5].split(", ") for row in rows), NAMED)
        known = dict(zip((row[0] for row in rows), DIGESTS.split(), strict=True))
        self.assertEqual([row for row in rows if digest_of(row) != known[row[0]]], [], f"{PAGE} differs")


class Control(Program):
    """What fails a mutant is its defect: without one the same library passes."""

    def test_without_a_mutant_nothing_is_wrong(self):
        _, results = self.gate(MUTANTS, "--level=quick", "--random=5000", code=0)
        self.assertEqual(results.verdicts(), {"pass"})

    def test_one_is_shown_as_all_are(self):
        done = self.run_program("mutants", "--only=index-of-window-start", code=0)
        table, _, end = done.stdout.rstrip().rpartition("\n")
        (row,) = rows_of(table)
        self.assertEqual((row[0], row[2], row[5], len(row)), ("index-of-window-start", "fail", row[0], 6))
        self.assertEqual(end, "1 mutants, 0 not caught")

    def test_unknown_mutant_is_refused(self):
        done = self.run_program(f"--backend={library(MUTANTS)}", "--backend-option=mutant=no-such-mutant", code=3)
        self.one_sentence(done, "no-such-mutant")
        done = self.run_program("mutants", "--only=no-such-mutant", code=2)
        self.one_sentence(done, "no-such-mutant")


# Digests of the rows, in the order of the page.
DIGESTS = """
57aa afb8 8c3c eb88 91c3 caff be0a bdac d67d 62c4 faef 885c 443c eaa0 eb99 8c7f 7892 c58f ee50 523c 2cae f33b 94b3 561b
6ebc bb23 e11b fe93 d931 cd6f c411 bbcf ef07 8c95 d4be 96f0 5f53 4477 2384 4242 c8be 9b18 77e0 c638 11a5 7e3b 9c2a 834d
a6c9 fa6d 2cdf d711 2003 47f8 76e2 4881 309a cbca 6a5b 09f7 8adc 1227 a9ef 73bf 7b38 a2e1 5955 2b5f 3553 93c1 00a4 25e3
4ffb 9f39 a5d7 5ae4 459b 6760 aa0e 6bca 2896 f723 5603 e848 4e2a 31b3 0057 2314 ffa6 1c2d 7079 8e70 7766 38cf 2e87 231a
77df 8461 7e1d 2cc9 5687 5ec8 589f a933 584c c999 5b4a 92dd 3209 df55 fb31 c999 6c2c 43ab 23d4 1f7b f0f5 e400 08f5 f689
17d3 f52a ac6b abd2 3596 0f23 5e09 62d7 fb95 0f0a 8ee4 842e e74b 1b3f f3f7 ed56 706a 684a 6511 6e27 037f 5ade d5ef b569
e17e c315 9124 60e8 9e00 6d61 ad26 2616 cdd5 cd19 218d 636f 7b7e c5c2 ebd5 55b9 0563 e6ba c884 6d7a 85a8 d668 f877 a570
c98c 3105 a243 206f 38a1 6317 fde1 0cc3 9064 f303 40b6 76c3 b037 fafb 2c1a 6d50 7442 a50a e80b 29a4 56a0 8500 fa7b a8cd
9fa1 2357 f34d 919d 328b 7eda 58e6 5bca ffe8 7c14 7710 6b02 4e10 bc1a bf53 00a8 9d71 fd72 032c 61dc
"""

if __name__ == "__main__":
    if sys.argv[1:2] == ["--digests"]:
        with open(sys.argv[2], encoding="utf-8") as page:
            digests = [digest_of(row) for row in rows_of(page.read())]
        print("\n".join(" ".join(digests[i : i + 24]) for i in range(0, len(digests), 24)))
    else:
        main()
