#!/usr/bin/env python3
"""Runs fuzz harnesses for a given time and says what came of it.

    fuzz/campaign.py --seconds 600
    fuzz/campaign.py --seconds 600 --shared FOLDER      as one of any number of workers

The harnesses are built first, in --build, with clang, libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer;
workers find them built. All processes of a campaign, on whatever machine, share a folder and nothing else:

    OUT/corpus/HARNESS/      inputs by their hash, and one folder of them from each prune
    OUT/findings/HARNESS/    inputs that ended the harness, which wrote them; log and record next to them
    OUT/workers/NAME.json    what each process has done

A campaign that is ended, in whatever way, goes on from that folder. --add-regressions puts the shortest problem line of
each cause into fuzz/regressions.txt. --baseline names what is known of a library, and is no finding. Exit status: 0
nothing found (a worker: it ran), 1 findings, 2 wrong usage, not built, or a library that does not load, 4 nothing but
that a harness itself ended.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from findings import add, by_cause, findings_of, known_file, minimise, print_cause, write_atomically
from harnesses import HARNESSES, ROOT
from libfuzzer import Programs, build, fail

TURN_SECONDS = 60  # of a harness of weight 1, long against reading its corpus
MAX_IDLE = 20  # ends in a row without one execution, after which the next harness is run
QUIET_END = "processes of the harness ended early, with status 0 and no message"
STALE_SECONDS = 24 * 3600  # after which an unfinished prune is of a process that died


class Campaign:
    def __init__(self, options, harnesses):
        self.options, self.harnesses, self.out = options, harnesses, options.out
        self.programs = Programs(options.build, **options.variables)
        self.name = f"{socket.gethostname()}-{os.getpid()}-{time.time_ns()}"
        self.done = collections.defaultdict(collections.Counter)
        self.lock = threading.Lock()
        self.edges = {}  # that a prune has counted
        self.began, self.end = time.time(), 0

    def folder(self, what, harness):
        folder = self.out / what / harness.name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def stop(self, *_):
        self.end = 0
        self.programs.stop()

    def work(self):
        """All harnesses by turns, by their weights, in an order of its own; each turn takes up what others found."""
        self.end = time.monotonic() + self.options.seconds
        before = {number: signal.signal(number, self.stop) for number in (signal.SIGTERM, signal.SIGINT)}
        jobs, weights = self.options.jobs, sum(h.weight for h in self.harnesses)
        budget = self.options.seconds * jobs
        rounds = max(math.ceil(budget / (TURN_SECONDS * weights)), math.ceil(jobs / len(self.harnesses)))
        turns = []
        for _ in range(rounds):
            turns += random.sample(self.harnesses, len(self.harnesses))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda h: self.turn(h, budget / rounds * h.weight / weights), turns))
        for number, handler in before.items():
            signal.signal(number, handler)

    def turn(self, harness, seconds):
        """Runs a harness for its share of time, again after each finding, whose cause is passed over from then on."""
        corpus, artifacts = self.folder("corpus", harness), self.folder("findings", harness)
        idle, began = 0, time.monotonic()
        end = began + max(seconds, 1)
        while (left := round(min(end, self.end) - began)) >= 1 and idle < MAX_IDLE:
            status, log = self.programs.fuzz(harness, corpus, artifacts, left, POOLPROOF_KNOWN=known_file(artifacts))
            executions, quiet = self.count(harness, log, time.monotonic() - began)
            idle = 0 if executions else idle + 1
            if status != 0 and self.end:
                add(self.programs, harness, artifacts, log)
            elif quiet:
                add(self.programs, harness, artifacts, QUIET_END)
            if status == 0:
                break
            began = time.monotonic()

    def count(self, harness, log, seconds):
        """Takes numbers from libFuzzer's line after each process: executions of all, edges before. Returns the
        executions, and whether a process had no numbers to say."""
        jobs = [tuple(map(int, found)) for found in re.findall(r"^#(\d+): cov: (\d+)", log, re.MULTILINE)]
        executions = [0, *(job[0] for job in jobs)]
        with self.lock:
            done = self.done[harness.name]
            done["executions"] += executions[-1]
            done["seconds"] += seconds
            if jobs:
                done["before"] = min(done["before"] or jobs[0][1], jobs[0][1])
            (self.out / "workers").mkdir(exist_ok=True)
            write_atomically(self.out / "workers" / f"{self.name}.json", json.dumps(self.done))
        return executions[-1], any(a == b for a, b in zip(executions, executions[1:]))

    def prune(self):
        for stale in self.out.glob("pruning-*"):
            if time.time() - stale.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(stale)
        for harness in self.harnesses:
            print("{}: {} inputs, now {}".format(harness.name, *self.prune_one(harness)), flush=True)

    def prune_one(self, harness):
        """Replaces the inputs by a smallest set that reaches the same. The set is complete and in its place before
        anything is removed, and only what it was made from is: workers may go on, prunes may meet or die. Returns
        the numbers before and after."""
        corpus = self.folder("corpus", harness)
        before = inputs_of(corpus)
        merged = self.out / f"pruning-{harness.name}-{self.name}"
        merged.mkdir()
        self.edges[harness] = self.programs.merge(harness, merged, corpus, self.folder("findings", harness))
        if not self.edges[harness]:
            shutil.rmtree(merged)
            return len(before), len(before)
        after = len(inputs_of(merged))
        merged.rename(corpus / f"pruned-{self.name}")
        for path in before:
            path.unlink(missing_ok=True)
        for folder in {path.parent for path in before} - {corpus}:
            with contextlib.suppress(OSError):  # of another prune, which is at it as well
                folder.rmdir()
        return len(before), after

    def report(self, since):
        """Prints a table over processes and their findings by cause, those before `since` left out; returns the
        first of each cause."""
        paths = sorted(p for p in (self.out / "workers").glob("[!.]*.json") if p.stat().st_mtime >= since)
        states = [json.loads(p.read_text()) for p in paths]
        columns = ("executions", "per second", "edges", "inputs", "findings", "causes")
        print(f"{len(states)} processes\n{'harness':18}" + "".join(f"{name:>14}" for name in columns))
        every = []
        for harness in self.harnesses:
            done = [state[harness.name] for state in states if harness.name in state]
            executions, seconds = (sum(d[name] for d in done) for name in ("executions", "seconds"))
            corpus, artifacts = self.folder("corpus", harness), self.folder("findings", harness)
            if not self.edges.get(harness):
                with tempfile.TemporaryDirectory() as reached:
                    self.edges[harness] = self.programs.merge(harness, pathlib.Path(reached), corpus, artifacts)
            growth = f"{min((d['before'] for d in done if d.get('before')), default=0)} > {self.edges[harness]}"
            findings = findings_of(self.programs, harness, artifacts, since, self.options.jobs)
            groups = by_cause(findings)
            every += [(harness, group) for group in groups]
            row = (executions, round(executions / seconds) if seconds else 0, growth, len(inputs_of(corpus)))
            row += (len(findings), len(groups))
            print(f"{harness.name:18}" + "".join(f"{value:>14}" for value in row), flush=True)
        return [self.show(harness, group) for harness, group in every]

    def show(self, harness, group):
        group[0] = minimise(self.programs, harness, group[0])
        print_cause(group, self.options.build)
        return group[0]


def inputs_of(corpus):
    return [p for p in sorted(corpus.rglob("*")) if p.is_file()]


def add_regressions(findings):
    path = ROOT / "fuzz" / "regressions.txt"
    known = set(path.read_text().splitlines())
    with path.open("a") as stream:
        for finding in findings:
            if finding["line"] and finding["line"] not in known:
                stream.write(f"\n# campaign, {finding['harness']}: {finding['reason']}\n{finding['line']}\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-fuzz")
    parser.add_argument("--out", type=pathlib.Path, default=None, help="default: BUILD/campaign")
    parser.add_argument("--seconds", type=float, default=600, help="0 only builds")
    parser.add_argument("--jobs", type=int, help="default: all cores; of a worker, one")
    parser.add_argument("--harness", action="append", help="only this one; may be repeated")
    parser.add_argument("--add-regressions", action="store_true")
    parser.add_argument("--shared", type=pathlib.Path, metavar="FOLDER", help="be a worker of the campaign in it")
    parser.add_argument("--baseline", type=pathlib.Path, help="cases and causes of a library that are known")
    parser.add_argument("--prune", action="store_true", help="make the corpora small, and nothing else")
    parser.add_argument("--report", action="store_true", help="say what came of all processes, and nothing else")
    options = parser.parse_args()
    unknown = set(options.harness or []) - {h.name for h in HARNESSES}
    if unknown:
        fail(f"fuzz/campaign.py: no such harness: {', '.join(sorted(unknown))}")
    options.jobs = options.jobs if options.jobs is not None else 1 if options.shared else os.cpu_count()
    if options.jobs < 1:
        fail(f"fuzz/campaign.py: --jobs: {options.jobs} is not a number of processes above 0")
    options.build = options.build.resolve()
    options.variables = {"POOLPROOF_BASELINE": str(options.baseline.resolve())} if options.baseline else {}
    options.out = (options.shared or options.out or options.build / "campaign").resolve()
    return options


def main():
    options = arguments()
    harnesses = [h for h in HARNESSES if not options.harness or h.name in options.harness]
    campaign = Campaign(options, harnesses)
    whole = not (options.shared or options.prune or options.report)
    if whole:
        build(options.build, ["decode_problem", *(f"fuzz_{h.name}" for h in harnesses)], options.jobs)
        if options.seconds <= 0:
            return 0
    absent = campaign.programs.not_built(harnesses)
    if absent:  # not built here, since others may run what is there
        fail(f"{absent} is not built: fuzz/campaign.py --build {options.build} --seconds 0 does")
    options.out.mkdir(parents=True, exist_ok=True)
    for harness in harnesses:  # what it is given may not be there
        status, log = campaign.programs.run(harness, "-runs=0") if harness.name == "backend" else (0, "")
        if status in (2, 3):
            fail(log.strip().splitlines()[-1])
    if not (options.prune or options.report):
        campaign.work()
    if whole or options.prune:
        campaign.prune()
    if not (whole or options.report):
        return 0
    findings = campaign.report(campaign.began if whole else 0)
    if options.add_regressions:
        add_regressions(findings)
    return 1 if any(not f["in_harness"] for f in findings) else 4 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
