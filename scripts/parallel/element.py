"""One job of GNU parallel: a shard, on a device of this machine that is free.

    element.py I FOLDER [DEVICE,...]

Exits with 0 for both verdicts, so that parallel starts again only what has no verdict."""

import contextlib
import fcntl
import os
import signal
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "shards"))
from folder import Refused, RunFolder
from shard import Attempt


@contextlib.contextmanager
def free_device(folder, names):
    """The name of a device that no other shard uses on this machine; waits for one."""
    place = folder.at("devices", socket.gethostname())
    os.makedirs(place, exist_ok=True)
    while True:
        for name in names:
            with open(os.path.join(place, name.replace("/", "_")), "wb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                yield name
                return
        time.sleep(0.1)


def run(shard, folder, devices):
    attempt = Attempt(folder, shard)
    signal.signal(signal.SIGTERM, lambda *_: attempt.stop())
    if not devices:
        return attempt.run()
    with free_device(folder, devices.split(",")) as name:
        os.environ["POOLPROOF_DEVICE"] = name
        return attempt.run()


def main(shard, folder, devices=""):
    try:
        code = run(int(shard), RunFolder(folder), devices)
        return 0 if code == 1 else code
    except Refused as problem:
        print(f"element.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
