#!/usr/bin/env python3
"""Runs a run in shards with GNU parallel, here or on machines over ssh, and merges it.

    scripts/parallel/run.py --folder=DIR --shards=8 -- --backend=./libmine.so
    scripts/parallel/run.py --folder=DIR --shards=8 --sshlogin=1/rack1,1/rack2 -- --backend=./libmine.so
    scripts/parallel/run.py --folder=DIR --shards=8 --devices=npu:0,npu:1 --key=device -- --backend=./libmine.so
    scripts/parallel/run.py --retry=DIR --sshlogin=1/rack1

DIR, the build and this script are where all machines see them, under the same paths. With --devices each machine
runs a shard on each device at a time, which gets --device-option=KEY=DEVICE. The code is that of the merge."""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "shards"))
from folder import Refused
from options import open_folder, parse, parser_of


def make_parser():
    parser = parser_of("run.py", __doc__)
    parser.add_argument("--sshlogin", action="append", default=[], help="as of parallel, may be repeated")
    parser.add_argument("--ssh", default="", help="command instead of ssh")
    parser.add_argument("--jobs", help="shards at a time on each machine (one per device or core)")
    parser.add_argument("--devices", default="", help="names of the devices of each machine, with commas")
    parser.add_argument("--key", default="device", help="backend option that takes the device (device)")
    return parser


def parallel(options, folder):
    """The command; its log of jobs lets it leave out what has been done."""
    if shutil.which("parallel") is None:
        raise Refused("parallel: there is no GNU parallel here; it is in the package parallel.")
    command = [
        "parallel",
        "--will-cite",
        "--joblog",
        folder.at("joblog"),
        "--resume-failed",
        f"--retries={options.attempts}",
        "--results",
        folder.at("logs", "{}"),
    ]
    jobs = options.jobs or (str(len(options.devices.split(","))) if options.devices else "")
    command += [f"--jobs={jobs}"] if jobs else []
    command += ["--ssh", options.ssh] if options.ssh else []
    for login in options.sshlogin:
        command += ["--sshlogin", login]
    element = [os.path.join(HERE, "element.py"), folder.path] + ([options.devices] if options.devices else [])
    return [*command, "--quote", "python3", "-B", element[0], "{}", *element[1:]]


def main():
    try:
        options, behind = parse(make_parser(), sys.argv[1:])
        folder = open_folder(options, behind, f"{options.key}=POOLPROOF_DEVICE" if options.devices else "")
        shards = "\n".join(str(shard) for shard in range(1, folder.shards + 1))
        subprocess.run(
            parallel(options, folder),
            input=shards,
            text=True,
            check=False,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PARALLEL_HOME": folder.at("parallel")},
        )
    except Refused as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return 2
    merge = os.path.join(HERE, "..", "shards", "merge.py")
    return subprocess.run([sys.executable, "-B", merge, folder.path], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
