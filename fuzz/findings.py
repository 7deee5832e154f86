"""From what a harness leaves when it ends to a finding, and from findings to their causes.

A harness itself writes the input beside which the record comes, so that an input without a record is what a worker left
that died in between: it is run once more.
"""

import collections
import hashlib
import json
import os
import pathlib
import re

# A slow input is written as well, but ends nothing.
ARTIFACT = re.compile(r"^(crash|leak|oom|timeout)-[0-9a-f]{40}$")

NUMBER = re.compile(r"[-+]?\b(0x[0-9a-f.]+(p[-+]?\d+)?|\d+(\.\d+)?(e[-+]?\d+)?|nan|inf)\b")


def reason_of(log):
    """The line that says what went wrong."""
    for pattern in (r"^PROBLEM: .*$", r"SUMMARY: .*$", r"Assertion .*$", r"^.*ERROR: .*$"):
        found = re.findall(pattern, log, re.MULTILINE)
        if found:
            before = log[: log.index(found[0])].strip().splitlines()
            return before[-1] if pattern.startswith("^PROBLEM") and before else found[0]
    return "ended without a message"


def frames_of(log):
    """The innermost functions of ours on the first stack, without those that only report."""
    frames = re.findall(
        r"^\s*#\d+ 0x[0-9a-f]+ in (\S.*?) \S*/((?:reference|optimized|conformance|reports|fuzz)/\S+?)"
        r"(?::\d+)*$",
        log,
        re.MULTILINE,
    )
    return [f"{function.split('(')[0]} {file}" for function, file in frames if "LLVMFuzzer" not in function][:2]


def cause_of(harness, log, line):
    """What is the same for findings of one cause: what went wrong, numbers aside, where, and for which operator."""
    reason = NUMBER.sub("N", reason_of(log))
    operator = line.split(" ")[0] if line else ""
    text = "\n".join([harness, reason, operator, *frames_of(log)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_atomically(path, text):
    """Whole or not at all, whoever dies."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, errors="replace")
    temporary.rename(path)


def record(harness, log, line, path):
    return {
        "harness": harness.name,
        "reason": reason_of(log),
        "line": line,
        "input": str(path or ""),
        "cause": cause_of(harness.name, log, line),
    }


class Findings:
    """The findings of one harness and worker, in a folder of their own."""

    def __init__(self, programs, harness, folder):
        self.programs = programs
        self.harness = harness
        self.folder = pathlib.Path(folder)

    def add(self, log):
        """What a run ended with, which has written its input where it could."""
        written = re.findall(r"Test unit written to (\S+)", log)
        path = pathlib.Path(written[-1]) if written else None
        line = self.programs.problem_line(path) if path and self.harness.problems else ""
        finding = record(self.harness, log, line, path)
        if path is None:
            path = self.folder / f"no-input-{hashlib.sha256(log.encode(errors='replace')).hexdigest()[:16]}"
        write_atomically(path.with_name(path.name + ".log"), log)
        write_atomically(path.with_name(path.name + ".json"), json.dumps(finding))
        return finding

    def complete(self):
        """Runs inputs without a record once more, as their worker did not come to it."""
        names = {p.name for p in self.folder.iterdir()}
        for name in sorted(n for n in names if ARTIFACT.match(n) and f"{n}.json" not in names):
            path = self.folder / name
            _, log = self.programs.run(self.programs.command(self.harness, "-rss_limit_mb=2048", path))
            line = self.programs.problem_line(path) if self.harness.problems else ""
            write_atomically(path.with_name(f"{name}.log"), log)
            write_atomically(path.with_name(f"{name}.json"), json.dumps(record(self.harness, log, line, path)))

    def all(self):
        return [
            json.loads(path.read_text()) for path in sorted(self.folder.glob("*.json")) if not path.name.startswith(".")
        ]


def by_cause(findings):
    """Lists of findings of one cause, the shortest line first; the commonest cause first."""
    groups = collections.defaultdict(list)
    for finding in findings:
        groups[finding["harness"], finding["cause"]].append(finding)
    for group in groups.values():
        group.sort(key=lambda f: (len(f["line"]), f["line"], f["input"]))
    return sorted(groups.values(), key=lambda g: (-len(g), g[0]["input"]))


def print_causes(findings):
    for group in by_cause(findings):
        first = group[0]
        print(f"\n{first['harness']}: {first['reason']}" + (f" ({len(group)} inputs)" if len(group) > 1 else ""))
        if first["line"]:
            print(f"  conformance reproduce '{first['line']}' --backend=...")
        print(f"  input: {first['input']}")
