#!/usr/bin/env python3
"""The backend harness of an ordinary build under libFuzzer's arguments: a campaign with it replays the seeds until
one of them ends it."""

import hashlib
import os
import pathlib
import re
import subprocess
import sys

flags = dict(argument[1:].split("=", 1) for argument in sys.argv[1:] if argument.startswith("-"))
paths = [argument for argument in sys.argv[1:] if not argument.startswith("-")] or [os.devnull]
if "minimize_crash" in flags:
    sys.exit(0)
if "merge" in flags:
    print("1 new coverage edges")
    sys.exit(0)
harness = os.environ["POOLPROOF_BUILD"] + "/bin/fuzz_backend"
done = subprocess.run([harness, *paths], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
print(done.stdout, flush=True)
if done.returncode > 0:  # it could not begin
    sys.exit(done.returncode)
print("#1: cov: 1 ft: 1 corp: 1")
if done.returncode == 0:
    print("Done 1 runs")
else:
    unit = (re.findall(r"^PROBLEM: (.*)$", done.stdout, re.MULTILINE) or [done.stdout])[-1]
    path = pathlib.Path(os.path.dirname(flags["artifact_prefix"]), f"crash-{hashlib.sha1(unit.encode()).hexdigest()}")
    path.write_text(unit)
    print(f"Test unit written to {path}")
    sys.exit(77)
