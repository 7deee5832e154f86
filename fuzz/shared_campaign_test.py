"""Campaigns of several workers: nothing that one found is lost, whoever dies, and inputs reach all of them.

Workers are real processes; their harness is testdata/counting_harness.py, which needs no compiler."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from findings import by_cause, cause_of
from harnesses import HARNESSES, ROOT
from libfuzzer import Programs
from shared_corpus import SharedCorpus, inputs_of

NAME = "shape_rules"
HARNESS = next(h for h in HARNESSES if h.name == NAME)
SEEDS = sum(1 for folder in HARNESS.seed_folders() for p in folder.rglob("*") if p.is_file())


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.shared = self.folder / "shared"
        (self.folder / "bin").mkdir()
        shutil.copy(ROOT / "fuzz/testdata/counting_harness.py", self.folder / f"bin/fuzz_{NAME}")
        decoder = self.folder / "bin/decode_problem"
        decoder.write_text('#!/bin/sh\necho "MaxPool-1 f32 seed=$(cat "$1")"\n')
        decoder.chmod(0o755)

    def start(self, *options, **variables):
        command = [
            sys.executable,
            "-B",
            str(ROOT / "fuzz/campaign.py"),
            "--build",
            str(self.folder),
            "--shared",
            str(self.shared),
            "--harness",
            NAME,
            "--exchange=1",
            *options,
        ]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **variables}
        )
        self.addCleanup(process.kill)
        return process

    def finish(self, process, code):
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, out + err)
        return out

    def report(self, code=0, **variables):
        text = self.finish(self.start("--report", **variables), code)
        row = re.search(rf"^{NAME}\s+(.*)$", text, re.MULTILINE)[1].split()
        return text, dict(
            zip(("executions", "seconds", "coverage", "features", "corpus", "findings", "causes"), map(int, row))
        )

    def wait_for(self, condition):
        while not condition():
            time.sleep(0.05)

    def artifacts(self, worker):
        return {p.name for p in (self.shared / "findings" / NAME / worker).glob("crash-*") if "." not in p.name}


class Workers(Folder):
    def test_share_what_they_found(self):
        workers = [self.start(f"--executions={SEEDS + 150}", "--worker", name) for name in ("one", "two")]
        for worker in workers:
            self.finish(worker, 0)
        _, row = self.report()
        parts = [inputs_of(self.shared / "corpus" / NAME / name) for name in ("one", "two")]
        self.assertEqual(len(parts[0] | parts[1]), row["corpus"])
        self.assertGreaterEqual(row["executions"], 2 * (SEEDS + 150))
        self.assertGreaterEqual(row["coverage"], row["corpus"])
        third = self.start("--executions=100000", "--worker=three")
        self.wait_for(lambda: inputs_of(self.shared / "corpus" / NAME / "three") - parts[0] - parts[1])
        third.terminate()
        self.finish(third, 0)
        _, later = self.report()
        self.assertGreater(later["corpus"], row["corpus"])

    def test_killed_one_loses_no_finding(self):
        """Killed after its harness has written an input and before it has written what that is."""
        crashes = {"COUNTING_CRASHES": "7000001 7000002 7000003"}
        killed = self.start("--executions=100000", "--worker=killed", **crashes, COUNTING_PAUSE="1000")
        other = self.start(f"--executions={SEEDS + 150}", "--worker=other", **crashes)
        self.wait_for(lambda: self.artifacts("killed"))
        os.kill(killed.pid, signal.SIGKILL)
        killed.communicate()
        self.finish(other, 0)
        self.assertFalse(list((self.shared / "findings" / NAME / "killed").glob("*.json")))
        text, row = self.report(code=1, **crashes)
        self.assertEqual(row["findings"], len(self.artifacts("killed")) + len(self.artifacts("other")))
        self.assertEqual(row["causes"], 1, text)
        self.assertIn("conformance reproduce 'MaxPool-1 f32 seed=700000", text)
        self.assertTrue(self.artifacts("killed"))
        self.assertTrue(self.artifacts("other"))

    def test_killed_one_takes_its_harness_along(self):
        killed = self.start("--executions=100000", "--worker=killed")
        corpus = self.shared / "corpus" / NAME / "killed"
        self.wait_for(lambda: inputs_of(corpus))
        children = pathlib.Path(f"/proc/{killed.pid}/task/{killed.pid}/children").read_text().split()
        self.assertTrue(children)
        killed.kill()
        killed.communicate()
        self.wait_for(lambda: not any(self.runs(child) for child in children))

    @staticmethod
    def runs(pid):
        try:
            return "fuzz_" in pathlib.Path(f"/proc/{pid}/cmdline").read_text()
        except FileNotFoundError:
            return False

    def test_prune_keeps_what_is_reached(self):
        self.finish(self.start(f"--executions={SEEDS + 100}", "--worker=one"), 0)
        _, before = self.report()
        self.assertIn("inputs, now", self.finish(self.start("--prune", "--worker=broom"), 0))
        _, after = self.report()
        self.assertEqual(before["coverage"], after["coverage"])
        self.assertFalse(inputs_of(self.shared / "corpus" / NAME / "one"))

    def test_wrong_usage_names_what_is_wrong(self):
        for option, words in (
            ("--worker=a/b", '"a/b" cannot name a folder'),
            ("--exchange=0", "0 is not a number"),
            ("--harness=none", "no such harness: none"),
        ):
            process = self.start(option)
            _, err = process.communicate()
            self.assertEqual(process.returncode, 2)
            self.assertIn(words, err)
        (self.folder / f"bin/fuzz_{NAME}").unlink()
        process = self.start()
        self.assertIn("is not built", process.communicate()[1])
        self.assertEqual(process.returncode, 2)


class Corpus(Folder):
    def test_a_worker_takes_up_its_own_part(self):
        own, again = self.folder / "own", self.folder / "again"
        own.mkdir()
        again.mkdir()
        (own / "a").write_text("1")
        SharedCorpus(self.shared, NAME, "one").exchange(own)
        SharedCorpus(self.shared, NAME, "one").exchange(again)
        self.assertEqual(inputs_of(again), {"a"})

    def test_an_unfinished_file_is_no_input(self):
        own = self.folder / "own"
        own.mkdir()
        other = self.shared / "corpus" / NAME / "other"
        other.mkdir(parents=True)
        (other / ".part").write_text("half")
        SharedCorpus(self.shared, NAME, "one").exchange(own)
        self.assertEqual(inputs_of(own), set())

    def part(self, name, *numbers):
        folder = self.shared / "corpus" / NAME / name
        folder.mkdir(parents=True, exist_ok=True)
        for number in numbers:
            (folder / str(number)).write_text(str(number))
        return folder

    def test_what_comes_while_a_prune_runs_stays(self):
        self.part("one", 1, 2)

        class Slow(Programs):
            def merge(program, *arguments):  # noqa: N805
                done = super().merge(*arguments)
                self.part("one", 3)
                return done

        artifacts = self.folder / "artifacts"
        artifacts.mkdir()
        SharedCorpus(self.shared, NAME, "broom").prune(Slow(self.folder), HARNESS, artifacts)
        self.assertEqual(inputs_of(self.part("one")), {"3"})

    def test_a_prune_that_fails_changes_nothing(self):
        self.part("one", 1, 2)

        class Failing(Programs):
            def merge(program, *_):  # noqa: N805
                return False

        SharedCorpus(self.shared, NAME, "broom").prune(Failing(self.folder), HARNESS, self.folder)
        self.assertEqual(inputs_of(self.part("one")), {"1", "2"})
        self.assertFalse(list((self.shared / "corpus" / NAME).glob(".*")))


class Causes(unittest.TestCase):
    def cause(self, text, line="MaxPool-1 f32 in=1"):
        return cause_of(NAME, f"{text}\nPROBLEM: {line}\n", line)

    def test_numbers_do_not_tell_them_apart(self):
        self.assertEqual(
            self.cause("ours: element 3 is -4.5e-3, not nan"), self.cause("ours: element 12 is inf, not 0x1p3")
        )

    def test_words_and_operators_do(self):
        self.assertNotEqual(self.cause("ours: element 3"), self.cause("ours: index 3"))
        self.assertNotEqual(self.cause("ours: element 3"), self.cause("ours: element 3", "AvgPool-1 f32 in=1"))

    def test_the_place_does(self):
        logs = [
            f"==1==ERROR: AddressSanitizer\n    #0 0x55 in poolproof::{function}(int) /a/optimized/x.cc:{line}:1\n"
            f"    #1 0x56 in LLVMFuzzerTestOneInput /a/fuzz/fuzz_x.cc:3:1\n"
            for function, line in (("Sum", 1), ("Sum", 2), ("Max", 2))
        ]
        causes = [cause_of(NAME, log, "") for log in logs]
        self.assertEqual(causes[0], causes[1])
        self.assertNotEqual(causes[1], causes[2])

    def test_the_shortest_line_stands_for_a_cause(self):
        findings = [
            {"harness": NAME, "cause": "c", "line": line, "input": ""} for line in ("MaxPool-1 long", "MaxPool-1")
        ]
        self.assertEqual(by_cause(findings)[0][0]["line"], "MaxPool-1")


if __name__ == "__main__":
    unittest.main()
