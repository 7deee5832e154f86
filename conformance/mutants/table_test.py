"""Every deliberately wrong backend is caught, and TABLE.md says how.

After a change of the suite: build/bin/conformance mutants --write conformance/mutants/TABLE.md"""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "cli"))

from harness import Program, main  # noqa: E402  (needs the path above)


class Table(Program):
    maxDiff = None

    def test_all_mutants_are_caught_as_the_table_says(self):
        self.run_program("mutants", "--write", self.path("TABLE.md"), code=0, timeout=1500)
        with open(self.path("TABLE.md"), encoding="utf-8") as file:
            now = file.read().splitlines()
        with open(os.path.join(FOLDER, "TABLE.md"), encoding="utf-8") as file:
            committed = file.read().splitlines()
        self.assertEqual(now, committed)


if __name__ == "__main__":
    main()
