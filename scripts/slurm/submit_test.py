"""What becomes of a shard by its exit code, and what is handed to Slurm, by programs that note what they are told."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

# Ends with the code in the file "code", or by signal 9; writes results where it is to.
PROGRAM = """#!/bin/sh
echo "$@" >> {folder}/calls
code=$(cat {folder}/code)
for argument; do case $argument in --out=*) out=${{argument#--out=}} ;; esac; done
mkdir -p "$out"
case $code in 0|1) touch "$out/results.jsonl" ;; 9) touch "$out/results.jsonl.partial"; kill -9 $$ ;; esac
exit "$code"
"""
# Waits to be stopped, which it says, as a runner does that has got a signal.
WAITING = """#!/bin/sh
echo "$@" >> {folder}/calls
trap 'exit 4' TERM
kill -{signal} $PPID
while :; do sleep 0.01; done
"""
# sbatch notes and runs nothing; what it was to run is in its last argument.
SBATCH = """#!/bin/sh
for wrapped; do :; done
echo "$@" >> {folder}/calls
echo "${{wrapped#--wrap=}}" >> {folder}/jobs
echo 17
"""
SCONTROL = '#!/bin/sh\necho "scontrol $@" >> {folder}/calls\nexit 1\n'


class Shards(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="poolproof-test-"))
        for name, text in (("program", PROGRAM), ("sbatch", SBATCH), ("scontrol", SCONTROL)):
            self.write(name, text.format(folder=self.folder))

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), 0o755)

    def run_command(self, *command, code=0, **variables):
        path = self.folder + os.pathsep + os.environ["PATH"]
        environment = {**os.environ, "PATH": path, **variables}
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def submit(self, *arguments, code=0):
        program = f"--program={self.path('program')}"
        return self.run_command(sys.executable, "-B", os.path.join(HERE, "submit.py"), program, *arguments, code=code)

    def calls(self, name="calls"):
        """What has been called since this was asked last."""
        with open(self.path(name), "r+", encoding="utf-8") as file:
            lines = file.read().splitlines()
            file.truncate(0)
        return lines

    def submitted(self, *arguments):
        self.submit(f"--folder={self.path('run')}", "--shards=3", "--attempts=2", *arguments, "--", "--backend=b c")
        self.job, self.merge = self.calls("jobs")
        self.calls()

    def element(self, shard, says, code=None, **variables):
        """What is called by the job that was submitted for a shard, where the program ends as it says."""
        self.write("code", str(says))
        variables = {"SLURM_ARRAY_TASK_ID": str(shard), "SLURM_JOB_ID": "99", **variables}
        self.said = self.run_command("sh", "-c", self.job, code=says if code is None else code, **variables)
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

    def test_the_merge_has_the_baseline_of_the_shards(self):
        for baseline in (["--baseline=a b"], ["--baseline", "a b"]):
            folder = self.path("run" + str(len(baseline)))
            self.submit(f"--folder={folder}", "--shards=2", "--", "--backend=b", *baseline)
            self.write("code", "0")
            self.run_command("sh", "-c", self.calls("jobs")[1])
            merge = f"merge {folder}/shards --out={folder}/merged {' '.join(baseline)}"
            self.assertEqual(self.calls()[-1], merge)

    def test_verdicts_and_wrong_usage_are_final(self):
        self.submitted()
        for shard, code in ((1, 0), (2, 1), (3, 2)):
            out = self.path("run", "shards", str(shard))
            self.assertEqual(self.element(shard, code), [f"--backend=b c --shard={shard}/3 --out={out}"])

    def test_failures_and_kills_are_requeued_so_often(self):
        self.submitted()
        for shard, says, code in ((1, 3, 3), (2, 4, 4), (3, 9, 137)):
            self.assertIn("scontrol requeue 99", self.element(shard, says, code))
            self.assertNotIn("scontrol requeue 99", self.element(shard, says, code))
            self.assertIn("the last of 2 attempts", self.said.stdout)

    def test_what_is_stopped_is_no_failure(self):
        """A warning of the time limit leads to the queue however often; after SIGTERM it is Slurm that decides."""
        self.submitted()
        for signal, requeued in (("USR1", True), ("TERM", False)):
            self.write("program", WAITING.format(folder=self.folder, signal=signal))
            for _ in range(3):
                self.assertEqual("scontrol requeue 99" in self.element(1, 4), requeued)

    def test_what_was_begun_goes_on(self):
        self.submitted()
        self.assertNotIn("--resume", self.element(1, 9, 137)[0])
        self.assertIn("--resume", self.element(1, 0)[0])

    def test_an_earlier_attempt_is_waited_for(self):
        self.submitted()
        os.makedirs(self.path("run", "shards", "1"))
        lock = self.path("run", "shards", "1", ".lock")
        earlier = subprocess.Popen(["flock", lock, "sh", "-c", "echo; sleep 0.5"], stdout=subprocess.PIPE)
        earlier.stdout.readline()
        self.element(1, 0)
        self.assertIn("waiting for its end", self.said.stdout)
        self.assertEqual(earlier.poll(), 0)
        earlier.communicate()

    def test_only_what_is_missing_is_submitted_again(self):
        self.submitted()
        self.element(2, 1)
        self.submit(f"--retry={self.path('run')}")
        self.assertIn("--array=1,3", self.calls()[0])
        for shard in (1, 3):
            self.assertIn(f"--shard={shard}/3", self.element(shard, 0, SLURM_ARRAY_TASK_COUNT="2")[0])
        self.assertIn("all 3 shards", self.submit(f"--retry={self.path('run')}", code=2).stderr)

    def test_shards_are_as_long_as_the_earlier_run_says(self):
        self.submitted()
        for shard, milliseconds in ((1, 1_000_000), (2, 2_500_000), (3, 100_500)):
            self.write(f"run/attempts/{shard}", f"start n1 fresh\nended 0 {milliseconds}\n")
        self.submit(f"--folder={self.path('next')}", f"--from={self.path('run')}", "--minutes=10", "--", "--backend=b")
        array = self.calls()[0]
        self.assertIn("--array=1-7", array)  # 3600.5 s in parts of 600
        self.assertIn("--time=30", array)
        self.write("results.jsonl", json.dumps({"footer": {"duration_seconds": 1201}}) + "\n")
        for number, earlier in enumerate((self.path("results.jsonl"), self.folder)):
            folder = f"--folder={self.path(f'third{number}')}"
            self.submit(folder, f"--from={earlier}", "--minutes=10", "--", "--backend=b")
            self.assertIn("--array=1-3", self.calls()[0])

    def test_time_is_noted(self):
        self.submitted()
        self.element(1, 0)
        with open(self.path("run", "attempts", "1"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"^start  fresh\nended 0 \d+\n$")

    def test_device_comes_from_the_scheduler(self):
        self.submitted("--device=device=GPU")
        self.assertIn("--device-option=device=cuda:3", self.element(1, 0, GPU="cuda:3")[0])
        self.write("calls", "")
        self.assertEqual(self.element(2, 0, code=2), [])
        self.assertIn("has set no GPU", self.said.stderr)

    def test_bad_input_gets_a_sentence(self):
        usual = [f"--folder={self.path('run')}", "--shards=2"]
        for arguments, part in (
            (usual, "--backend is needed"),
            ([*usual, "--", "--backend=b", "--shard=1/2"], "--shard=1/2"),
            ([*usual, "--device=x", "--", "--backend=b"], '"x" is not KEY=VARIABLE'),
            ([*usual, "--program=none", "--", "--backend=b"], "none is no program"),
            (usual[:1], "--shards and --from"),
            ([f"--retry={self.path('none')}"], "run.json"),
            ([f"--retry={self.path('none')}", "--shards=2"], "--retry: runs the shards as they were"),
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
