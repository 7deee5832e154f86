#!/usr/bin/env python3
"""Writes docs/operators.md on standard output: what each operator takes, and what the documents leave open.

Both are what the specs say; pages_test fails where the page is not that."""

import glob
import json
import os
import subprocess

from harness import PROGRAM, ROOT, ledger, text_of

HEAD = """# Operators

What a library has to take, operator by operator, and what it may choose; made from the specs by
`conformance/gate/operator_tables.py`. `conformance show --spec MaxPool-14` has all that the specs say of one, and each
clause of its document. Layout C... is that of inputs and outputs without a batch; as (C, H, W) and (N, C, L) have the
same rank, a call says by its name which it is. Lists have an integer for each spatial axis. Formulas are of one axis,
in the language of [expressions](expressions.md), where `at` is the position of a window; a word such as `ceil-past-end`
is a point of the documents that can be read in several ways, in the last tables. `show` prints them with the numbers of
a problem.
"""
SILENCES = """
## What the documents leave open

Any of these readings passes, but a library has to keep to one; a run says which ones it saw, in its last lines and
under “Readings” in the report. Who promises one demands it: with `--reading=ties=first` the others fail, and a profile
(`--profile=onnxruntime`) demands those of a library.

| point | about | readings |
| --- | --- | --- |
"""
DIVERGENCES = """
## Where libraries differ from the documents

The first reading is what the documents say, and what is demanded; another one is `deviates`, unless a profile or
`--reading=same-stride=ceil-div` demands that.

| point | about | readings |
| --- | --- | --- |
"""
CONTRADICTIONS = """
## Where the documents contradict themselves

The first reading is demanded, and another one is `deviates`, as above.

| point | about | readings |
| --- | --- | --- |
"""
PROFILES = """
## Demands of the profiles

What differs for an operator or an element type stands behind it; a line for an operator goes before one for a type.

| profile | point | reading |
| --- | --- | --- |
"""


def values_of(attribute):
    if "words" in attribute:
        return ", ".join(attribute["words"])
    if attribute["type"] == "bool":
        return "true, false"
    if attribute.get("range_is_rank"):
        return "-rank to rank - 1"
    low = attribute.get("valid_min", attribute.get("min"))
    if low is None:
        return "any"
    return f"{low} to {attribute['max']}" if "max" in attribute else f"{low} and above"


def default_of(attribute):
    if "default" in attribute:
        default = attribute["default"]
        if attribute["type"] == "int list" and isinstance(default, int):
            return f"{default} on each axis"
        return str(default).lower() if isinstance(default, bool) else str(default)
    if attribute.get("default_is_kernel"):
        return "the kernel"
    unless = attribute.get("required_unless")
    return f"required unless {unless}" if unless else "required" if attribute.get("required") else ""


def type_of(output, attributes):
    named = output["type_from"]
    if named == "input":
        return "that of the input"
    return f"the one that {named} names" if any(a["name"] == named for a in attributes) else named


def rows_of(spec):
    for tensor in spec["inputs"]:
        sizes = "types" in tensor
        yield (
            "input",
            tensor["name"],
            "sizes" if sizes else "in",
            " ".join(tensor.get("types", ["an element type"])),
            "",
            "",
        )
    for output in spec["outputs"]:
        left = "not computed" if output.get("optional") else ""
        yield "output", output["name"], "", type_of(output, spec["attributes"]), "", left
    for a in spec["attributes"]:
        name = f"{a['name']} (in {a['part_of']})" if "part_of" in a else a["name"]
        yield "attribute", name, a["key"], a["type"], values_of(a), default_of(a)


def show(*arguments):
    return subprocess.run([PROGRAM, "show", *arguments], capture_output=True, text=True, check=True).stdout


def ranks_of(spec):
    least, most = spec["min_rank"], spec["max_rank"]
    fewer = any(function["layout"] == "C..." for function in spec["functions"][1:])
    return f"Rank {least} to {most}{f', without a batch {least - 1} to {most - 1}' * fewer}."


def table_of(path, shared):
    with open(path, encoding="utf-8") as file:
        name = json.load(file)["id"]
    spec = json.loads(show("--spec", name))
    text = f"\n## {spec['title']}\n\n"
    for function in spec["functions"]:
        text += f"- `{function['name']}`, layout {function['layout']}: {' '.join(function['types'])}\n"
    if "specializations" in spec:
        text += "- specializations of these, for one kernel, stride or padding each\n"
    text += f"\n{ranks_of(spec)}\n\n" if spec["min_rank"] != spec["max_rank"] else "\n"
    text += "| | name | in a problem line | type | values | default |\n| --- | --- | --- | --- | --- | --- |\n"
    text += "".join("| " + " | ".join(row) + " |\n" for row in rows_of(spec))
    formulas = "".join(formulas_of(spec, shared))
    return f"{text}\n| formula | of clause | |\n| --- | --- | --- |\n{formulas}" if formulas else text


def formulas_of(spec, shared):
    """A line for each formula of the documents that the operator has, its own first."""
    for document in spec.get("documents", []) + shared:
        for clause in document["clauses"]:
            if spec["id"] not in clause.get("operators", document.get("operators", [spec["id"]])):
                continue
            for name, formula in clause.get("formulas", {}).items():
                yield f"| {name} | {clause['id']} | `{formula}` |\n"


def demands():
    """What each profile demands, as lines of a table: "lowest-finite, in f16 minus-infinity"."""
    lines = {}
    for entry in ledger():
        for key, reading in entry.get("profiles", {}).items():
            profile, _, place = key.partition(" ")
            said = f"in {place} `{reading}`" if place else f"`{reading}`"
            lines.setdefault((profile, entry["id"]), []).append(said)
    return [f"| {profile} | `{point}` | {', '.join(said)} |\n" for (profile, point), said in sorted(lines.items())]


def entries(*kinds):
    """Points that the reference computes, of these kinds of ledger entries, as lines of a table."""
    for entry in ledger():
        if entry["kind"] in kinds and entry.get("computed"):
            readings = "<br>".join(f"`{r['name']}`: {r['statement']}" for r in entry["readings"])
            yield f"| `{entry['id']}` | {entry['title']} | {readings} |\n".replace("  ", " ")


def is_operator(path):
    return not path.endswith((".schema.json", "discrepancies.json", "documents.json"))


def page():
    files = [path for path in sorted(glob.glob(os.path.join(ROOT, "specs", "*", "*.json"))) if is_operator(path)]
    documents = glob.glob(os.path.join(ROOT, "specs", "*", "documents.json"))
    shared = [document for path in sorted(documents) for document in json.loads(text_of(path))["documents"]]
    shared = [document for document in shared if "extends" not in document]
    tables = [table_of(path, shared) for path in files]
    points = [SILENCES, *entries("silence"), DIVERGENCES, *entries("divergence")]
    points += [CONTRADICTIONS, *entries("contradiction", "erratum"), PROFILES, *demands()]
    return HEAD + "".join(tables + points)


if __name__ == "__main__":
    print(page(), end="")
