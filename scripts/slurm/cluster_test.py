"""A run of eight shards on a Slurm cluster of its own, disturbed: a node dies, an element is preempted by a more
urgent job, and the backend hangs. What is merged equals an undisturbed run but for times, and nothing is left.

More often than twice: POOLPROOF_CLUSTER_RUNS=10."""

import os
import re
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "conformance", "gate")]
import loopback
from harness import PROGRAM, Program, Results, library, main

RUNS = int(os.environ.get("POOLPROOF_CLUSTER_RUNS", 2))
SHARDS = 8
# Long enough to be disturbed in the middle. The backend hangs in three documented examples, whatever is drawn.
ARGUMENTS = [
    f"--backend={library('poolproof_mutants')}",
    "--backend-option=mutant=hang where rank = 4 and channels = 3 and all(size = 32)",
    *"--level=quick --random=40000 --no-shrink --timeout=4 --jobs=1".split(),
]


def shard_of(pid):
    """The shard that a process judges, 0 where it does not."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
            shard = re.search(r"--shard=(\d+)/", file.read())
        return int(shard[1]) if shard and os.path.samefile(f"/proc/{pid}/exe", PROGRAM) else 0
    except OSError:
        return 0


def hold_runner(pids, folder, but=0):
    """Stops one of these processes that has judged a part of its shard: its id and the shard, or None."""
    for pid in pids:
        shard = shard_of(pid)
        results = f"{folder}/shards/{shard}/results.jsonl"
        if (
            shard in (0, but)
            or not os.path.exists(f"{results}.partial")
            or os.path.getsize(f"{results}.partial") < 1 << 17
        ):
            continue
        os.kill(pid, signal.SIGSTOP)
        if not os.path.exists(results):
            return pid, shard
        os.kill(pid, signal.SIGCONT)
    return None


class Disturbed(Program):
    def test_merged_results_equal_an_undisturbed_run(self):
        lacks = loopback.missing()
        self.assertEqual(lacks, [], "this test needs what scripts/install.sh cluster installs")
        self.run_program(*ARGUMENTS, f"--out={self.path('whole')}", "--no-report", code=1)
        whole = Results(self.path("whole", "results.jsonl"))
        self.assertGreater(whole.footer["counts"]["timeout"], 0)
        for number in range(RUNS):
            with loopback.Cluster() as cluster:
                self.disturb(cluster, self.path(f"run{number}"), node_dies=number % 2 == 0)
            self.assertEqual(loopback.marked(cluster.folder), {})
            self.assertFalse(os.path.exists(cluster.folder))
            merged = Results(self.path(f"run{number}", "merged", "results.jsonl"))
            self.assertEqual(merged.comparable(), whole.comparable())
            print(f"run {number}: merged results equal, nothing left", flush=True)

    def disturb(self, cluster, folder, node_dies):
        """With `node_dies` all that the node ran dies with it; else its slurmd alone, and its element goes on."""
        submit = [sys.executable, "-B", os.path.join(HERE, "submit.py"), f"--folder={folder}", f"--shards={SHARDS}"]
        command = [*submit, f"--program={PROGRAM}", "--wait", "--", *ARGUMENTS]
        submission = subprocess.Popen(command, env=cluster.environment, stdout=subprocess.PIPE, text=True)
        self.addCleanup(submission.stdout.close)
        try:
            runner, lost = self.hold(cluster, folder, "n1")
            cluster.kill_node("n1", node_dies)
            if not node_dies:
                os.kill(runner, signal.SIGCONT)
            _, preempted = self.hold(cluster, folder, "n2", but=lost)
            cluster.tell("sbatch", "-p", "urgent", "-w", "n2", "-o", "/dev/null", "--wrap=true")
            cluster.wait_for(lambda: submission.poll() is not None, "the merge has run", 900)
        finally:
            submission.kill()
            submission.wait()
        with open(f"{folder}/logs/merge.log", encoding="utf-8") as file:
            self.assertEqual(submission.returncode, 1, file.read()[-2000:] + cluster.last_words())  # the verdict
        self.assertIn(f"report: {folder}/merged/report.html", submission.stdout.read())
        self.assertTrue(os.path.exists(f"{folder}/merged/report.html"))
        self.check_attempts(folder, lost, preempted, node_dies)

    def hold(self, cluster, folder, node, but=0):
        """Stops the program of an element on a node in the middle of its shard, and says which these are."""
        held = []

        def is_held():
            on_node = [pid for pid, of in loopback.marked(cluster.folder).items() if of == node]
            held.append(hold_runner(on_node, folder, but))
            return held[-1]

        cluster.wait_for(is_held, f"an element is at work on {node}")
        return held[-1]

    def check_attempts(self, folder, lost, preempted, node_dies):
        """The two that were disturbed went on where they stood; no other was started twice, and no verdict again.
        One that only its slurmd was lost of may have come to its end before it was given up."""
        for shard in range(1, SHARDS + 1):
            with open(f"{folder}/attempts/{shard}", encoding="utf-8") as file:
                starts = [line.split()[1:] for line in file if line.startswith("start")]
            again = shard == preempted or (shard == lost and (node_dies or len(starts) == 2))
            self.assertEqual(
                [begin for _, begin in starts], ["fresh", "resumed"][: 1 + again], (shard, lost, preempted)
            )
            self.assertEqual([node for node, _ in starts[1:]], ["n2"] * again)


if __name__ == "__main__":
    main()
