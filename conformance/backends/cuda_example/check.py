#!/usr/bin/env python3
"""Runs the gate on cuda_example with each mistake of the table in README.md, and compares the verdicts.

check.py BUILD: the folder of a build with -DPOOLPROOF_CUDA=ON, or any with bin/conformance and lib/libcuda_example.so.
Where compute-sanitizer and bin/cuda_example_program are there, what that says is compared as well."""

import os
import re
import shutil
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, os.pardir, "adapter"))
import gate_run

FOUND = 99  # the exit code of compute-sanitizer where it has found something
# Cases of the mistakes that need others than all: one is enough to hang in.
CASES = {"atomic-mean": ("AvgPool-1 f32 !invalid", 300), "endless": ("MaxPool-8/example-7", 0)}


def rows():
    """Mistake, verdicts and what compute-sanitizer says, of each row of the table."""
    with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as file:
        found = re.findall(r"^\| `(.*?)` \| .*? \| (.*?) \| (.*?) \|", file.read(), re.MULTILINE)
    return [(mistake, re.findall(r"`(.*?)`", verdicts), said) for mistake, verdicts, said in found]


def footer(build, backend, mistake, *options, share=1):
    """What the last line of the results says; {} where the gate did not run."""
    words, random = CASES.get(mistake, ("MaxPool-8 f32 !invalid", 300))
    command = [f"--backend-option=mistake={mistake}", f"--filter={words}", "--level=documented"]
    command += [f"--random={int(random * share)}", "--timeout=5", *options]
    lines = gate_run.lines_of(build, backend, *command)
    return lines[-1]["footer"] if lines else {}


def check_gate(build, mistake, expected, level):
    """All verdicts are in the table; the first one there is among them."""
    end = footer(build, f"{build}/lib/libcuda_example.so", mistake, "--device=nvidia", f"--isolation={level}")
    seen = {verdict: count for verdict, count in end.get("counts", {}).items() if verdict != "unsupported"}
    wrong = set(seen) - {*expected, "pass"}
    print(f"{mistake}, {level}: {seen}, processes {end.get('process_faults')}")
    return bool(seen) and not wrong and (expected[0] in seen or expected[-1] == "pass")


def check_sanitizer(build, mistake, said):
    sanitizer = f"exec compute-sanitizer --log-file=/dev/stderr --error-exitcode={FOUND}"
    end = footer(build, f"process:{sanitizer} {build}/bin/cuda_example_program", mistake, "--isolation=none", share=0.1)
    faults = end.get("process_faults", ["it did not start"])
    print(f"{mistake}, compute-sanitizer: {faults}")
    return (str(FOUND) in str(faults)) == (said == "finds it") and (said == "finds it" or not faults)


def main():
    build = os.path.abspath(sys.argv[1])
    sanitizer = shutil.which("compute-sanitizer") and os.path.exists(f"{build}/bin/cuda_example_program")
    begun, failed = time.monotonic(), []
    for mistake, expected, said in rows():
        levels = ("standard", "full") if mistake == "none" else ("standard",)
        good = [check_gate(build, mistake, expected, level) for level in levels]
        if sanitizer and said:
            good.append(check_sanitizer(build, mistake, said))
        failed += [] if all(good) else [mistake]
        sys.stdout.flush()
    print(
        f"{time.monotonic() - begun:.0f} s; "
        + (f"not as in the table: {', '.join(failed)}" if failed else "as in the table")
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
