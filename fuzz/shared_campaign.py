"""A campaign of any number of workers that share nothing but a folder.

    SHARED/corpus/HARNESS/WORKER/     inputs, by their hash (shared_corpus.py)
    SHARED/findings/HARNESS/WORKER/   inputs that ended a harness, written by itself; log and record beside them
    SHARED/workers/WORKER.json        what a worker has done so far

Every worker runs all harnesses by turns, in an order of its own, on one core. It begins with the inputs of all others,
and while it runs gives and takes what is new every --exchange seconds. Of a worker that dies, all findings and all
inputs but those of the last such time are in the folder; nobody waits for it, and another may take its name. A worker
that is asked to end (SIGTERM) gives what it has first.
"""

import collections
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from findings import Findings, by_cause, print_causes, write_atomically
from libfuzzer import Outcome, Programs, ended_well, parse_log
from shared_corpus import SharedCorpus, inputs_of

TURN_SECONDS = 120  # of a harness of weight 1, long against reading its corpus
SHORTEST_TURN = 2
MAX_FINDINGS = 20  # of one turn, after which the next harness is run


class SharedCampaign:
    def __init__(self, options, harnesses):
        self.options = options
        self.harnesses = harnesses
        self.programs = Programs(options.build)
        self.shared = options.shared.resolve()
        self.outcomes = collections.defaultdict(Outcome)
        self.corpora = {h.name: SharedCorpus(self.shared, h.name, options.worker) for h in harnesses}
        self.end = time.monotonic() + options.seconds
        self.stopped = False

    def artifacts(self, harness, worker):
        folder = self.shared / "findings" / harness.name / worker
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def left(self):
        return 0 if self.stopped else self.end - time.monotonic()

    def stop(self, *_):
        self.stopped = True

    # A worker.

    def work(self):
        signal.signal(signal.SIGTERM, self.stop)
        order = list(self.harnesses)
        random.Random(self.options.worker).shuffle(order)
        with tempfile.TemporaryDirectory(prefix="poolproof-fuzz-") as own:
            if self.options.executions:
                self.end = float("inf")
                for harness in order:
                    self.turn(harness, pathlib.Path(own, harness.name), float("inf"))
                return
            while self.left() >= 1:
                for harness in order:
                    share = min(TURN_SECONDS * harness.weight, self.options.seconds / len(order))
                    self.turn(harness, pathlib.Path(own, harness.name), max(share, SHORTEST_TURN))

    def turn(self, harness, own, seconds):
        """Runs a harness for its share of time, again after each finding."""
        own.mkdir(exist_ok=True)
        outcome = self.outcomes[harness.name]
        findings = Findings(self.programs, harness, self.artifacts(harness, self.options.worker))
        end = min(self.end, time.monotonic() + seconds)
        executed = found = 0
        while end - time.monotonic() >= 1 and found < MAX_FINDINGS and not self.stopped:
            limit = (
                f"-runs={self.options.executions - executed}"
                if self.options.executions
                else f"-max_total_time={int(end - time.monotonic())}"
            )
            began = time.monotonic()
            status, log = self.run_once(harness, own, findings.folder, limit)
            outcome.seconds += time.monotonic() - began
            executed += parse_log(log, outcome, first=False)
            done = ended_well(status, log) or self.stopped
            if not done:
                outcome.findings.append(findings.add(log))
                found += 1
            self.write_state()
            if done or (self.options.executions and executed >= self.options.executions):
                return

    def run_once(self, harness, own, artifacts, limit):
        """One process of a harness; inputs are exchanged before, while and after it runs."""
        corpus = self.corpora[harness.name]
        corpus.exchange(own)
        command = self.programs.fuzz_command(harness, own, artifacts, limit, f"-reload={self.options.exchange}")
        with tempfile.TemporaryFile() as log:
            with subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, env=self.programs.environment
            ) as process:
                while self.wait(process):
                    corpus.exchange(own)
            corpus.exchange(own)
            log.seek(0)
            return process.returncode, log.read().decode(errors="replace")

    def wait(self, process):
        """Whether a process still runs after the time of an exchange; one that is to end is ended."""
        for _ in range(self.options.exchange):
            if self.stopped:
                process.terminate()
            try:
                process.wait(timeout=1)
                return False
            except subprocess.TimeoutExpired:
                pass
        return True

    def write_state(self):
        folder = self.shared / "workers"
        folder.mkdir(parents=True, exist_ok=True)
        state = {
            name: {"executions": outcome.executions, "seconds": round(outcome.seconds, 1)}
            for name, outcome in self.outcomes.items()
        }
        write_atomically(folder / f"{self.options.worker}.json", json.dumps(state))

    # What is done for all of them.

    def prune(self):
        for harness in self.harnesses:
            before, after = self.corpora[harness.name].prune(self.programs, harness, self.artifacts(harness, "prune"))
            print(f"{harness.name}: {before} inputs, now {after}", flush=True)
        return 0

    def findings(self, harness):
        """Those of all workers, also of such that died before they had written what they found."""
        folders = sorted(p for p in (self.shared / "findings" / harness.name).glob("*") if p.is_dir())
        every = [Findings(self.programs, harness, folder) for folder in folders]
        for findings in every:
            findings.complete()
        return [finding for findings in every for finding in findings.all()]

    def states(self):
        return [
            json.loads(p.read_text())
            for p in sorted((self.shared / "workers").glob("*.json"))
            if not p.name.startswith(".")
        ]

    def report(self):
        """Prints a table over all workers and their findings by cause; gives the findings."""
        states = self.states()
        every = []
        print(f"{len(states)} workers")
        print(
            f"{'harness':18}{'executions':>12}{'seconds':>10}{'coverage':>10}{'features':>10}{'corpus':>8}"
            f"{'findings':>10}{'causes':>8}"
        )
        for harness in self.harnesses:
            done = [state[harness.name] for state in states if harness.name in state]
            parts = self.corpora[harness.name].parts()
            coverage, features = self.programs.coverage(harness, parts, self.artifacts(harness, "report"))
            findings = self.findings(harness)
            every += findings
            print(
                f"{harness.name:18}{sum(d['executions'] for d in done):12}{sum(d['seconds'] for d in done):10.0f}"
                f"{coverage:10}{features:10}{len(set().union(*map(inputs_of, parts))):8}{len(findings):10}"
                f"{len(by_cause(findings)):8}",
                flush=True,
            )
        print_causes(every)
        return every
