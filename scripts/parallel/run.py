#!/usr/bin/env python3
"""Runs a run in shards with GNU parallel, here or on machines over ssh, and merges it.

    scripts/parallel/run.py --folder=DIR --shards=8 -- --backend=./libmine.so
    scripts/parallel/run.py --folder=DIR --shards=8 --sshlogin=1/rack1,1/rack2 -- --backend=./libmine.so
    scripts/parallel/run.py --folder=DIR --shards=8 --devices=npu:0,npu:1 --key=device -- --backend=./libmine.so
    scripts/parallel/run.py --retry=DIR --sshlogin=1/rack1

DIR, the build and this script are where all machines see them, under the same paths. With --devices each machine
runs a shard on each device at a time, which gets --device-option=KEY=DEVICE. The code is that of the merge."""

import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "shards"))
from folder import Refused, RunFolder, shards_for


def parse(arguments):
    own, behind = arguments, []
    if "--" in arguments:
        own, behind = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="run.py (--folder DIR (--shards N | --from EARLIER) | --retry DIR) "
                                           "[option...] [-- argument of conformance...]")
    parser.add_argument("--folder", help="new folder for results, logs and the log of jobs")
    parser.add_argument("--shards", type=int, help="number of shards")
    parser.add_argument("--from", dest="earlier", help="folder or results of an earlier run, whose time tells how many")
    parser.add_argument("--minutes", type=float, default=30, help="that a shard may take, with --from (30)")
    parser.add_argument("--retry", help="folder of a run, of which the shards that failed are run again")
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "build", "bin", "conformance"))
    parser.add_argument("--sshlogin", action="append", default=[], help="as of parallel, may be repeated")
    parser.add_argument("--ssh", default="", help="command instead of ssh")
    parser.add_argument("--jobs", help="shards at a time on each machine (one per device or core)")
    parser.add_argument("--devices", default="", help="names of the devices of each machine, with commas")
    parser.add_argument("--key", default="device", help="backend option that takes the device (device)")
    parser.add_argument("--attempts", type=int, default=5, help="at a shard that fails or is killed (5)")
    return parser.parse_args(own), behind


def open_folder(options, behind):
    if options.retry:
        if options.folder or options.shards or options.earlier or behind:
            raise Refused("--retry: runs the shards as they were; it takes none of --folder, --shards, --from, --.")
        return RunFolder(options.retry)
    if not options.folder or (options.shards is None) == (options.earlier is None):
        raise Refused("--folder and one of --shards and --from are needed, or --retry.")
    shards = options.shards if options.earlier is None else shards_for(options.earlier, options.minutes)
    if shards < 1:
        raise Refused(f"--shards: {shards} is no number of shards.")
    device = f"{options.key}=POOLPROOF_DEVICE" if options.devices else ""
    return RunFolder.create(options.folder, shards, options.program, behind, device)


def parallel(options, folder):
    """The command; its log of jobs lets it leave out what has been done."""
    if shutil.which("parallel") is None:
        raise Refused("parallel: there is no GNU parallel here; it is in the package parallel.")
    command = ["parallel", "--will-cite", "--joblog", folder.at("joblog"), "--resume-failed",
               f"--retries={options.attempts}", "--results", folder.at("logs", "{}")]
    jobs = options.jobs or (str(len(options.devices.split(","))) if options.devices else "")
    command += [f"--jobs={jobs}"] if jobs else []
    command += ["--ssh", options.ssh] if options.ssh else []
    for login in options.sshlogin:
        command += ["--sshlogin", login]
    element = [os.path.join(HERE, "element.py"), folder.path] + ([options.devices] if options.devices else [])
    return [*command, "--quote", "python3", "-B", element[0], "{}", *element[1:]]


def main():
    try:
        options, behind = parse(sys.argv[1:])
        folder = open_folder(options, behind)
        shards = "\n".join(str(shard) for shard in range(1, folder.shards + 1))
        subprocess.run(parallel(options, folder), input=shards, text=True, check=False, stdout=subprocess.DEVNULL,
                       env={**os.environ, "PARALLEL_HOME": folder.at("parallel")})
    except Refused as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return 2
    merge = os.path.join(HERE, "..", "shards", "merge.py")
    return subprocess.run([sys.executable, "-B", merge, folder.path], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
