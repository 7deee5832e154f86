"""The commands of docs/scale.md for GNU parallel: what fails is run again, verdicts are not, each device has one shard.

A machine dies in the middle of a shard, and the backend hangs: what is merged equals an undisturbed run. More often
than once: POOLPROOF_CLUSTER_RUNS=10."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from scale_test import PAGE, ROOT, block

sys.path.insert(0, os.path.join(ROOT, "scripts", "slurm"))
from cluster_test import ARGUMENTS as HANGING
from cluster_test import hold_runner
from harness import MUTANTS, PROGRAM, Program, Results, children, library, main, text_of, wait_until
from loopback import kill, missing

RUNS = int(os.environ.get("POOLPROOF_CLUSTER_RUNS", 1))
TEXT = block("| parallel ")
MACHINES = re.search(r"--sshlogin \S+", TEXT)[0]
WRONG = [f"--backend={library(MUTANTS)}", "--level=documented"]
OPTION = "--backend-option=mutant=index-counts-from-one"

# The program, but that it notes how it is called, and fails for shard 2 as long as there is a file "broken".
CALLED = """#!/bin/sh
echo "$@" >> {folder}/calls
case "$@" in *--shard=2/*) [ ! -e {folder}/broken ] || exit 4 ;; esac
exec {program} "$@"
"""
# Stands for ssh: runs what it is told to on this machine, and not for a machine that is dead. As after a login there is
# a SHELL, without which parallel runs nothing and says nothing, and the home folder is the current one, to which
# parallel names the folders below it relative.
SSH = """#!/bin/sh
machine=$1
[ ! -e {folder}/dead-$machine ] || exit 255
echo $$ >> {folder}/on-$machine
shift 2  # and --
cd || cd /
SHELL=/bin/sh exec sh -c "$*"
"""


def below(pid):
    """All that a process has started, and what those have."""
    return [each for child in children(pid) for each in (child, *below(child))]


class Parallel(Program):
    def setUp(self):
        super().setUp()
        self.assertEqual(missing(), [], "this test needs what scripts/install.sh cluster installs")
        for name, text in (("conformance", CALLED), ("ssh", SSH)):
            self.write(name, text.format(folder=self.folder, program=PROGRAM))
            os.chmod(self.path(name), 0o755)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_shards(self, *arguments, code, machines=MACHINES):
        """The commands of the page with these arguments of the program."""
        self.assertEqual(TEXT.count("--backend=./libmine.so"), 1)
        text = re.sub(r"\bconformance\b", self.path("conformance"), TEXT).replace(MACHINES, machines)
        text = text.replace("--backend=./libmine.so", " ".join(f'"{argument}"' for argument in arguments))
        variables = {"PARALLEL": "--will-cite", "PARALLEL_SSH": self.path("ssh")}
        environment = {**os.environ, "PARALLEL_HOME": self.path("home"), **variables}
        done = subprocess.run(
            ["bash", "-c", text], cwd=self.folder, env=environment, text=True, capture_output=True, timeout=1200
        )
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        return done

    def calls(self):
        return [line for line in text_of(self.path("calls")).splitlines() if "--shard=" in line]

    def shards_called(self):
        return sorted(int(re.search(r"--shard=(\d+)/8", line)[1]) for line in self.calls())

    def jobs(self):
        """Rows of the log of parallel: number, host, start, time, ..."""
        return [line.split("\t") for line in text_of(self.path("jobs.log")).splitlines()[1:]]

    def check_merged(self, whole):
        self.assertEqual(Results(self.path("merged", "results.jsonl")).comparable(), whole.comparable())

    def test_failed_shards_alone_are_run_again(self):
        self.write("broken", "")
        done = self.run_shards(*WRONG, OPTION, machines="", code=2)
        self.assertIn("shard 2 of the 8 of this run is missing", done.stderr)
        self.assertEqual(self.shards_called(), [1, *[2] * 5, 3, 4, 5, 6, 7, 8])
        os.remove(self.path("broken"))
        os.remove(self.path("calls"))
        self.run_shards(*WRONG, OPTION, machines="", code=1)
        self.assertEqual(self.shards_called(), [2])
        self.check_merged(self.gate(MUTANTS, OPTION, "--level=documented", out="whole", code=1)[1])

    def test_each_device_has_one_shard_at_a_time(self):
        said = r"`(--jobs 2)` in place of `--sshlogin`, and `(--device-option=)device=npu:{%}`"
        jobs, option = re.search(said, PAGE).groups()
        names = ("index-counts-from-one", "kernel-reversed")
        device = f"{option}mutant=$(echo {' '.join(names)} | cut -d\\  -f{{%}})"
        self.run_shards(*WRONG, device, machines=jobs, code=1)
        spans = {}
        for row in self.jobs():
            (used,) = Results(self.path("shards", row[0], "results.jsonl")).header["device_options"]
            spans.setdefault(used, []).append((float(row[2]), float(row[2]) + float(row[3])))
        self.assertEqual(set(spans), {f"mutant={name}" for name in names})
        for times in map(sorted, spans.values()):
            self.assertTrue(all(a[1] <= b[0] + 0.01 for a, b in zip(times, times[1:])), spans)

    def test_a_machine_that_dies_and_a_backend_that_hangs_change_nothing(self):
        self.run_program(*HANGING, f"--out={self.path('whole')}", "--no-report", code=1)
        whole = Results(self.path("whole", "results.jsonl"))
        self.assertGreater(whole.footer["counts"]["timeout"], 0)
        dying, other = re.findall(r"1/(\w+)", MACHINES)
        for number in range(RUNS):
            for left in ("shards", "merged", "jobs.log", "calls", f"dead-{dying}", f"on-{dying}", f"on-{other}"):
                subprocess.run(["rm", "-rf", self.path(left)], check=True)
            with ThreadPoolExecutor(1) as pool:
                done = pool.submit(self.run_shards, *HANGING, code=1)
                lost = self.kill_machine(dying, done)
            done.result()
            self.assertIn(other, {row[1] for row in self.jobs()})
            self.check_merged(whole)
            starts = [call for call in self.calls() if f"--shard={lost}/8 " in call]
            self.assertEqual(["--resume" in call for call in starts], [False, True])
            print(f"run {number}: merged results equal", flush=True)

    def kill_machine(self, machine, done):
        """All that a machine runs, in the middle of a shard, which is returned."""
        held = []

        def is_held():
            held.append(hold_runner(self.processes_on(machine), self.folder))
            return held[-1] or done.done()

        wait_until(is_held, 900)
        self.assertIsNotNone(held[-1], done.done() and done.result())
        self.write(f"dead-{machine}", "")
        for pid in self.processes_on(machine):
            kill(pid)
        return held[-1][1]

    def processes_on(self, machine):
        """What the stand-in for ssh has started, the ids of what has ended being those of others by now."""
        found = []
        noted = self.path(f"on-{machine}")
        for pid in text_of(noted).split() if os.path.exists(noted) else []:
            if os.path.realpath(f"/proc/{pid}/cwd") == self.folder:
                found += [int(pid), *below(int(pid))]
        return found


if __name__ == "__main__":
    main()
