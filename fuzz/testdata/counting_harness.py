#!/usr/bin/env -S python3 -SE
"""A harness for tests of campaigns: takes libFuzzer's arguments and answers as it does, without any compiler.

An input is a number and reaches the edge of that number. Executions count upwards from the number of the process. An
input in COUNTING_CRASHES ends a process, COUNTING_PAUSE seconds after it is written; one in COUNTING_EXITS ends it
without being written, with its last digit as status.
"""

import hashlib
import os
import pathlib
import sys
import time

flags = dict(argument[1:].split("=", 1) for argument in sys.argv[1:] if argument.startswith("-"))
paths = [pathlib.Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
crashes, exits = (os.environ.get(f"COUNTING_{what}", "").split() for what in ("CRASHES", "EXITS"))


def read(path):
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return {p.read_text(errors="replace").strip() for p in files}


def write(folder, prefix, text):
    path = pathlib.Path(folder, prefix + hashlib.sha1(text.encode()).hexdigest())
    path.write_text(text)
    return path


def crash(text, path):
    print(os.environ.get("COUNTING_SAYS", ""))
    print(f"harness: value {text} is wrong\nPROBLEM: MaxPool-1 f32\nTest unit written to {path}", flush=True)
    time.sleep(float(os.environ.get("COUNTING_PAUSE", "0")))
    sys.exit(77)


def fuzz(reached):
    """A process for each ten executions, or until one of them ends it."""
    end = time.monotonic() + float(flags["max_total_time"])
    number, executed = os.getpid() * 1000, 0
    odd = crashes + exits
    while time.monotonic() < end:
        before, count, text = len(reached), 0, ""
        while count < 10 and text not in odd:
            count, number = count + 1, number + 1
            text = odd[number % len(odd)] if odd and number % 7 == 0 else str(number)
            if text not in odd:
                reached.add(text)
                write(paths[0], "", text)
            time.sleep(0.01)
        executed += 0 if text in exits else count
        print(f"#{executed}: cov: {before} ft: {before} corp: {before}", flush=True)
        if text in crashes:
            crash(text, write(os.path.dirname(flags["artifact_prefix"]), "crash-", text))
        if text in exits and int(text) % 10:
            sys.exit(int(text) % 10)


inputs = set().union(*map(read, paths))
if flags.get("merge"):
    left = inputs - set(crashes)
    for one in left:
        write(paths[0], "", one)
    print(f"MERGE-OUTER: {len(left)} new files with {len(left)} new features added; {len(left)} new coverage edges")
elif flags.get("minimize_crash"):
    pathlib.Path(flags["exact_artifact_path"]).write_text(min(crashes, key=lambda text: (len(text), text)))
elif flags.get("fork"):
    fuzz(inputs - set(crashes))
elif "wrong" in os.environ.get("POOLPROOF_BACKEND_OPTIONS", ""):
    crash("7", paths[0])
elif len(paths) == 1 and paths[0].is_file():
    if inputs & set(crashes):
        crash(inputs.pop(), paths[0])
    print(f"Executed {paths[0]} in 0 ms")
else:
    print("Done 1 runs in 0 second(s)")
