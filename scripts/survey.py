#!/usr/bin/env python3
"""Runs the gate on every library that can be had, and writes reports/survey.md and a comparison.

    scripts/setup_pypi_backends.sh build && cmake --build build && scripts/survey.py build

Results go to BUILD/survey/NAME/results.jsonl, one run after the other; --only=NAME,NAME runs some and
keeps the results of the others. Exits with 1 if a group of discrepancies has no triage entry.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SURVEY = os.path.join(ROOT, "conformance", "backends", "survey")
sys.path.insert(0, SURVEY)

import survey_table


def load(name):
    with open(os.path.join(SURVEY, name), encoding="utf-8") as file:
        return json.load(file)


def command(build, backend, out, jobs):
    """The command line of the gate for one backend."""
    python = os.path.join(build, "pypi", "bin", "python")
    words = [
        os.path.join(build, "bin", "conformance"),
        f"--out={out}",
        f"--jobs={jobs}",
        "--backend=" + backend["backend"].format(build=build, python=python),
        "--level=" + backend.get("level", "gate"),
        f"--random={backend['random']}",
        # Where an adapter opens its library, which the loader knows nothing of.
        f"--allow-read={os.path.join(build, 'pypi')}",
        "--no-report",
    ]
    if "shard" in backend:
        words.append(f"--shard={backend['shard']}")
    return words + [f"--backend-option={option}" for option in backend.get("options", [])]


def run(build, backend, jobs):
    """Runs the gate. True if it came to a verdict, whichever."""
    out = os.path.join(build, "survey", backend["name"])
    os.makedirs(out, exist_ok=True)
    started = time.monotonic()
    with open(os.path.join(out, "log.txt"), "w", encoding="utf-8") as log:
        done = subprocess.run(
            command(build, backend, out, jobs), cwd=ROOT, check=False, stdout=log, stderr=subprocess.STDOUT
        )
    print(f"{backend['name']}: exit status {done.returncode}, {time.monotonic() - started:.0f} s", flush=True)
    return done.returncode in (0, 1)


def exists(build, backend):
    """Whether the files that the backend needs are there."""
    paths = [backend.get("needs", ""), backend["backend"].removeprefix("process:").split()[0]]
    python = os.path.join(build, "pypi", "bin", "python")
    return all(os.path.exists(path.format(build=build, python=python)) for path in paths if path)


def preface(runs, backends, skipped):
    """What was run, when and how."""
    header = runs[0].header
    lines = [
        f"Written by `scripts/survey.py` on {datetime.date.today().isoformat()}; poolproof "
        + f"{header['tool']['version']}, specs {header['specs']['digest'][:12]}, profile "
        + f"`{header['profile']}`, seed {header['seed']}, {header['machine']['cpu']}.",
        "",
        "Every backend gets the same systematic part of the plan, and as many random problems as "
        + "its speed allows. How calls are mapped to each library, and what is not asked of it, "
        + "is in `conformance/backends/`.",
        "",
        "What is called a defect is shown by the reproduction, which needs nothing of this project. "
        + '"Seen last in" is the newest release of the library that shows it.',
    ]
    shards = [f"{b['name']} gets {b['shard']} of it" for b in backends if "shard" in b]
    if shards:
        lines += ["", "Shards of the plan for slow backends: " + ", ".join(shards) + "."]
    if skipped:
        lines += ["", "Not there, so not run: " + ", ".join(skipped) + "."]
    return lines


def compare(build, backends):
    """Writes the comparison of all results to BUILD/survey/comparison."""
    out = os.path.join(build, "survey", "comparison")
    os.makedirs(out, exist_ok=True)
    files = [os.path.join(build, "survey", b["name"], "results.jsonl") for b in backends]
    subprocess.run(
        [os.path.join(build, "bin", "conformance"), "report", f"--out={out}", *(f for f in files if os.path.exists(f))],
        check=True,
    )


def collect(build, backends):
    """The runs that have results, in the order of the list."""
    runs = []
    for backend in backends:
        path = os.path.join(build, "survey", backend["name"], "results.jsonl")
        if os.path.exists(path):
            runs.append(survey_table.read_run(backend["name"], path))
            if not backend.get("readings", True):
                runs[-1].deviations.clear()
                runs[-1].footer.pop("readings", None)
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default="build")
    parser.add_argument("--only", default="", help="names, with commas; '-' runs none")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--out", default=os.path.join(ROOT, "reports", "survey.md"))
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    backends = load("backends.json")["backends"]
    wanted = options.only.split(",") if options.only else [b["name"] for b in backends]
    skipped = [b["name"] for b in backends if not exists(build, b)]
    failed = [
        b["name"]
        for b in backends
        if b["name"] in wanted and b["name"] not in skipped and not run(build, b, options.jobs)
    ]
    runs = collect(build, backends)
    if not runs:
        sys.exit("there are no results")
    text, untriaged = survey_table.page(runs, load("triage.json")["entries"], preface(runs, backends, skipped))
    with open(options.out, "w", encoding="utf-8") as out:
        out.write(text)
    print(f"{options.out}: {len(runs)} backends, {untriaged} groups without triage")
    compare(build, backends)
    if failed:
        print("did not come to a verdict: " + ", ".join(failed))
    sys.exit(1 if untriaged or failed else 0)


if __name__ == "__main__":
    main()
