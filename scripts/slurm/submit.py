#!/usr/bin/env python3
"""Submits a run to Slurm: an array of shards, and a job that merges them when all have ended.

    scripts/slurm/submit.py --folder=DIR --shards=8 -- --backend=./libmine.so --level=full
    scripts/slurm/submit.py --folder=DIR --from=EARLIER --minutes=30 -- --backend=./libmine.so --level=full
    scripts/slurm/submit.py --retry=DIR

What follows -- goes to `conformance`. DIR is on a file system that all nodes share, and holds

    run.json       what is run, written once
    ids            what Slurm called each submission, a line each
    shards/I/      results of shard I, as `conformance --out` writes them
    attempts/I     a line for each start of shard I, and one for each end that was seen, with code and milliseconds
    logs/          what each shard and the merge printed
    merged/        results and report of the whole run
"""

import argparse
import glob
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
PROGRAM = os.path.join(HERE, "..", "..", "build", "bin", "conformance")
WARNING_SECONDS = 60  # before the time limit, for the shard to stop and go to the queue again
MOST_SHARDS = 10000


class Refused(Exception):
    """One sentence on what is wrong with what was asked."""


def parse(arguments):
    """The options, and what stands behind --."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="submit.py (--folder DIR (--shards N | --from EARLIER) | --retry DIR) [option...] "
        "[-- argument of conformance...]",
    )
    parser.add_argument("--folder", help="new folder for results, logs and what Slurm says of jobs")
    parser.add_argument("--shards", type=int, help="number of shards")
    parser.add_argument("--from", dest="earlier", help="folder or results of an earlier run, whose time tells how many")
    parser.add_argument("--minutes", type=float, default=30, help="that a shard may take, with --from (30)")
    parser.add_argument("--retry", help="folder of a run, of which the shards without results are run again")
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--attempts", type=int, default=5, help="at a shard that fails or is killed (5)")
    parser.add_argument("--device", default="", help="KEY=VARIABLE: adds --device-option=KEY=value of VARIABLE")
    parser.add_argument("--sbatch", action="append", default=[], help="option for sbatch, may be repeated")
    parser.add_argument("--wait", action="store_true", help="wait for the merge, and exit with its code")
    own = arguments.index("--") if "--" in arguments else len(arguments)
    return parser.parse_args(arguments[:own]), arguments[own + 1 :]


def results_in(folder):
    """The results file of a run that is complete, or None."""
    path = os.path.join(folder, "results.jsonl")
    return path if os.path.exists(path) else None


def last_line(path):
    done = subprocess.run(["tail", "-n1", path], capture_output=True)
    return done.stdout


def seconds_of(path):
    """Seconds of work in an earlier run: its folder, or a results file. Attempts whose end nothing saw do not count."""
    if os.path.exists(os.path.join(path, "run.json")):
        notes = subprocess.run(["cat", *glob.glob(os.path.join(path, "attempts", "*"))], capture_output=True, text=True)
        return sum(int(line.split()[2]) for line in notes.stdout.splitlines() if not line.startswith("start")) / 1000
    try:
        return json.loads(last_line(results_in(path) or path))["footer"]["duration_seconds"]
    except (OSError, ValueError, KeyError, IndexError) as problem:
        raise Refused(f"--from: {path} is no results file of a run that has ended.") from problem


def count_shards(options):
    if options.earlier is None:
        if options.shards < 1:
            raise Refused(f"--shards: {options.shards} is no number of shards.")
        return options.shards
    seconds = seconds_of(options.earlier)
    if seconds <= 0:
        raise Refused(f"--from: no shard of {options.earlier} has ended, so nothing is known of its time.")
    return min(MOST_SHARDS, math.ceil(seconds / (60 * options.minutes)))


def check(options, behind):
    """Raises Refused unless a new run can be made of this."""
    if not options.folder or (options.shards is None) == (options.earlier is None):
        raise Refused("--folder and one of --shards and --from are needed, or --retry.")
    for argument in behind:
        if argument.partition("=")[0] in ("--shard", "--out", "--resume"):
            raise Refused(f"{argument}: is set for each shard; leave it out.")
    if not any(argument.startswith("--backend") for argument in behind):
        raise Refused("--backend is needed behind --, for example -- --backend=./libmine.so --level=full.")
    if not os.access(options.program, os.X_OK):
        raise Refused(f"--program: {options.program} is no program; build it, or name another.")
    if options.device and not re.fullmatch(r"[^=]+=[A-Za-z_]\w*", options.device):
        raise Refused(f'--device: "{options.device}" is not KEY=VARIABLE, for example device=CUDA_VISIBLE_DEVICES.')
    if os.path.exists(os.path.join(options.folder, "run.json")):
        raise Refused(f"--folder: {options.folder} holds a run; take another, or --retry it for the shards it lacks.")


def open_folder(options, behind):
    """The folder of --retry or a new one, and what is run in it."""
    folder = os.path.abspath(options.retry or options.folder or "")
    path = os.path.join(folder, "run.json")
    if options.retry:
        if options.folder or options.shards or options.earlier or behind:
            raise Refused("--retry: runs the shards as they were; it takes none of --folder, --shards, --from, --.")
        try:
            with open(path, encoding="utf-8") as file:
                return folder, json.load(file)
        except (OSError, ValueError) as problem:
            raise Refused(f"{path}: cannot be read: {problem}.") from problem
    check(options, behind)
    command = [os.path.abspath(options.program), *behind]
    run = {"shards": count_shards(options), "command": command, "device": options.device, "folder": os.getcwd()}
    for name in ("shards", "logs", "attempts"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(run, file, indent=1)
    return folder, run


def baseline_of(arguments):
    """The baseline of the shards is that of the whole as well."""
    found = re.search(r"^--baseline(=|\n).*", "\n".join(arguments), re.MULTILINE)
    return found[0].split("\n") if found else []


def indexes(shards):
    """1-3,7 for 1, 2, 3 and 7, as sbatch wants them."""
    every = set(shards)
    firsts, lasts = ([shard for shard in shards if shard + step not in every] for step in (-1, 1))
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(firsts, lasts))


def sbatch(options, run, command, *arguments, wait=False):
    """Submits a job that runs the command in the folder of the run; its id, or with `wait` its exit code."""
    if shutil.which("sbatch") is None:
        raise Refused("sbatch: there is no Slurm here; run this where jobs are submitted.")
    script = f"--wrap=cd {shlex.quote(run['folder'])} && exec {shlex.join(command)}"
    common = ["--parsable", "--requeue", "--open-mode=append", *arguments, *options.sbatch, script]
    done = subprocess.run(
        ["sbatch", *(["--wait"] if wait else []), *common],
        check=False,
        stdout=None if wait else subprocess.PIPE,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if wait:
        return done.returncode
    if done.returncode != 0:
        raise Refused(f"sbatch: refused the job with exit code {done.returncode}.")
    return done.stdout.strip().split(";")[0]


def submit(options, folder, run, shards):
    def note(line):
        with open(os.path.join(folder, "ids"), "a", encoding="utf-8") as file:
            file.write(line + "\n")

    logs = os.path.join(folder, "logs")
    array = sbatch(
        options,
        run,
        [os.path.join(HERE, "element.sh"), folder, str(run["shards"]), str(options.attempts), run["device"]]
        + run["command"],
        "--job-name=poolproof",
        f"--array={indexes(shards)}",
        f"--signal=B:USR1@{WARNING_SECONDS}",
        f"--output={logs}/%a.log",
        *([f"--time={max(5, round(3 * options.minutes))}"] if options.earlier else []),
    )
    note(f"array {array} {indexes(shards)}")
    print(f"array {array}: shards {indexes(shards)} of {run['shards']}, logs in {logs}")
    print(
        f"report: {folder}/merged/report.html, when the merge has run; shards that it lacks: --retry={folder}",
        flush=True,
    )
    program, *arguments = run["command"]
    merge = [program, "merge", f"{folder}/shards", f"--out={folder}/merged", *baseline_of(arguments)]
    about = ("--job-name=poolproof-merge", f"--dependency=afterany:{array}", f"--output={logs}/merge.log")
    if options.wait:
        note(f"merge of {array} (waited for)")
        return sbatch(options, run, merge, *about, wait=True)
    note(f"merge {sbatch(options, run, merge, *about)}")
    return 0


def main():
    try:
        options, behind = parse(sys.argv[1:])
        folder, run = open_folder(options, behind)
        every = range(1, run["shards"] + 1)
        shards = [shard for shard in every if not options.retry or not results_in(f"{folder}/shards/{shard}")]
        if not shards:
            raise Refused(f"--retry: all {run['shards']} shards of {folder} have results.")
        return submit(options, folder, run, shards)
    except Refused as problem:
        print(f"submit.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
