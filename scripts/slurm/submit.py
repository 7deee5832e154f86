#!/usr/bin/env python3
"""Submits a run to Slurm: an array of shards, and a job that merges them when all have ended.

    scripts/slurm/submit.py --folder=DIR --shards=8 -- --backend=./libmine.so --level=full
    scripts/slurm/submit.py --folder=DIR --from=EARLIER --minutes=30 -- --backend=./libmine.so --level=full
    scripts/slurm/submit.py --retry=DIR

DIR is on a file system that all nodes share. What follows -- goes to `conformance`."""

import os
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "shards"))
from folder import Refused
from options import open_folder, parse, parser_of

WARNING_SECONDS = 60  # before the time limit, for the shard to stop and go to the queue again


def make_parser():
    parser = parser_of("submit.py", __doc__)
    parser.add_argument("--device", default="", help="KEY=VARIABLE: adds --device-option=KEY=value of VARIABLE")
    parser.add_argument("--sbatch", action="append", default=[], help="option for sbatch, may be repeated")
    parser.add_argument("--wait", action="store_true", help="wait for the merge, and exit with its code")
    return parser


def indexes(shards):
    """1-3,7 for 1, 2, 3 and 7, as sbatch wants them."""
    runs = []
    for shard in shards:
        if runs and shard == runs[-1][1] + 1:
            runs[-1][1] = shard
        else:
            runs.append([shard, shard])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def sbatch(options, *arguments):
    """Submits a job and returns its id."""
    if shutil.which("sbatch") is None:
        raise Refused("sbatch: there is no Slurm here; run this where jobs are submitted.")
    done = subprocess.run(
        ["sbatch", "--parsable", *arguments[:-1], *options.sbatch, arguments[-1]],
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        raise Refused(f"sbatch: refused the job with exit code {done.returncode}.")
    return done.stdout.strip().split(";")[0]


def wrap(script, *arguments):
    return "--wrap=exec python3 -B " + " ".join(shlex.quote(str(a)) for a in (os.path.realpath(script), *arguments))


def submit(options, folder, shards):
    def note(line):
        with open(folder.at("ids"), "a", encoding="utf-8") as file:
            file.write(line + "\n")

    limit = [f"--time={max(5, round(3 * options.minutes))}"] if options.earlier else []
    array = sbatch(
        options,
        "--job-name=poolproof",
        f"--array={indexes(shards)}",
        "--requeue",
        "--open-mode=append",
        f"--signal=B:USR1@{WARNING_SECONDS}",
        f"--output={folder.at('logs', '%a.log')}",
        *limit,
        wrap(os.path.join(HERE, "element.py"), folder.path, options.attempts),
    )
    note(f"array {array} {indexes(shards)}")
    merge = [
        "--job-name=poolproof-merge",
        f"--dependency=afterany:{array}",
        "--requeue",
        "--open-mode=append",
        f"--output={folder.at('logs', 'merge.log')}",
    ]
    print(f"array {array}: shards {indexes(shards)} of {folder.shards}, logs in {folder.at('logs')}")
    print(f"report: {folder.at('merged', 'report.html')}, when the merge has run", flush=True)
    script = wrap(os.path.join(HERE, "..", "shards", "merge.py"), folder.path)
    if options.wait:
        note(f"merge of {array} (waited for)")
        return subprocess.run(
            ["sbatch", "--parsable", "--wait", *merge, *options.sbatch, script], check=False, stdin=subprocess.DEVNULL
        ).returncode
    note(f"merge {sbatch(options, *merge, script)}")
    return 0


def main():
    try:
        options, behind = parse(make_parser(), sys.argv[1:])
        folder = open_folder(options, behind, options.device)
        shards = folder.missing() if options.retry else list(range(1, folder.shards + 1))
        if not shards:
            raise Refused(f"--retry: all {folder.shards} shards of {folder.path} have results.")
        return submit(options, folder, shards)
    except Refused as problem:
        print(f"submit.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
