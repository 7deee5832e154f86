"""What becomes of a shard by its exit code, and what is handed to Slurm, by programs that note what they are told."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SUBMIT = os.path.join(HERE, "..", "slurm", "submit.py")
ELEMENT = os.path.join(HERE, "..", "slurm", "element.py")
sys.path.insert(0, HERE)
from folder import RunFolder

# Ends with the code in the file "code", or by signal 9; writes results where it is to.
PROGRAM = """#!/bin/sh
echo "$@" >> {folder}/calls
code=$(cat {folder}/code)
for argument; do case $argument in --out=*) out=${{argument#--out=}} ;; esac; done
mkdir -p "$out"
case $code in 0|1) touch "$out/results.jsonl" ;; 9) touch "$out/results.jsonl.partial"; kill -9 $$ ;; esac
exit "$code"
"""
SCHEDULER = """#!/bin/sh
echo "$(basename "$0") $@" >> {folder}/calls
[ "$(basename "$0")" = sbatch ] && echo 17
[ "$(basename "$0")" != scontrol ]
"""


class Shards(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="poolproof-test-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        for name, text in (("program", PROGRAM), ("sbatch", SCHEDULER), ("scontrol", SCHEDULER)):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text.format(folder=self.folder))
            os.chmod(self.path(name), stat.S_IRWXU)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def run_script(self, script, *arguments, code=0, **variables):
        done = subprocess.run(
            [sys.executable, "-B", script, *arguments],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": self.folder + os.pathsep + os.environ["PATH"], **variables},
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def submit(self, *arguments, code=0):
        return self.run_script(SUBMIT, f"--program={self.path('program')}", *arguments, code=code)

    def calls(self):
        """What has been called since this was asked last."""
        with open(self.path("calls"), "r+", encoding="utf-8") as file:
            lines = file.read().splitlines()
            file.truncate(0)
        return lines

    def submitted(self, *arguments):
        self.submit(f"--folder={self.path('run')}", "--shards=3", *arguments, "--", "--backend=b")
        self.calls()
        return RunFolder(self.path("run"))

    def element(self, shard, says, code=None, **variables):
        with open(self.path("code"), "w", encoding="utf-8") as file:
            file.write(str(says))
        self.run_script(
            ELEMENT,
            self.path("run"),
            "2",
            code=says if code is None else code,
            SLURM_ARRAY_TASK_ID=str(shard),
            SLURM_JOB_ID="99",
            **variables,
        )
        return self.calls()

    def test_shards_are_named_and_merged_after_all(self):
        done = self.submit(f"--folder={self.path('run')}", "--shards=8", "--sbatch=--partition=p", "--", "--backend=b")
        array, merge = self.calls()
        self.assertIn("--array=1-8", array)
        self.assertIn("--partition=p", array)
        self.assertIn("--dependency=afterany:17", merge)
        self.assertIn(f"report: {self.path('run', 'merged', 'report.html')}", done.stdout)
        with open(self.path("run", "ids"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "array 17 1-8\nmerge 17\n")

    def test_verdicts_and_wrong_usage_are_final(self):
        self.submitted()
        for shard, code in ((1, 0), (2, 1), (3, 2)):
            out = self.path("run", "shards", str(shard))
            self.assertEqual(self.element(shard, code), [f"--backend=b --shard={shard}/3 --out={out}"])

    def test_failures_and_kills_are_requeued_so_often(self):
        self.submitted()
        for shard, says, code in ((1, 3, 3), (2, 4, 4), (3, 9, 137)):
            self.assertIn("scontrol requeue 99", self.element(shard, says, code))
            self.assertNotIn("scontrol requeue 99", self.element(shard, says, code))

    def test_what_was_begun_goes_on(self):
        self.submitted()
        self.assertNotIn("--resume", self.element(1, 9, 137)[0])
        self.assertIn("--resume", self.element(1, 0)[0])

    def test_only_what_is_missing_is_submitted_again(self):
        self.submitted()
        self.element(2, 1)
        self.submit(f"--retry={self.path('run')}")
        self.assertIn("--array=1,3", self.calls()[0])
        for shard in (1, 3):
            self.assertIn(f"--shard={shard}/3", self.element(shard, 0, SLURM_ARRAY_TASK_COUNT="2")[0])
        self.assertIn("all 3 shards", self.submit(f"--retry={self.path('run')}", code=2).stderr)

    def test_shards_are_as_long_as_the_earlier_run_says(self):
        folder = self.submitted()
        for shard, seconds in ((1, 1000), (2, 2500), (3, 100.5)):
            folder.note(shard, code=0, stopped=False, seconds=seconds)
        self.submit(f"--folder={self.path('next')}", f"--from={self.path('run')}", "--minutes=10", "--", "--backend=b")
        array = self.calls()[0]
        self.assertIn("--array=1-7", array)  # 3600.5 s in parts of 600
        self.assertIn("--time=30", array)
        with open(self.path("results.jsonl"), "w", encoding="utf-8") as file:
            file.write(json.dumps({"footer": {"duration_seconds": 1201}}) + "\n")
        earlier = f"--from={self.path('results.jsonl')}"
        self.submit(f"--folder={self.path('third')}", earlier, "--minutes=10", "--", "--backend=b")
        self.assertIn("--array=1-3", self.calls()[0])

    def test_device_comes_from_the_scheduler(self):
        self.submitted("--device=device=GPU")
        self.assertIn("--device-option=device=cuda:3", self.element(1, 0, GPU="cuda:3")[0])
        done = self.run_script(ELEMENT, self.path("run"), "2", code=2, SLURM_ARRAY_TASK_ID="2")
        self.assertIn("has set no GPU", done.stderr)

    def test_bad_input_gets_a_sentence(self):
        usual = [f"--folder={self.path('run')}", "--shards=2"]
        for arguments, part in (
            (usual, "--backend is needed"),
            ([*usual, "--", "--backend=b", "--shard=1/2"], "--shard=1/2"),
            ([*usual, "--device=x", "--", "--backend=b"], '"x" is not KEY=VARIABLE'),
            (usual[:1], "--shards and --from"),
            ([f"--retry={self.path('none')}"], "run.json"),
            ([*usual[:1], f"--from={self.path('none')}", "--", "--backend=b"], "no results file"),
            ([*usual[:1], "--shards=0", "--", "--backend=b"], "--shards: 0"),
        ):
            done = self.submit(*arguments, code=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(part, done.stderr)
        self.submitted()
        self.assertIn("holds a run", self.submit(*usual, "--", "--backend=b", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
