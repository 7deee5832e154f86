"""The gate on oneDNN with its committed baseline: all that differs is known and explained there.

After a change: run the same command without --baseline, then `conformance baseline --write`."""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "cli"))

from harness import Program, main  # noqa: E402  (needs the path above)


class OneDnn(Program):
    def test_gate_passes_with_the_baseline(self):
        baseline = os.path.join(FOLDER, "baselines", "onednn.json")
        done, results = self.gate("onednn", "--random=20000", f"--baseline={baseline}", code=0)
        self.assertIn("CONFORMS", done.stdout)
        self.assertEqual(sum(results.footer["counts"].values()), results.footer["planned"])


if __name__ == "__main__":
    main()
