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
    "deviates": 7,
    "fail": 210,
    "wrongly-accepted": 9,
    "wrongly-rejected": 14,
    "crash": 8,
    "timeout": 3,
    "out-of-bounds": 10,
    "input-modified": 1,
    "written-late": 5,
    "unwritten": 3,
    "nondeterministic": 6,
    "inconsistent": 11,
    "missing": 1,
    "process-fault": 3,
    "nothing passed": 1,
}
NAMED = 188  # whose failure is named after them, not after the reading that they follow


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
57aa 946e ba60 eb88 91c3 caff be0a 921f ab54 376d d67d 62c4 9be8 7bd2 e0af eaa0 eb99 8c7f 7892 c58f 0de4 1e77 565a ee50
de7f 8c49 d68e 94b3 faca 6ebc babe e11b fe93 d931 cd6f c411 055b 709a 165a 80fa 4fdb 24c6 f8ca fdbd 5f53 1438 2384 7a8e
c8be 9b18 77e0 c638 be8c 0475 9c2a 834d d2f1 da9d 4a8e 2cdf d711 3a72 82a0 3e5f 4881 309a cbca 6a5b 09f7 8adc 1227 a9ef
e7cd 0912 48af 5955 002b 29fb d5f0 283b efc3 a88a 7924 ad5c 08a2 b9f1 fb78 94c5 b932 c98c bfb2 cf92 75fe 5626 386b 1049
d7ae 459b 0e52 2203 ccf6 6bca 3386 01b3 d395 9942 4e2a fd05 7375 31b3 0057 2314 56cc 2659 2f16 7dbd e8ae caa2 8148 3d29
5116 772b 6deb 7766 c2c3 82d7 d288 32e8 d6d5 7e1d 2cc9 5687 5ec8 589f a933 584c c999 5b4a 92dd 3209 df55 fb31 c999 6c2c
43ab 23d4 1f7b f0f5 e400 08f5 f689 17d3 f52a ac6b abd2 3596 0f23 5e09 62d7 fb95 0f0a 8ee4 842e e74b 1b3f f3f7 ed56 706a
684a 6511 6e27 037f 5ade d5ef b569 e17e c315 9124 60e8 9e00 6d61 c4db 66ba b4b8 de83 64f6 2abf be94 c5c2 ebd5 d7d2 f207
e6ba 68e4 9535 4e10 d607 bdcb 606c 1e02 461f fe3b 0db5 6ce5 8eee a624 2122 334f bdac 8119 659a fe41 38be 568b b851 b4e4
0b0d f657 5591 8047 925e f8d5 c50c c068 82e1 3819 60de 074e 4e0d d3cd 7c13 5721 ca0f 0535 52de 62af dcc6 75f6 c465 b2ac
954c 3c46 c884 6d7a c527 de5f 0494 e7ee 4ad3 3105 bd43 ca7f 38a1 4ad8 eeff 3080 7ef1 0906 b018 5a68 b037 fafb 7661 1cae
fcdf a477 e80b 5ef6 56a0 f1c9 caa9 ac45 33b0 09d1 752d a279 55e9 36e5 f78d 58e6 5bca a090 f8eb 0ba5 7710 2262 03a6 bf53
00a8 a485 b2b9 21e1
"""

if __name__ == "__main__":
    if sys.argv[1:2] == ["--digests"]:
        with open(sys.argv[2], encoding="utf-8") as page:
            digests = [digest_of(row) for row in rows_of(page.read())]
        print("\n".join(" ".join(digests[i : i + 24]) for i in range(0, len(digests), 24)))
    else:
        main()
