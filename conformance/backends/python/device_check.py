#!/usr/bin/env python3
"""Runs the gate on PyTorch on a GPU of NVIDIA in each memory format, and prints verdicts and groups of failures.

device_check.py BUILD [RANDOM]: the folder of a build with bin/conformance, for a Python that has torch with CUDA; how
many random problems, 10,000 where nothing is said. It takes some minutes. Exits with 1 where a run did not take place.
"""

import os
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, os.pardir, "adapter"))
import gate_run

FORMATS = ("contiguous", "channels_last")


def table(build, memory_format, random):
    """Prints what one run found; whether it took place."""
    begun = time.monotonic()
    backend = f"process:exec {sys.executable} -B {FOLDER}/torch_device_backend.py"
    options = ["--backend-option=device=cuda", f"--backend-option=memory_format={memory_format}"]
    options += ["--profile=pytorch", "--isolation=standard", "--device=nvidia", "--level=quick", f"--random={random}"]
    lines = gate_run.lines_of(build, backend, *options)
    if not lines:
        return False
    counts = lines[-1]["footer"]["counts"]
    print(f"\n{memory_format}, {time.monotonic() - begun:.0f} s: {', '.join(f'{n} {v}' for v, n in counts.items())}")
    for group in (line for line in lines if "group" in line and "cause" in line):
        cause = group["cause"]["title"] if group["cause"] else group["message"]
        print(f"| {group['verdict']} | {group['cases']} | {cause[:90]} | {group['smallest_id']} |")
    sys.stdout.flush()
    return True


if __name__ == "__main__":
    took_place = [table(os.path.abspath(sys.argv[1]), each, (*sys.argv, "10000")[2]) for each in FORMATS]
    sys.exit(0 if all(took_place) else 1)
