"""One element of the array: runs its shard, and goes to the queue again where that is worth it.

    element.py FOLDER ATTEMPTS

A verdict (0, 1) and a wrong usage (2) are final. 3, 4 and kills go to the queue again, ATTEMPTS times at most;
so does a shard that is warned of its time limit (USR1), and goes on where it stood. Of what ends by SIGTERM
Slurm knows itself whether it starts it again: what is preempted it does, what is cancelled not."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shards"))
from folder import Refused, RunFolder, is_retried
from shard import Attempt

KILLED_SECONDS = 120  # Slurm kills what it has put into the queue


class Element:
    """The shard of this element, and what signals said of it."""

    def __init__(self, folder, shard, attempts):
        self.folder, self.shard, self.attempts = folder, shard, attempts
        self.attempt = Attempt(folder, shard)
        self.time_is_over = self.slurm_ends_it = False
        signal.signal(signal.SIGTERM, self.on_end)
        signal.signal(signal.SIGUSR1, self.on_warning)

    def on_end(self, *_):
        self.slurm_ends_it = True
        self.attempt.stop()

    def on_warning(self, *_):
        self.time_is_over = True
        self.attempt.stop()

    def run(self):
        code = self.attempt.run()
        if self.slurm_ends_it or self.folder.is_complete(self.shard):
            return code
        if self.time_is_over:
            return self.requeue(code, "its time is over")
        if not is_retried(code):
            return code
        failures = self.folder.failures(self.shard)
        if failures < self.attempts:
            return self.requeue(code, f"exit code {code}, {failures} of {self.attempts} attempts")
        print(f"shard {self.shard}: exit code {code}, the last of {self.attempts} attempts", flush=True)
        return code

    def requeue(self, code, why):
        print(f"shard {self.shard}: to the queue again: {why}", flush=True)
        if subprocess.run(["scontrol", "requeue", os.environ["SLURM_JOB_ID"]], check=False).returncode == 0:
            time.sleep(KILLED_SECONDS)
        return code


def main(folder, attempts):
    try:
        return Element(RunFolder(folder), int(os.environ["SLURM_ARRAY_TASK_ID"]), int(attempts)).run()
    except Refused as problem:
        print(f"element.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
