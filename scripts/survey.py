#!/usr/bin/env python3
"""Runs the gate on every library that can be had, and writes BUILD/survey/survey.md and a comparison.

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


class Survey:
    def __init__(self, build, jobs):
        self.build, self.jobs = build, jobs
        self.backends = load("backends.json")["backends"]
        self.program = os.path.join(build, "bin", "conformance")
        self.pypi, self.newest = os.path.join(build, "pypi"), os.path.join(build, "newest")

    def place(self, text):
        pythons = {key: os.path.join(getattr(self, key), "bin", "python") for key in ("pypi", "newest")}
        return text.format(build=self.build, python=pythons["pypi"], newest=pythons["newest"])

    def results(self, backend):
        return os.path.join(self.build, "survey", backend["name"], "results.jsonl")

    def is_there(self, backend):
        """Whether the files that the backend needs are there."""
        paths = (backend.get("needs", ""), backend["backend"].removeprefix("process:").split()[0])
        return all(os.path.exists(self.place(path)) for path in paths if path)

    def run(self, backend):
        """Runs the gate. True if it came to a verdict, whichever."""
        out = os.path.dirname(self.results(backend))
        options = {"out": out, "jobs": self.jobs, "backend": self.place(backend["backend"])}
        # Where an adapter opens its library, which the loader knows nothing of.
        options["allow-read"] = self.newest if "{newest}" in backend["backend"] else self.pypi
        asked = ("level", "family", "random", "shard", "timeout", "load-timeout")
        options |= {"level": "gate"} | {key: backend[key] for key in asked if key in backend}
        words = [f"--{key}={value}" for key, value in options.items()]
        words += [f"--backend-option={option}" for option in backend.get("options", [])]
        os.makedirs(out, exist_ok=True)
        started = time.monotonic()
        with open(os.path.join(out, "log.txt"), "w", encoding="utf-8") as log:
            done = subprocess.run([self.program, *words, "--no-report"], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        print(f"{backend['name']}: exit status {done.returncode}, {time.monotonic() - started:.0f} s", flush=True)
        return done.returncode in (0, 1)

    def collect(self):
        """The runs that have results, in the order of the list, and their files."""
        there = [backend for backend in self.backends if os.path.exists(self.results(backend))]
        runs = [survey_table.read_run(backend["name"], self.results(backend)) for backend in there]
        for run, backend in zip(runs, there):
            if not backend.get("readings", True):
                run.deviations.clear()
                run.footer.pop("readings", None)
        return runs, [self.results(backend) for backend in there]

    def preface(self, header, skipped):
        """What was run, when and how."""
        shards = [f"{b['name']} gets {b['shard']} of it" for b in self.backends if "shard" in b]
        paragraphs = [
            f"Written by `scripts/survey.py` on {datetime.date.today().isoformat()}; poolproof "
            f"{header['tool']['version']}, specs {header['specs']['digest'][:12]}, profile "
            f"`{header['profile']}`, seed {header['seed']}, {header['machine']['cpu']}.",
            "Every backend gets the same systematic part of the plan, and as many random problems as "
            "its speed allows. How calls are mapped to each library, and what is not asked of it, "
            "is in `conformance/backends/`.",
            "What is called a defect is shown by the reproduction, which needs nothing of this project. "
            '"Seen last in" is the newest release of the library that shows it.',
            *(["Shards of the plan for slow backends: " + ", ".join(shards) + "."] if shards else []),
            *(["Not there, so not run: " + ", ".join(skipped) + "."] if skipped else []),
        ]
        return "\n\n".join(paragraphs).split("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default="build")
    parser.add_argument("--only", default="", help="names, with commas; '-' runs none")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--out", help="file for the page, BUILD/survey/survey.md if none is named")
    options = parser.parse_args()
    survey = Survey(os.path.abspath(options.build), options.jobs)
    there = [backend for backend in survey.backends if survey.is_there(backend)]
    wanted = [b for b in there if not options.only or b["name"] in options.only.split(",")]
    failed = [backend["name"] for backend in wanted if not survey.run(backend)]
    runs, files = survey.collect()
    if not runs:
        sys.exit("there are no results")
    skipped = [backend["name"] for backend in survey.backends if backend not in there]
    preface = survey.preface(runs[0].header, skipped)
    text, untriaged = survey_table.page(runs, load("triage.json")["entries"], preface)
    page = options.out or os.path.join(survey.build, "survey", "survey.md")
    with open(page, "w", encoding="utf-8") as out:
        out.write(text)
    print(f"{page}: {len(runs)} backends, {untriaged} groups without triage")
    comparison = os.path.join(survey.build, "survey", "comparison")
    os.makedirs(comparison, exist_ok=True)
    subprocess.run([survey.program, "report", f"--out={comparison}", *files], check=True)
    if failed:
        print("did not come to a verdict: " + ", ".join(failed))
    sys.exit(1 if untriaged or failed else 0)


if __name__ == "__main__":
    main()
