"""The folder of a run in shards: what is run, and what became of each shard.

run.json              shards, program, arguments, device; written once, when the run is submitted
ids                   what the scheduler called each submission, a line each
shards/I/             results of shard I, as `conformance --out` writes them
logs/                 what each shard and the merge printed
attempts/I.jsonl      a line for each time that shard I was started, and one for each end that was seen
merged/               results and report of the whole run
"""

import collections
import json
import os
import subprocess
import time

# 3 and 4: the backend or the runner could not go on. From 128: killed. The others are final: 0 and 1 are
# verdicts, and 2 is the same mistake the next time.
RETRIED = (3, 4)
# What a run is complete with, the second with --compress.
RESULTS = ("results.jsonl", "results.jsonl.zst")


def is_retried(code):
    return code in RETRIED or code >= 128


class Refused(Exception):
    """One sentence on what is wrong with what was asked."""


class RunFolder:
    """A run in shards."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        try:
            with open(self.at("run.json"), encoding="utf-8") as file:
                self.run = json.load(file)
        except (OSError, ValueError) as problem:
            raise Refused(f"{self.at('run.json')}: cannot be read: {problem}.") from problem

    @classmethod
    def create(cls, path, shards, program, arguments, device=""):
        """A new folder. `device` is KEY=VARIABLE: the backend option KEY is what that variable holds."""
        check_arguments(arguments)
        program = os.path.abspath(program)
        if not os.access(program, os.X_OK):
            raise Refused(f"--program: {program} is no program; build it, or name another.")
        if device and not all(device.partition("=")):
            raise Refused(f'--device: "{device}" is not KEY=VARIABLE, for example device=CUDA_VISIBLE_DEVICES.')
        path = os.path.abspath(path)
        if os.path.exists(os.path.join(path, "run.json")):
            raise Refused(f"--folder: {path} holds a run; take another, or --retry={path} for the shards it lacks.")
        for name in ("shards", "logs", "attempts"):
            os.makedirs(os.path.join(path, name), exist_ok=True)
        run = {"shards": shards, "program": program, "arguments": arguments, "device": device, "folder": os.getcwd()}
        with open(os.path.join(path, "run.json"), "w", encoding="utf-8") as file:
            json.dump(run, file, indent=1)
        return cls(path)

    def at(self, *parts):
        return os.path.join(self.path, *parts)

    @property
    def shards(self):
        return self.run["shards"]

    def out(self, shard):
        return self.at("shards", str(shard))

    def is_complete(self, shard):
        return any(os.path.exists(os.path.join(self.out(shard), name)) for name in RESULTS)

    def missing(self):
        return [shard for shard in range(1, self.shards + 1) if not self.is_complete(shard)]

    def note(self, shard, **values):
        """One line, written at once, so that it is whole whoever is killed."""
        line = json.dumps({"time": round(time.time(), 1), **values}) + "\n"
        with open(self.at("attempts", f"{shard}.jsonl"), "a", encoding="utf-8") as file:
            file.write(line)

    def attempts(self, shard):
        try:
            with open(self.at("attempts", f"{shard}.jsonl"), encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            return []

    def failures(self, shard):
        """Attempts that ended so that another one is worth it, but for those that somebody stopped."""
        return sum(is_retried(note.get("code", 0)) and not note["stopped"] for note in self.attempts(shard))

    def seconds(self):
        """What all shards have taken, as far as their ends were seen."""
        return sum(note.get("seconds", 0) for shard in range(1, self.shards + 1) for note in self.attempts(shard))


def check_arguments(arguments):
    for argument in arguments:
        for option in ("--shard", "--out", "--resume"):
            if argument == option or argument.startswith(option + "="):
                raise Refused(f"{argument}: is set for each shard; leave it out.")
    if not any(argument.startswith("--backend") for argument in arguments):
        raise Refused("--backend is needed behind --, for example -- --backend=./libmine.so --level=full.")


def last_line(path):
    if path.endswith(".zst"):
        with subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as zstd:
            return collections.deque(zstd.stdout, maxlen=1)[0]
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - (1 << 20)))
        return file.read().splitlines()[-1]


def seconds_of(path):
    """Seconds of work in an earlier run: its folder, or a results file."""
    if os.path.exists(os.path.join(path, "run.json")):
        return RunFolder(path).seconds()
    if os.path.isdir(path):
        found = [name for name in RESULTS if os.path.exists(os.path.join(path, name))]
        path = os.path.join(path, found[0] if found else RESULTS[0])
    try:
        return json.loads(last_line(path))["footer"]["duration_seconds"]
    except (OSError, ValueError, KeyError, IndexError) as problem:
        raise Refused(f"--from: {path} is no results file of a run that has ended.") from problem


def shards_for(path, minutes, most=10000):
    """How many shards of so many minutes the work of an earlier run makes."""
    seconds = seconds_of(path)
    if seconds <= 0:
        raise Refused(f"--from: no shard of {path} has ended, so nothing is known of its time.")
    return max(1, min(most, -int(-seconds // (60 * minutes))))
