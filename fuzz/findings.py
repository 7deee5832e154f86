"""From inputs that ended a harness to findings, and from findings to their causes.

A harness itself writes the input; the record next to it comes later. An input without a record is a seed, or is from a
campaign that was killed in between: it is run once more.
"""

import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from libfuzzer import ended_well

# A slow input is written as well, but ends nothing.
ARTIFACT = re.compile(r"^(crash|leak|oom|timeout|no-input)-[0-9a-f]{40}$")
NUMBER = re.compile(r"[-+]?\b(0x[0-9a-f.]+(p[-+]?\d+)?|\d+(\.\d+)?(e[-+]?\d+)?|nan|inf)\b")
MINIMISE_SECONDS = 5
NOT_AGAIN = "ended the harness once, but does not when it is run alone"


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
    """A digest of what findings of one cause share: what went wrong, numbers aside, where, and for which operator."""
    reason = NUMBER.sub("N", reason_of(log))
    text = "\n".join([harness, reason, line.split(" ")[0], *frames_of(log)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_atomically(path, text):
    """Whole or not at all, whatever ends the writer."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, errors="replace")
    temporary.rename(path)


def record(programs, harness, path, log, reason="", cause=""):
    """The finding that a log tells of; both are kept next to the input."""
    line = programs.problem_line(path) if harness.problems and path.stat().st_size else ""
    finding = {
        "harness": harness.name,
        "reason": reason or reason_of(log),
        "cause": cause or cause_of(harness.name, log, line),
        "line": line,
        "input": str(path),
        "size": path.stat().st_size,
    }
    write_atomically(path.with_name(f"{path.name}.log"), log)
    write_atomically(path.with_name(f"{path.name}.json"), json.dumps(finding))
    return finding


def add(programs, harness, folder, log):
    """The finding with which a campaign's process of a harness ended, which has written its input where it could."""
    written = re.findall(r"Test unit written to (\S+)", log)
    nameless = folder / f"no-input-{hashlib.sha1(log.encode(errors='replace')).hexdigest()}"
    path = pathlib.Path(written[-1]) if written else nameless
    path.touch()
    return record(programs, harness, path, log)


def look_at(programs, harness, path):
    """The finding that an input is."""
    kept = path.with_name(f"{path.name}.json")
    if kept.exists() and kept.stat().st_mtime >= path.stat().st_mtime:
        return json.loads(kept.read_text())
    status, log = programs.run(harness, path)
    return record(programs, harness, path, log, *([NOT_AGAIN] * 2 if ended_well(status, log) else []))


def findings_of(programs, harness, folder, since, jobs):
    """Those in a folder that are not older than `since`."""
    paths = sorted(p for p in folder.glob("*") if ARTIFACT.match(p.name) and p.stat().st_mtime >= since)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda path: look_at(programs, harness, path), paths))


def minimise(programs, harness, finding):
    """The finding, or a smaller one of the same cause if libFuzzer soon comes upon one."""
    path = pathlib.Path(finding["input"])
    smaller = path.with_name(f"smaller-{path.name}")
    if not path.name.startswith("crash-") or finding["cause"] == NOT_AGAIN:
        return finding
    where = [f"-max_total_time={MINIMISE_SECONDS}", f"-exact_artifact_path={smaller}"]
    programs.run(harness, "-minimize_crash=1", *where, path)
    found = look_at(programs, harness, smaller) if smaller.exists() else finding
    return min(found, finding, key=size_of) if found["cause"] == finding["cause"] else finding


def size_of(finding):
    return len(finding["line"]), finding["size"], finding["line"], finding["input"]


def by_cause(findings):
    """Lists of findings of one cause, the shortest first; the commonest cause first."""
    groups = collections.defaultdict(list)
    for finding in findings:
        groups[finding["harness"], finding["cause"]].append(finding)
    every = [sorted(group, key=size_of) for group in groups.values()]
    return sorted(every, key=lambda g: (-len(g), g[0]["input"]))


def print_cause(group, build):
    first = group[0]
    print(f"\n{first['harness']}: {first['reason']}" + (f" ({len(group)} inputs)" if len(group) > 1 else ""))
    if first["line"]:
        print(f"  conformance reproduce '{first['line']}' --backend=...")
    nameless = os.path.basename(first["input"]).startswith("no-input")
    command = f"less {first['input']}.log" if nameless else f"{build}/bin/fuzz_{first['harness']} {first['input']}"
    print(f"  {command}", flush=True)
