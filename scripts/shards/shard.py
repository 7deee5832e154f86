#!/usr/bin/env python3
"""Runs one shard of a run to its end, going on where an earlier attempt stood.

    scripts/shards/shard.py FOLDER I

Exits with the code of `conformance`, 128 + N where signal N killed it. SIGTERM is handed on."""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from folder import RESULTS, Refused, RunFolder


def wait_for_earlier_attempt(folder, shard):
    """A node that the scheduler has lost may still be at work. It keeps its lock until it ends."""
    path = os.path.join(folder.out(shard), ".lock")
    if not os.path.exists(path):
        return
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"shard {shard}: an earlier attempt still runs; waiting for its end", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            pass  # a file system without locks cannot tell


def command_of(folder, shard):
    out = folder.out(shard)
    command = [folder.run["program"], *folder.run["arguments"], f"--shard={shard}/{folder.shards}", f"--out={out}"]
    if folder.run["device"]:
        key, _, variable = folder.run["device"].partition("=")
        if not os.environ.get(variable):
            raise Refused(f"--device: the scheduler has set no {variable} on {socket.gethostname()}.")
        command.append(f"--device-option={key}={os.environ[variable]}")
    begun = [*RESULTS, *(f"{name}.partial" for name in RESULTS)]
    if any(os.path.exists(os.path.join(out, name)) for name in begun):
        command.append("--resume")
    return command


class Attempt:
    """One attempt at a shard, which a signal may stop."""

    def __init__(self, folder, shard):
        self.folder, self.shard = folder, shard
        self.process, self.stopped = None, False

    def stop(self):
        self.stopped = True
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def run(self):
        if not 1 <= self.shard <= self.folder.shards:
            raise Refused(f"{self.folder.path}: has no shard {self.shard} of {self.folder.shards}.")
        wait_for_earlier_attempt(self.folder, self.shard)
        command = command_of(self.folder, self.shard)
        self.folder.note(
            self.shard,
            host=socket.gethostname(),
            node=os.environ.get("SLURMD_NODENAME", ""),
            pid=os.getpid(),
            resumed=command[-1] == "--resume",
        )
        start = time.monotonic()
        self.process = subprocess.Popen(command, cwd=self.folder.run["folder"])
        if self.stopped:
            self.stop()
        code = self.process.wait()
        code = 128 - code if code < 0 else code
        self.folder.note(self.shard, code=code, stopped=self.stopped, seconds=round(time.monotonic() - start, 2))
        return code


def main(arguments):
    if len(arguments) != 2 or not arguments[1].isdigit():
        print("usage: shard.py FOLDER I", file=sys.stderr)
        return 2
    try:
        attempt = Attempt(RunFolder(arguments[0]), int(arguments[1]))
        signal.signal(signal.SIGTERM, lambda *_: attempt.stop())
        return attempt.run()
    except Refused as problem:
        print(f"shard.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
