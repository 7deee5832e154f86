"""A run of the gate for the checks that need a GPU, which are no tests."""

import json
import subprocess
import tempfile


def lines_of(build, backend, *options):
    """What the lines of the results say, as dictionaries, the last with the footer; none, and what the gate said is
    printed, where it did not run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [f"{build}/bin/conformance", f"--backend={backend}", *options]
        command += [f"--out={folder}", "--no-shrink", "--no-report"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            print(done.stderr, end="")
            return []
        with open(f"{folder}/results.jsonl", encoding="utf-8") as file:
            return [json.loads(line) for line in file]
