"""The survey as a Markdown page, from the results files of all backends and the triage made by hand.

Reads nothing but results.jsonl (conformance/format/FORMAT.md) and triage.json. Every discrepancy has to match an
entry of the triage; groups of those that do not are listed as untriaged.
"""

import collections
import dataclasses
import json
import re

UNTRIAGED = {"class": "**untriaged**", "what": ""}

# Verdicts that are no discrepancy of the backend.
CALM = ("pass", "unsupported", "deviates")

# Entries of the ledger that a library reads in one way. Some of their readings reject calls, or shift
# windows, as a defect may.
ONE_WAY = ("pads-required", "pads-ignored", "same-stride")

# How the message of a group begins whose smallest problem merely deviates.
READING = "The result is that of another reading"


@dataclasses.dataclass
class Run:
    """One results file, with the cases reduced to what the page needs."""

    name: str
    header: dict
    footer: dict
    groups: dict  # by number
    discrepancies: list  # the cases with a verdict that is not calm
    deviations: collections.Counter  # "entry=reading" -> cases
    reasons: collections.Counter  # why cases are unsupported -> cases

    def version(self):
        return self.header["backend"]["version"]

    def counts(self):
        return self.footer["counts"]


def shorten(message):
    """A reason without the parts that differ from case to case: names with numbers, shapes."""
    message = re.sub(r"\([^()]*\[[^()]*\]\)|\[[\d,x ]*\]", "", message)
    message = re.sub(r"\s+", " ", message)
    return re.sub(r"\d+", "N", message).strip()[:200]


def read_run(name, path):
    """Reads one results file. Raises ValueError if it has no footer."""
    run = Run(name, {}, {}, {}, [], collections.Counter(), collections.Counter())
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            _add(run, json.loads(line))
    if not run.footer:
        raise ValueError(f"{path} has no footer: the run was not completed")
    return run


def _add(run, record):
    if "poolproof_results" in record:
        run.header = record
    elif "footer" in record:
        run.footer = record["footer"]
    elif "group" in record and "verdict" in record and "cases" in record:
        run.groups[record["group"]] = record
    elif record.get("alike") == "unsupported":
        run.reasons[shorten(record.get("message", "no reason given"))] += record["cases"]
    elif "n" in record:
        _add_case(run, record)


def _add_case(run, case):
    for entry, reading in case.get("deviates", {}).items():
        run.deviations[f"{entry}={reading}"] += 1
    if case["verdict"] == "unsupported":
        run.reasons[shorten(case.get("message", "no reason given"))] += 1
    elif case["verdict"] not in CALM:
        run.discrepancies.append(case)


def find_triage(triage, run, verdict, line, message, group):
    """The first entry whose every condition holds; None where there is none."""
    cause = (run.groups.get(group, {}).get("cause") or {}).get("id", "")
    for entry in triage:
        match = entry["match"]
        texts = {"line": line, "message": message, "cause": cause}
        named = run.name in match["backends"] and verdict in match["verdicts"]
        if named and all(re.search(match.get(key, ""), text) for key, text in texts.items()):
            return entry
    return None


def _row(cells):
    return "| " + " | ".join(str(c).replace("|", "\\|").replace("\n", " ") for c in cells) + " |"


def _table(head, rows):
    return [_row(head), _row("---" for _ in head), *(_row(row) for row in rows), ""]


def summary(runs):
    """One row per backend."""
    verdicts = [*CALM, *sorted({v for run in runs for v, n in run.counts().items() if n and v not in CALM})]
    rows = []
    for run in runs:
        counts = [run.counts().get(verdict, 0) for verdict in verdicts]
        rows.append([run.name, run.version(), run.footer["planned"], *counts, len(run.groups)])
    return _table(["backend", "version", "cases", *verdicts, "groups"], rows)


def readings(runs):
    """Which reading of each ledger entry a backend was seen to follow, deviations with counts."""
    rows = []
    for run in runs:
        deviates = [f"{key} ({n})" for key, n in run.deviations.most_common() if not _contradicted(run, key)]
        proven = {entry: sorted(_proven(seen)) for entry, seen in sorted(run.footer.get("readings", {}).items())}
        followed = [f"{entry}: {', '.join(seen)}" for entry, seen in proven.items() if seen]
        rows.append([run.name, ", ".join(deviates) or "none", "; ".join(followed) or "none seen"])
    return _table(["backend", "deviates (cases)", "readings of silences"], rows)


def _contradicted(run, deviation):
    """True for a reading of one of ONE_WAY where other calls of the run prove another reading."""
    entry, reading = deviation.split("=")
    seen = run.footer.get("readings", {}).get(entry, {})
    return entry in ONE_WAY and any(other != reading for other in _proven(seen))


def _proven(seen):
    """The readings that some case proves: not those of which a case leaves several open."""
    return [reading for reading in seen if "|" not in reading and reading != "none"]


def discrepancies(runs, triage):
    """One row per backend and triage entry, and the number of rows without one."""
    rows, untriaged = [], 0
    for run in runs:
        by_entry = {}
        for case in run.discrepancies:
            line, group = case.get("line", case["id"]), case.get("group")
            entry = find_triage(triage, run, case["verdict"], line, case.get("message", ""), group)
            key = id(entry) if entry else ("untriaged", case["verdict"], group)
            found = by_entry.setdefault(key, Finding(entry or UNTRIAGED))
            found.add(case["verdict"], line, group)
        for number, group in run.groups.items():
            line, message = (group.get("smallest") or {}).get("line", ""), group.get("message", "")
            entry = find_triage(triage, run, group["verdict"], line, message, number)
            if line and id(entry) in by_entry and not message.startswith(READING):
                by_entry[id(entry)].lines.append(line)
        untriaged += sum(isinstance(key, tuple) for key in by_entry)
        rows += [found.row(run.name) for found in by_entry.values()]
    head = "backend|class|seen last in|what|verdicts|cases|groups|smallest problem|reproduction|report"
    return _table(head.split("|"), rows), untriaged


class Finding:
    """The cases of one run that have one triage entry."""

    def __init__(self, entry):
        self.entry, self.cases, self.lines = entry, 0, []
        self.verdicts, self.groups = set(), set()

    def add(self, verdict, line, group):
        self.cases += 1
        self.lines.append(line)
        self.verdicts.add(verdict)
        self.groups.add(group)

    def row(self, name):
        repro = self.entry.get("repro", "")
        return [
            name,
            self.entry["class"],
            self.entry.get("seen", ""),
            self.entry["what"],
            ", ".join(sorted(self.verdicts)),
            self.cases,
            len(self.groups),
            f"`{min(self.lines, key=len)}`",
            f"[{repro}](../conformance/backends/repro/{repro})" if repro else "",
            self.entry.get("link", ""),
        ]


def unsupported(runs):
    """Why cases were not asked of a backend, or not computed by it."""
    rows = [[run.name, n, reason] for run in runs for reason, n in run.reasons.most_common()]
    return _table(["backend", "cases", "reason"], rows)


def page(runs, triage, preface):
    """The whole page and the number of untriaged groups."""
    rows, untriaged = discrepancies(runs, triage)
    parts = {
        "Verdicts": summary(runs),
        "Readings": readings(runs),
        "Discrepancies, triaged": rows,
        "Not supported, and why": unsupported(runs),
    }
    lines = ["# What the suite finds in the libraries that people use", "", *preface, ""]
    for title, table in parts.items():
        lines += [f"## {title}", "", *table]
    return "\n".join(lines), untriaged
