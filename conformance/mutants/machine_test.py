"""Mutants made by machine: the gate fails them, and without a mutant their libraries conform."""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "cli"))

from harness import Program, library, main  # noqa: E402  (needs the path above)

LIBRARIES = ("poolproof_machine_reference", "poolproof_machine_optimized")


class Arguments(Program):
    def test_argument_for_a_mutant_that_is_caught_is_an_error(self):
        where = "reference/window.h CeilDiv"
        with open(self.path("argued.txt"), "w", encoding="utf-8") as file:
            file.write(f"= It is small.\n{where}: *\nreference/window.h Nothing: *\n")
        only = "--only=CeilDiv(int64_t a, int64_t b) { return a / b [+ -> -]"
        done = self.run_program("machine-mutants", only, "--random=0", f"--argued={self.path('argued.txt')}", code=1)
        self.assertIn("argued, but caught", done.stdout)
        done = self.run_program("machine-mutants", "--sample=1", "--random=0",
                                f"--argued={self.path('argued.txt')}", code=1)
        self.assertIn("there is no such mutant: reference/window.h Nothing: *", done.stdout)

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
