"""Campaigns of any number of processes: nothing that one found is lost, whatever ends it, and inputs reach all of them.
The commands of README.md that need no real harness are run as printed but for their seconds.

Processes are real ones; their harness is testdata/counting_harness.py, which needs no compiler. They run in a copy of
this folder."""

import contextlib
import io
import json
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
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import campaign
import libfuzzer
from findings import KEPT_INPUTS, KNOWN, NOT_AGAIN, add, by_cause, names_of, reason_of
from harnesses import HARNESSES, ROOT

NAME = "shape_rules"
HARNESS = next(h for h in HARNESSES if h.name == NAME)
SEEDS = 2
CRASHES = {"COUNTING_CRASHES": "7000001 7000002 71"}


def write_script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class Copy(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copytree(ROOT / "fuzz", self.folder / "fuzz")
        (self.folder / "specs").mkdir()
        (self.folder / "specs/a.json").write_text("1")
        seeds = self.folder / "build-fuzz/fuzz/problems"
        seeds.mkdir(parents=True)
        for i in range(SEEDS):
            (seeds / str(i)).write_text(f"seed {i}")
        for harness in HARNESSES:
            write_script(
                self.folder / f"build-fuzz/bin/fuzz_{harness.name}",
                (ROOT / "fuzz/testdata/counting_harness.py").read_text(),
            )
        write_script(
            self.folder / "build-fuzz/bin/decode_problem", '#!/bin/sh\necho "MaxPool-1 f32 seed=$(cat "$1")"\n'
        )
        for tool in ("cmake", "clang++-19"):
            write_script(self.folder / f"tools/{tool}", "#!/bin/sh\n")
        self.shared = self.folder / "shared"
        self.corpus, self.artifacts = self.shared / "corpus" / NAME, self.shared / "findings" / NAME

    def start(self, line, **variables):
        path = f"{self.folder}/tools:{os.environ['PATH']}"
        process = subprocess.Popen(
            ["bash", "-c", f"exec {line}"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PATH": path, "TMPDIR": str(self.folder), **variables},
        )
        self.addCleanup(process.kill)
        return process

    def finish(self, process, code=0):
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, out + err)
        return out

    def worker(self, *options, **variables):
        words = ["fuzz/campaign.py", "--shared", "shared", "--harness", NAME, *options]
        return self.start(" ".join(words), **variables)

    def report(self, code=0, **variables):
        text = self.finish(self.worker("--report", **variables), code)
        row = re.search(rf"^{NAME}\s+(\d+)\s+(\d+)\s+(\d+) > (\d+)\s+(\d+)\s+(\d+)\s+(\d+)$", text, re.MULTILINE)
        names = ("executions", "rate", "before", "edges", "inputs", "findings", "causes")
        return text, dict(zip(names, map(int, row.groups())))

    def inputs(self):
        return campaign.inputs_of(self.corpus)

    def wait_for(self, condition):
        end = time.monotonic() + 120
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)


class Workers(Copy):
    def test_share_and_take_up_what_was_found(self):
        for worker in [self.worker("--seconds=2"), self.worker("--seconds=2", "--jobs=2")]:
            self.finish(worker)
        _, row = self.report()
        self.assertEqual(row["inputs"], len(self.inputs()))
        self.assertEqual((row["before"], row["edges"]), (SEEDS, SEEDS + row["inputs"]))
        self.assertGreaterEqual(row["executions"], row["inputs"] - 10)
        self.finish(self.worker("--seconds=1"))
        states = [json.loads(path.read_text())[NAME] for path in (self.shared / "workers").iterdir()]
        self.assertEqual(max(state["before"] for state in states), row["edges"])

    def test_killed_one_loses_no_finding_and_takes_its_harness_along(self):
        """Killed after its harness has written an input and before it has written what that is."""
        worker = self.worker("--seconds=1000", **CRASHES, COUNTING_PAUSE="1000")
        self.wait_for(lambda: list(self.artifacts.glob("crash-*")))
        children = pathlib.Path(f"/proc/{worker.pid}/task").glob("*/children")
        harness = [pid for path in children for pid in path.read_text().split()]
        self.assertEqual(len(harness), 1)
        os.kill(worker.pid, signal.SIGKILL)
        worker.communicate()
        self.wait_for(lambda: not self.runs(harness[0]))
        self.assertFalse(list(self.artifacts.glob("*.json")))
        self.finish(self.worker("--seconds=6", **CRASHES))
        self.assertEqual(len([path for path in self.artifacts.iterdir() if not path.suffix]), 3)
        text, row = self.report(1, **CRASHES)
        self.assertEqual((row["findings"], row["causes"]), (3, 1), text)
        self.assertIn("harness: value 71 is wrong (3 inputs)\n  conformance reproduce 'MaxPool-1 f32 seed=71'", text)
        again = re.search(rf"^  (\S+/fuzz_{NAME} \S+/crash-[0-9a-f]{{40}})$", text, re.MULTILINE)[1]
        self.assertIn("value 71 is wrong", self.finish(self.start(again, **CRASHES), 77))

    @staticmethod
    def runs(pid):
        try:
            return "fuzz_" in pathlib.Path(f"/proc/{pid}/cmdline").read_text()
        except FileNotFoundError:
            return False

    def test_one_that_is_asked_to_end_says_what_it_has_done(self):
        worker = self.worker("--seconds=1000")
        self.wait_for(self.inputs)
        worker.terminate()
        worker.wait(timeout=campaign.TURN_SECONDS / 2)
        self.finish(worker)
        self.assertGreater(self.report()[1]["inputs"], 0)

    def test_findings_are_minimised(self):
        """By what the harness comes upon; only if it is of the same cause."""
        self.finish(self.worker("--seconds=3", COUNTING_CRASHES="7000001"))
        text, _ = self.report(1, COUNTING_CRASHES="7000001 5")
        self.assertIn("reproduce 'MaxPool-1 f32 seed=5'", text)
        self.assertRegex(text, r"\S+/smaller-crash-[0-9a-f]{40}\n")

    def test_ends_without_an_input_are_findings(self):
        for number, words in (("7000003", "ended without a message"), ("7000000", "status 0")):
            shutil.rmtree(self.shared, ignore_errors=True)
            self.finish(self.worker("--seconds=3", COUNTING_EXITS=number))
            text, row = self.report(1)
            self.assertEqual(row["causes"], 1)
            log = re.search(r"^  less (\S+)$", text, re.MULTILINE)[1]
            self.assertIn(words, text + pathlib.Path(log).read_text())

    def test_of_many_of_one_cause_the_shortest_are_kept(self):
        """None of what a baseline expects."""
        self.artifacts.mkdir(parents=True)
        programs = campaign.Programs(self.folder / "build-fuzz")
        for i in range(1, KEPT_INPUTS + 4):
            path = self.artifacts / f"crash-{i:040}"
            path.write_text("1" * i)
            add(programs, HARNESS, self.artifacts, f"ENDED IN: the library\nTest unit written to {path}\n")
        path = self.artifacts / f"crash-{'f' * 40}"
        path.write_text("1")
        add(programs, HARNESS, self.artifacts, f"{KNOWN}\nTest unit written to {path}\n")
        kept = sorted(int(path.name[-40:]) for path in self.artifacts.glob("crash-*") if not path.suffix)
        self.assertEqual(kept, list(range(1, KEPT_INPUTS + 1)))

    def test_what_a_harness_itself_ends_has_a_status_of_its_own(self):
        self.artifacts.mkdir(parents=True)
        (self.artifacts / f"crash-{'0' * 40}").write_text("71")
        self.assertIn(
            "no finding about the library", self.report(4, **CRASHES, COUNTING_SAYS="ENDED IN: the harness")[0]
        )

    def test_an_input_that_ends_nothing_when_alone_is_a_finding(self):
        self.artifacts.mkdir(parents=True)
        (self.artifacts / f"crash-{'0' * 40}").write_text("1")
        self.assertIn(NOT_AGAIN, self.report(1)[0])

    def test_a_build_says_how_far_it_is(self):
        write_script(self.folder / "tools/cmake", "#!/bin/sh\n[ $1 = -S ] || printf '[1/7] A\\n[2/7] B\\n'\n")
        _, said = self.start(f"fuzz/campaign.py --harness {NAME} --seconds 0").communicate(timeout=300)
        self.assertEqual(said.count("building the harnesses [1/7]\n"), 1, said)
        self.assertNotIn("[2/7]", said)

    def test_without_clang_it_says_what_installs_it(self):
        with mock.patch("shutil.which", return_value=None), contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertRaises(SystemExit, libfuzzer.build, self.folder, [], 1)
        self.assertIn("scripts/install.sh fuzz", said.getvalue())

    def test_wrong_usage_names_what_is_wrong(self):
        for option, words in (("--jobs=0", "0 is not a number"), ("--harness=none", "no such harness: none")):
            worker = self.worker(option)
            self.assertIn(words, worker.communicate()[1])
            self.assertEqual(worker.returncode, 2)
        (self.folder / f"build-fuzz/bin/fuzz_{NAME}").unlink()
        worker = self.worker()
        self.assertIn("is not built", worker.communicate()[1])
        self.assertEqual(worker.returncode, 2)


class Prune(Copy):
    def setUp(self):
        super().setUp()
        options = type(
            "Options", (), {"build": self.folder / "build-fuzz", "out": self.shared, "seconds": 0, "variables": {}}
        )
        self.campaign = campaign.Campaign(options, [HARNESS])
        self.corpus.mkdir(parents=True)
        for number in (1, 2):
            self.add(number)

    def add(self, number):
        (self.corpus / str(number)).write_text(str(number))

    def texts(self):
        return sorted(path.read_text() for path in self.inputs() if path.parent.name.startswith("pruned-"))

    def test_keeps_what_is_reached(self):
        before = self.report()[1]["edges"]
        for _ in range(2):  # the second time of what the first has left
            self.assertIn("inputs, now", self.finish(self.worker("--prune")))
            self.assertEqual(self.report()[1]["edges"], before)
        self.assertEqual([path.name for path in self.corpus.iterdir()], [self.inputs()[0].parent.name])

    def test_what_comes_while_it_runs_stays(self):
        """From workers, and from another prune, which has its set in place before this one has."""
        merge = self.campaign.programs.merge

        def slow(*arguments):
            self.add(3)
            self.campaign.programs.merge = merge
            self.finish(self.worker("--prune"))
            self.add(4)
            return merge(*arguments)

        self.campaign.programs.merge = slow
        self.campaign.prune()
        self.assertTrue((self.corpus / "4").exists())
        self.assertFalse((self.corpus / "1").exists())
        self.assertTrue({"1", "2", "3"} <= set(self.texts()))

    def test_one_that_fails_changes_nothing(self):
        self.campaign.programs.merge = lambda *_: 0
        self.campaign.prune()
        self.assertEqual([path.name for path in self.inputs()], ["1", "2"])
        self.assertFalse(list(self.shared.glob("pruning-*")))

    def test_what_a_killed_one_left_goes_after_a_day(self):
        for name, age in (("pruning-old", 2 * campaign.STALE_SECONDS), ("pruning-new", 0)):
            (self.shared / name).mkdir()
            os.utime(self.shared / name, (time.time() - age,) * 2)
        self.campaign.prune()
        self.assertEqual([path.name for path in self.shared.glob("pruning-*")], ["pruning-new"])


class Readme(Copy):
    def commands(self, heading, script="campaign"):
        """The indented lines of a section that call a script, with few seconds."""
        text = (ROOT / "fuzz/README.md").read_text()
        section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
        lines = re.findall(
            r"^    (?:\w+=\S+ )*(fuzz/SCRIPT\.py .*?)(?:  .*)?$".replace("SCRIPT", script), section, re.MULTILINE
        )
        return [re.sub(r"--seconds [1-9]\d*", "--seconds 1", line) for line in lines]

    def test_own_library_and_campaigns(self):
        """Findings of an earlier campaign are not those of the next."""
        lines = [
            *self.commands("Your own library, led by its coverage, in three commands"),
            *self.commands("Campaigns"),
        ]
        self.assertGreater(len(lines), 3)
        text = self.finish(self.start(f"{lines[1]} --add-regressions --seconds 4", **CRASHES), 1)
        self.assertIn("conformance reproduce", text)
        self.assertIn("\nMaxPool-1 f32 seed=71\n", (self.folder / "fuzz/regressions.txt").read_text())
        for line in lines:
            self.finish(self.start(line))

    def test_time_to_find_mutants(self):
        write_script(
            self.folder / "build-fuzz/bin/list_mutants", "#!/bin/sh\nprintf 'wrong-1\\tfail\\nright\\tpass\\n'\n"
        )
        (line,) = self.commands("Campaigns", "mutants")
        text = self.finish(self.start(f"{line} --require 1"))
        self.assertRegex(
            text, r"\n\| wrong-1 \| \d+\.\d \| 0 \| `MaxPool-1 f32` \|\n\| right \| - \| - \| none in 1 s \|\n"
        )
        self.assertIn("\n1 of 2 found, ", text)
        self.finish(self.start(f"{line} --write table.md --require 2"), 1)
        self.assertEqual((self.folder / "table.md").read_text().count("\n"), text.count("\n"))

    def test_many_machines(self):
        lines = self.commands("Many machines")
        for flag in ("--seconds", "--prune", "--report"):
            self.assertTrue(any(flag in line for line in lines))
        texts = [self.finish(self.start(line)) for line in lines]
        self.assertRegex("".join(texts), r"(?m)^1 processes\n")
        self.assertTrue(any((self.shared / "corpus").rglob("pruned-*/*")))


class Causes(unittest.TestCase):
    def cause(self, text, line="MaxPool-1 f32 in=1"):
        return names_of(NAME, f"{text}\nPROBLEM: {line}\n", line)

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
        causes = [names_of(NAME, log, "") for log in logs]
        self.assertEqual(causes[0], causes[1])
        self.assertNotEqual(causes[1], causes[2])

    def test_a_harness_names_them(self):
        self.assertEqual(names_of(NAME, "CAUSES: a\tb\n", "AvgPool-1 f32"), ["a", "b"])

    def test_findings_that_may_have_one_cause_are_one(self):
        """The one that may have the fewest says which."""
        found = [
            {"harness": NAME, "names": names, "line": str(i), "input": str(i), "size": i}
            for i, names in enumerate((["a", "b"], ["a", "c"], ["a"], ["c"], ["b", "d"]))
        ]
        groups = [sorted(finding["size"] for finding in group) for group in by_cause(found)]
        self.assertEqual(sorted(groups), [[0, 1, 2], [3], [4]])

    def test_an_end_of_the_harness_is_none_of_the_library(self):
        log = "ENDED IN: the {}, received signal SIGSEGV\nSUMMARY: libFuzzer: deadly signal\n"
        harness, library = (names_of(NAME, log.format(who), "") for who in ("harness", "library"))
        self.assertNotEqual(harness, library)
        self.assertEqual(reason_of(log.format("harness")), "ENDED IN: the harness, received signal SIGSEGV")

    def test_the_shortest_input_stands_for_a_cause(self):
        for line, other in (("MaxPool-1 long", "MaxPool-1"), ("", "")):
            findings = [
                {"harness": NAME, "names": ["c"], "line": text, "input": "", "size": len(text) + i}
                for i, text in ((1, line), (0, other))
            ]
            self.assertEqual(by_cause(findings)[0][0], findings[1])


if __name__ == "__main__":
    unittest.main()
