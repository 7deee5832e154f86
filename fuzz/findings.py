"""From inputs that ended a harness to findings, and from findings to their causes.

A harness itself writes the input; the record next to it comes later. An input without a record is a seed, or is from a
campaign that was killed in between: it is run once more.
"""

import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import re
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from libfuzzer import ended_well

# A slow input is written as well, but ends nothing.
ARTIFACT = re.compile(r"^(crash|leak|oom|timeout|no-input)-[0-9a-f]{40}$")
NUMBER = re.compile(r"[-+]?\b(0x[0-9a-f.]+(p[-+]?\d+)?|\d+(\.\d+)?(e[-+]?\d+)?|nan|inf)\b")
MINIMISE_SECONDS = 5
KEPT_INPUTS = 20  # of one cause
KNOWN = "KNOWN CAUSE"  # what a harness says of an end that a baseline expects
HARNESS_ENDED = "ENDED IN: the harness"
NOT_AGAIN = "ended the harness once, but does not when it is run alone"


def reason_of(log):
    """The line that says what went wrong."""
    telling = r"SUMMARY: (?!libFuzzer: (?:deadly|fuzz target)).*$"  # others say less than the harness does
    for pattern in (r"^PROBLEM: .*$", telling, r"^ENDED IN: .*$", r"SUMMARY: .*$", r"Assertion .*$", r"^.*ERROR: .*$"):
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


def names_of(harness, log, line):
    """Names of the causes that a finding may have. Where a harness does not say them, one: a digest of what went
    wrong, numbers aside, where, and for which operator."""
    named = re.findall(r"^CAUSES: (.+)$", log, re.MULTILINE)
    if named:
        return named[-1].split("\t")
    reason = NUMBER.sub("N", reason_of(log))
    text = "\n".join([harness, reason, line.split(" ")[0], *frames_of(log)])
    return [hashlib.sha256(text.encode()).hexdigest()[:16]]


def write_atomically(path, text):
    """Whole or not at all, whatever ends the writer."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    temporary.write_text(text, errors="replace")
    temporary.rename(path)


def record(programs, harness, path, log, not_again=False):
    """The finding that a log tells of; both are kept next to the input."""
    line = programs.problem_line(path) if harness.problems and path.stat().st_size else ""
    finding = {
        "harness": harness.name,
        "reason": NOT_AGAIN if not_again else reason_of(log),
        "names": [NOT_AGAIN] if not_again else names_of(harness.name, log, line),
        "in_harness": HARNESS_ENDED in log,
        "line": line,
        "input": str(path),
        "size": path.stat().st_size,
    }
    write_atomically(path.with_name(f"{path.name}.log"), log)
    write_atomically(path.with_name(f"{path.name}.json"), json.dumps(finding))
    return finding


def forget(path):
    for file in (path, path.with_name(f"{path.name}.log"), path.with_name(f"{path.name}.json")):
        file.unlink(missing_ok=True)


def add(programs, harness, folder, log):
    """Keeps the finding with which a campaign's process of a harness ended, which has written its input where it could.
    A baseline's findings, and the longest of a cause of which there are many, are not kept."""
    written = re.findall(r"Test unit written to (\S+)", log)
    nameless = folder / f"no-input-{hashlib.sha1(log.encode(errors='replace')).hexdigest()}"
    path = pathlib.Path(written[-1]) if written else nameless
    if KNOWN in log:
        return forget(path)
    path.touch()
    found = record(programs, harness, path, log)
    group = next(group for group in by_cause(recorded(folder)) if found in group)
    for other in group[KEPT_INPUTS:]:
        forget(pathlib.Path(other["input"]))


def recorded(folder):
    """The findings in a folder that have been looked at. Others may add and forget some meanwhile."""
    texts = []
    for path in sorted(folder.glob("[!.]*.json")):
        with contextlib.suppress(FileNotFoundError):
            texts.append(path.read_text())
    return [json.loads(text) for text in texts]


def known_file(folder):
    """Writes what has been found so far: a line for each cause, names that it may have between tabs."""
    path = folder / "known.txt"
    groups = by_cause(recorded(folder))
    write_atomically(path, "".join("\t".join(common_names(group)) + "\n" for group in groups))
    return path


def look_at(programs, harness, path):
    """The finding that an input is."""
    kept = path.with_name(f"{path.name}.json")
    if kept.exists() and kept.stat().st_mtime >= path.stat().st_mtime:
        return json.loads(kept.read_text())
    status, log = programs.run(harness, path)
    return record(programs, harness, path, log, ended_well(status, log))


def findings_of(programs, harness, folder, since, jobs):
    """Those in a folder that are not older than `since`."""
    paths = sorted(p for p in folder.glob("*") if ARTIFACT.match(p.name) and p.stat().st_mtime >= since)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda path: look_at(programs, harness, path), paths))


def minimise(programs, harness, finding):
    """The finding, or a smaller one of the same cause if libFuzzer soon comes upon one."""
    path = pathlib.Path(finding["input"])
    smaller = path.with_name(f"smaller-{path.name}")
    if not path.name.startswith("crash-") or finding["names"] == [NOT_AGAIN]:
        return finding
    where = [f"-max_total_time={MINIMISE_SECONDS}", f"-exact_artifact_path={smaller}"]
    programs.run(harness, "-minimize_crash=1", *where, path)
    found = look_at(programs, harness, smaller) if smaller.exists() else finding
    return min(found, finding, key=size_of) if set(found["names"]) & set(finding["names"]) else finding


def size_of(finding):
    return len(finding["line"]), finding["size"], finding["line"], finding["input"]


def common_names(group):
    return sorted(set.intersection(*(set(finding["names"]) for finding in group)))


def by_cause(findings):
    """Lists of findings that may have one cause, the shortest first; the commonest cause first. Those that may have the
    fewest causes come first, and say what the others may be put to."""
    groups = []
    for finding in sorted(findings, key=lambda f: (len(f["names"]), *size_of(f))):
        fitting = (g for g in groups if g[0]["harness"] == finding["harness"] and common_names([*g, finding]))
        group = next(fitting, None)
        if group is None:
            groups.append(group := [])
        group.append(finding)
    every = [sorted(group, key=size_of) for group in groups]
    return sorted(every, key=lambda g: (-len(g), g[0]["input"]))


def print_cause(group, build):
    first = group[0]
    if first["in_harness"]:
        print(f"\n{first['harness']}: the harness itself ended, which is no finding about the library", end="")
    print(f"\n{first['harness']}: {first['reason']}" + (f" ({len(group)} inputs)" if len(group) > 1 else ""))
    names = [name for name in common_names(group) if not re.fullmatch("[0-9a-f]{16}", name)]
    if names:
        print(f"  cause: {' or '.join(names)}")
    if first["line"]:
        print(f"  conformance reproduce '{first['line']}' --backend=...")
    nameless = os.path.basename(first["input"]).startswith("no-input")
    command = f"less {first['input']}.log" if nameless else f"{build}/bin/fuzz_{first['harness']} {first['input']}"
    print(f"  {command}", flush=True)
