"""Whether the reproductions still show what the survey's triage says, with the libraries installed here.

Run as onnx_backend_test.py is. PyTorch, XNNPACK and oneDNN 3 are not installed here: theirs are run by hand.
"""

import json
import os
import subprocess
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
HERE = ("openvino_pool.py", "openvino_onnx_pool.py", "onnxruntime_pool.py", "onnx_reference_pool.py", "opencv_pool.py")


class ReproTest(unittest.TestCase):
    def test_defects_are_still_there(self):
        with open(os.path.join(FOLDER, "survey", "triage.json"), encoding="utf-8") as file:
            entries = json.load(file)["entries"]
        for program in HERE:
            done = subprocess.run(
                [sys.executable, os.path.join(FOLDER, "repro", program)], check=False, capture_output=True, text=True
            )
            self.assertEqual(done.returncode, 1, done.stderr)
            for entry in entries:
                if entry.get("repro") == program:
                    with self.subTest(program=program, shows=entry["shows"]):
                        self.assertIn(f"differs: {entry['shows']}", done.stdout)


if __name__ == "__main__":
    unittest.main()
