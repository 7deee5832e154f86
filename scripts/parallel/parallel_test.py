"""Shards under GNU parallel on this machine: what fails is run again, verdicts are not, each device has one shard."""

import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "conformance", "cli"))
from harness import MUTANTS, PROGRAM, Program, Results, library, main

ARGUMENTS = [f"--backend={library(MUTANTS)}", "--level=documented"]
OPTION = "--backend-option=mutant=index-counts-from-one"

# The program, but that it fails for shard 2 as long as there is a file "broken".
FAILING = """#!/bin/sh
echo "$@" >> {folder}/calls
case "$@" in *--shard=2/*) [ ! -e {folder}/broken ] || exit 4 ;; esac
exec {program} "$@"
"""


class Parallel(Program):
    def setUp(self):
        super().setUp()
        self.assertIsNotNone(shutil.which("parallel"), "parallel is needed: scripts/install.sh cluster")
        with open(self.path("program"), "w", encoding="utf-8") as file:
            file.write(FAILING.format(folder=self.folder, program=PROGRAM))
        os.chmod(self.path("program"), 0o755)

    def run_shards(self, *arguments, code):
        done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "run.py"), f"--program={self.path('program')}",
                               *arguments], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        return done

    def shards_started(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return sorted(word for line in file for word in line.split() if word.startswith("--shard="))

    def test_failed_shards_alone_are_run_again(self):
        open(self.path("broken"), "w", encoding="utf-8").close()
        done = self.run_shards(f"--folder={self.path('run')}", "--shards=3", "--attempts=2", "--", *ARGUMENTS, OPTION,
                               code=2)
        self.assertIn("shard 2 of the 3 of this run is missing", done.stderr)
        self.assertEqual(self.shards_started(), ["--shard=1/3", "--shard=2/3", "--shard=2/3", "--shard=3/3"])
        os.remove(self.path("broken"))
        os.remove(self.path("calls"))
        self.run_shards(f"--retry={self.path('run')}", code=1)
        self.assertEqual(self.shards_started(), ["--shard=2/3"])
        _, whole = self.gate(MUTANTS, OPTION, "--level=documented", out="whole", code=1)
        merged = Results(self.path("run", "merged", "results.jsonl"))
        self.assertEqual(merged.comparable(), whole.comparable())

    def test_each_device_has_one_shard_at_a_time(self):
        devices = ["index-counts-from-one", "kernel-reversed"]
        self.run_shards(f"--folder={self.path('run')}", "--shards=4", f"--devices={','.join(devices)}", "--key=mutant",
                        "--", *ARGUMENTS, code=1)
        spans = {}
        for shard in range(1, 5):
            (device,) = Results(self.path("run", "shards", str(shard), "results.jsonl")).header["device_options"]
            with open(self.path("run", "attempts", f"{shard}.jsonl"), encoding="utf-8") as file:
                spans.setdefault(device, []).append([json.loads(line)["time"] for line in file])
        self.assertLessEqual(set(spans), {f"mutant={device}" for device in devices})
        for times in spans.values():
            times.sort()
            self.assertTrue(all(a[1] <= b[0] for a, b in zip(times, times[1:])), spans)


if __name__ == "__main__":
    main()
