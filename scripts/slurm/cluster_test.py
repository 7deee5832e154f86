"""A run of eight shards on a Slurm cluster of its own, disturbed: a node dies, an element is preempted by a more
urgent job, and the backend hangs. What is merged equals an undisturbed run but for times, and nothing is left.

More often than twice: POOLPROOF_CLUSTER_RUNS=10."""

import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "shards"), os.path.join(HERE, "..", "..", "conformance", "gate")]
import loopback
from folder import RunFolder
from harness import PROGRAM, Program, Results, library, main

RUNS = int(os.environ.get("POOLPROOF_CLUSTER_RUNS", 2))
SHARDS = 8
# Long enough to be disturbed in the middle. The backend hangs in a few cases, whichever shard they are in.
ARGUMENTS = [
    f"--backend={library('poolproof_faults')}",
    "--backend-option=faults=hang where batch=26",
    "--level=quick",
    "--random=40000",
    "--no-shrink",
    "--timeout=10",
    "--jobs=1",
]


def stop_runner(cluster, node):
    """Holds the program of the element on a node where it is."""
    for pid, of in loopback.marked(cluster.folder).items():
        if of != node:
            continue
        try:
            if os.path.samefile(f"/proc/{pid}/exe", PROGRAM):
                os.kill(pid, signal.SIGSTOP)
        except OSError:
            pass


def go_on(cluster, node):
    for pid, of in loopback.marked(cluster.folder).items():
        if of == node:
            os.kill(pid, signal.SIGCONT)


class Disturbed(Program):
    def setUp(self):
        super().setUp()
        lacks = loopback.missing()
        self.assertEqual(lacks, [], f"this test needs {', '.join(lacks)}: scripts/install.sh cluster installs them")

    def test_merged_results_equal_an_undisturbed_run(self):
        self.run_program(*ARGUMENTS, f"--out={self.path('whole')}", "--no-report", code=1)
        whole = Results(self.path("whole", "results.jsonl"))
        self.assertGreater(whole.footer["counts"]["timeout"], 0)
        for number in range(RUNS):
            with loopback.Cluster() as cluster:
                self.disturb(cluster, f"run{number}", node_dies=number % 2 == 0)
            self.assertEqual(loopback.marked(cluster.folder), {})
            self.assertFalse(os.path.exists(cluster.folder))
            merged = Results(self.path(f"run{number}", "merged", "results.jsonl"))
            self.assertEqual(merged.comparable(), whole.comparable())
            print(f"run {number}: merged results equal, nothing left", flush=True)

    def disturb(self, cluster, name, node_dies):
        """With `node_dies` all that the node ran dies with it; else its slurmd alone, and its element goes on."""
        command = [
            sys.executable,
            "-B",
            os.path.join(HERE, "submit.py"),
            f"--folder={self.path(name)}",
            f"--shards={SHARDS}",
            f"--program={PROGRAM}",
            "--wait",
            "--",
            *ARGUMENTS,
        ]
        submission = subprocess.Popen(command, env=cluster.environment, stdout=subprocess.PIPE, text=True)
        self.addCleanup(submission.stdout.close)
        try:
            folder = self.opened(cluster, name)
            lost = self.hold(cluster, folder, "n1")
            cluster.kill_node("n1", node_dies)
            go_on(cluster, "n1")
            preempted = self.hold(cluster, folder, "n2", but=lost)
            cluster.tell("sbatch", "-p", "urgent", "-w", "n2", "-o", "/dev/null", "--wrap=true")
            cluster.wait_for(lambda: submission.poll() is not None, "the merge has run", 900)
        finally:
            submission.kill()
            submission.wait()
        self.assertEqual(submission.returncode, 1, self.merge_log(name) + cluster.last_words())  # the verdict
        self.assertIn(f"report: {self.path(name, 'merged', 'report.html')}", submission.stdout.read())
        self.assertTrue(os.path.exists(self.path(name, "merged", "report.html")))
        self.check_attempts(folder, lost, preempted, node_dies)

    def merge_log(self, name):
        with open(self.path(name, "logs", "merge.log"), encoding="utf-8") as file:
            return file.read()[-2000:]

    def opened(self, cluster, name):
        cluster.wait_for(lambda: os.path.exists(self.path(name, "run.json")), "the run is submitted")
        return RunFolder(self.path(name))

    def hold(self, cluster, folder, node, but=None):
        """Holds an element on a node in the middle of its shard, and says which it is."""
        held = []

        def in_the_middle():
            for shard, where in cluster.running().items():
                partial = os.path.join(folder.out(shard), "results.jsonl.partial")
                if where != node or shard == but or not os.path.exists(partial) or os.path.getsize(partial) < 1 << 17:
                    continue
                stop_runner(cluster, node)
                if not folder.is_complete(shard):
                    held.append(shard)
                    return True
                go_on(cluster, node)
            return False

        cluster.wait_for(in_the_middle, f"an element is at work on {node}")
        return held[0]

    def check_attempts(self, folder, lost, preempted, node_dies):
        """The two that were disturbed went on where they stood; no other was started twice, and no verdict again.
        One that only its slurmd was lost of may have come to its end before it was given up."""
        for shard in range(1, SHARDS + 1):
            starts = [note for note in folder.attempts(shard) if "host" in note]
            resumed = [start["resumed"] for start in starts]
            again = shard == preempted or (shard == lost and node_dies)
            usual = [False, True] if again or (shard == lost and len(starts) == 2) else [False]
            self.assertEqual(resumed, usual, (shard, lost, preempted, starts))
            self.assertEqual([start["node"] for start in starts[1:]], ["n2"] * (len(starts) - 1))


if __name__ == "__main__":
    main()
