#!/usr/bin/env python3
"""Submits a run to Slurm: an array of shards, and a job that merges them when all have ended.

    scripts/slurm/submit.py --folder=DIR --shards=8 -- --backend=./libmine.so --level=full
    scripts/slurm/submit.py --folder=DIR --from=EARLIER --minutes=30 -- --backend=./libmine.so --level=full
    scripts/slurm/submit.py --retry=DIR

DIR is on a file system that all nodes share. What follows -- goes to `conformance`."""

import argparse
import os
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "shards"))
from folder import Refused, RunFolder, shards_for

WARNING_SECONDS = 60  # before the time limit, for the shard to stop and go to the queue again


def parse(arguments):
    own, behind = arguments, []
    if "--" in arguments:
        own, behind = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="submit.py (--folder DIR (--shards N | --from EARLIER) | --retry DIR) "
                                           "[option...] [-- argument of conformance...]")
    parser.add_argument("--folder", help="new folder for results, logs and ids")
    parser.add_argument("--shards", type=int, help="number of shards")
    parser.add_argument("--from", dest="earlier", help="folder or results of an earlier run, whose time tells how many")
    parser.add_argument("--minutes", type=float, default=30, help="that a shard may take, with --from (30)")
    parser.add_argument("--retry", help="folder of a run, of which the shards without results are submitted again")
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "build", "bin", "conformance"))
    parser.add_argument("--device", default="", help="KEY=VARIABLE: adds --device-option=KEY=value of VARIABLE")
    parser.add_argument("--sbatch", action="append", default=[], help="option for sbatch, may be repeated")
    parser.add_argument("--attempts", type=int, default=5, help="at a shard that fails or is killed (5)")
    parser.add_argument("--wait", action="store_true", help="wait for the merge, and exit with its code")
    return parser.parse_args(own), behind


def open_folder(options, behind):
    """The folder, and which of its shards to run."""
    if options.retry:
        if options.folder or options.shards or options.earlier or behind:
            raise Refused("--retry: runs the shards as they were; it takes none of --folder, --shards, --from, --.")
        folder = RunFolder(options.retry)
        if not folder.missing():
            raise Refused(f"--retry: all {folder.shards} shards of {folder.path} have results.")
        return folder, folder.missing()
    if not options.folder or (options.shards is None) == (options.earlier is None):
        raise Refused("--folder and one of --shards and --from are needed, or --retry.")
    shards = options.shards if options.earlier is None else shards_for(options.earlier, options.minutes)
    if shards < 1:
        raise Refused(f"--shards: {shards} is no number of shards.")
    folder = RunFolder.create(options.folder, shards, options.program, behind, options.device)
    return folder, list(range(1, shards + 1))


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
    done = subprocess.run(["sbatch", "--parsable", *arguments[:-1], *options.sbatch, arguments[-1]], check=False,
                          stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
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
    array = sbatch(options, "--job-name=poolproof", f"--array={indexes(shards)}", "--requeue", "--open-mode=append",
                   f"--signal=B:USR1@{WARNING_SECONDS}", f"--output={folder.at('logs', '%a.log')}", *limit,
                   wrap(os.path.join(HERE, "element.py"), folder.path, options.attempts))
    note(f"array {array} {indexes(shards)}")
    merge = ["--job-name=poolproof-merge", f"--dependency=afterany:{array}", "--requeue", "--open-mode=append",
             f"--output={folder.at('logs', 'merge.log')}"]
    print(f"array {array}: shards {indexes(shards)} of {folder.shards}, logs in {folder.at('logs')}")
    print(f"report: {folder.at('merged', 'report.html')}, when the merge has run", flush=True)
    script = wrap(os.path.join(HERE, "..", "shards", "merge.py"), folder.path)
    if options.wait:
        note(f"merge of {array} (waited for)")
        return subprocess.run(["sbatch", "--parsable", "--wait", *merge, *options.sbatch, script], check=False,
                              stdin=subprocess.DEVNULL).returncode
    note(f"merge {sbatch(options, *merge, script)}")
    return 0


def main():
    try:
        options, behind = parse(sys.argv[1:])
        return submit(options, *open_folder(options, behind))
    except Refused as problem:
        print(f"submit.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
