#!/usr/bin/env python3
"""A harness for tests of campaigns: takes libFuzzer's arguments and answers as it does, without any compiler.

An input is a number and reaches the edge of that number. Executions count upwards from the number of the process. What
COUNTING_CRASHES lists ends it, COUNTING_PAUSE seconds after the input is written.
"""

import hashlib
import os
import pathlib
import sys
import time

flags = dict(argument[1:].split("=", 1) for argument in sys.argv[1:] if argument.startswith("-"))
paths = [pathlib.Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
crashes = set(os.environ.get("COUNTING_CRASHES", "").split())
last_read = 0.0


def read(folder):
    files = [folder] if folder.is_file() else [p for p in folder.rglob("*") if not p.name.startswith(".")]
    return {p.read_text(errors="replace").strip() for p in files if p.is_file()}


def write(folder, prefix, text):
    name = prefix + hashlib.sha1(text.encode()).hexdigest()
    (pathlib.Path(folder) / name).write_text(text)
    return f"{folder}/{name}"


def execute(text):
    if text in crashes:
        path = paths[0]
        if path.is_dir():
            path = write(os.path.dirname(flags.get("artifact_prefix", "./")), "crash-", text)
        print(f"harness: value {text} is wrong\nPROBLEM: MaxPool-1 f32 seed={text}")
        print(f"Test unit written to {path}", flush=True)
        time.sleep(float(os.environ.get("COUNTING_PAUSE", "0")))
        sys.exit(77)


def merge():
    for text in sorted(set().union(*map(read, paths[1:])) - crashes):
        write(paths[0], "", text)


def fuzz():
    reached = set().union(*map(read, paths))
    for text in sorted(reached):
        execute(text)
    print(f"#{len(reached)} INITED cov: {len(reached)} ft: {len(reached)}", flush=True)
    executed = len(reached)
    end = time.monotonic() + float(flags.get("max_total_time", "1e9"))
    number = os.getpid() * 1000
    while executed < int(flags.get("runs", "1000000000")) and time.monotonic() < end:
        executed += 1
        number += 1
        text = str(number) if number % 7 or not crashes else sorted(crashes)[number % len(crashes)]
        reached |= read(paths[0]) if flags.get("reload", "0") != "0" and executed % 50 == 0 else {text}
        execute(text)
        write(paths[0], "", text)
        time.sleep(0.01)
    print(f"#{executed} DONE cov: {len(reached)} ft: {len(reached)}\nDone {executed} runs in 1 second(s)")
    print(f"stat::number_of_executed_units: {executed}")


if flags.get("merge"):
    merge()
else:
    fuzz()
