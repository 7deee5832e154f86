#!/usr/bin/env python3
"""Merges the shards of a run into FOLDER/merged, or names those that are missing.

    scripts/shards/merge.py FOLDER

Exits with the code of `conformance merge`: the verdict on the whole run, or 2 where a shard is missing."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from folder import Refused, RunFolder


def baseline_of(arguments):
    """The baseline of the shards is that of the whole as well."""
    for place, argument in enumerate(arguments):
        if argument.startswith("--baseline="):
            return [argument]
        if argument == "--baseline":
            return arguments[place : place + 2]
    return []


def main(arguments):
    if len(arguments) != 1:
        print("usage: merge.py FOLDER", file=sys.stderr)
        return 2
    try:
        folder = RunFolder(arguments[0])
    except Refused as problem:
        print(f"merge.py: {problem}", file=sys.stderr)
        return 2
    done = subprocess.run(
        [
            folder.run["program"],
            "merge",
            folder.at("shards"),
            f"--out={folder.at('merged')}",
            *baseline_of(folder.run["arguments"]),
        ],
        cwd=folder.run["folder"],
        check=False,
    )
    if folder.missing():
        names = ", ".join(map(str, folder.missing()))
        print(
            f"of {folder.shards} shards these have no results: {names} (why: {folder.at('logs')}); "
            f"--retry={folder.path} runs them alone"
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
