"""Backends whose authors mean well, each with an accident of testdata/accidents, and the verdict that a user
would call right: conforms, with a warning where one is due, or does not, for the reason that is true."""

import multiprocessing.pool
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import Program, Results, library, main

AT_ONCE = 2
FEW = "--stop-after=2"
HANGS = "--timeout=0.1", "--time-budget=20", FEW
PASS, PARTLY = {"pass"}, {"pass", "unsupported"}
SPEAKS = "cases that the backend supports"
NO_STORY = "used again"  # an explanation that would be wrong

# Accident: options, exit code, verdicts ({} where nothing is judged), words that are printed; those after a "not" are
# not printed.
TABLE = {
    # It has less than all.
    "axis-2": ([], 0, PARTLY, ["judged are the 23 of 512 " + SPEAKS, "too few to speak for an operator"]),
    "channels-of-8": ([], 0, PARTLY, ["judged are the 1 of 512 " + SPEAKS, "too few to speak for an operator"]),
    "explicit-pads": ([], 0, PARTLY, [SPEAKS]),
    "f16-alone": ([], 0, PARTLY, [SPEAKS]),
    "one-image": ([], 0, PARTLY, [SPEAKS]),
    "rank-3": ([], 0, PARTLY, [SPEAKS]),
    "unsupported-for-invalid": ([], 0, PARTLY, [SPEAKS]),
    # It says so in the wrong way.
    "internal-for-unsupported": ([], 1, {"fail"}, ["INTERNAL_ERROR (3D is not implemented)", "only where rank = 5"]),
    "invalid-for-unsupported": ([], 1, {"wrongly-rejected", "deviates"}, ["INVALID_ARGUMENT. (3D is not implemented)"]),
    "status-of-errno": ([], 1, {"fail"}, ["a status that does not exist (operation not supported)"]),
    "unsupported-in-run": ([], 1, {"fail"}, ["infer_shapes accepts the call, then run answers UNSUPPORTED (no kernel"]),
    # It needs what is not there, or is not given.
    "needs-1-gib": ([], 0, PASS, []),
    "needs-1-gib of less": (["--memory=0.5"], 3, {}, ["no memory for the pool of 1 GiB"]),
    "needs-a-file": ([], 3, {}, ["cannot read the configuration"]),
    "needs-a-file of its own": (["--pass-env=MINE_CONFIG", "--allow-read={folder}/mine.conf"], 0, PASS, []),
    "needs-a-temporary-folder": (["--isolation=none"], 0, PASS, []),
    "needs-a-variable": ([], 3, {}, ["ACCIDENT_LICENCE is not set"]),
    "needs-a-variable that passes": (["--pass-env=ACCIDENT_LICENCE"], 0, PASS, []),
    "unknown-instruction": ([FEW], 1, {"crash"}, ["received signal SIGILL in run", "only where type = f16"]),
    "unknown-instruction-in-create": ([], 3, {}, ["received signal SIGILL"]),
    # It takes its time.
    "slow-start": ([], 0, PASS, []),
    "slow-destroy": ([], 0, PASS, ["not", "warning"]),
    "slow-exit": ([], 0, PASS, ["not", "warning"]),
    "never-starts": (["--load-timeout=0.5"], 3, {}, ["took more than 0.5 s"]),
    "never-ends": (
        ["--exit-timeout=0.5"],
        0,
        PASS,
        ["took more than 0.5 s in destroy (1 time); the verdict does not depend on it"],
    ),
    "hangs-in-3d": (HANGS, 1, {"timeout", "missing"}, ["took more than 0.1 s in run"]),
    "hangs-in-f16": (HANGS, 1, {"timeout", "missing"}, ["took more than 0.1 s in run"]),
    "hangs-with-channels": (HANGS, 1, {"timeout", "missing"}, ["took more than 0.1 s in run"]),
    "hangs-after-an-error": (HANGS, 1, {"timeout", "missing", "fail"}, ["INTERNAL_ERROR (no kernel for 3D)"]),
    # It ends.
    "starts-at-times": (
        ["--isolation=none"],
        1,
        {"crash"},
        [
            "received signal SIGABRT in run",
            "where rank = 5",
            "outside of any case the backend did not start at first: ",
            "the device is busy",
            "not",
            "could not be started again",
        ],
    ),
    "dies-at-40th-call": ([FEW], 1, {"crash"}, ["received signal SIGABRT in run", "not", NO_STORY]),
    "dies-at-random": ([FEW], 1, {"crash"}, ["received signal SIGABRT in run", "not", "only after another case"]),
    "dies-at-exit": ([], 1, PASS, ["outside of any case the backend received signal SIGABRT after destroy (1 time)"]),
    "dies-in-destroy": ([], 1, PASS, ["outside of any case the backend received signal SIGABRT in destroy (1 time)"]),
    "exits-on-error": ([FEW], 1, {"crash"}, ["exited with status 1 in run"]),
    "terminates-at-40th-call": (
        [],
        1,
        PASS,
        ["the backend was killed by signal SIGTERM in run, which this program did not send"],
    ),
    "throws": ([FEW], 1, {"crash"}, ["received signal SIGABRT in run"]),
    # It loses something from call to call, or keeps something.
    "fails-at-40th-call": (
        [FEW],
        1,
        {"fail", "nondeterministic"},
        ["INTERNAL_ERROR (the queue of the device is full)", "not", NO_STORY],
    ),
    "leaks-descriptors": ([], 1, PASS, ["leaves descriptors open, one more in every 1 calls of run"]),
    "leaks-descriptors-at-times": ([], 1, PASS, ["leaves descriptors open, one more in every 9 calls of run"]),
    "leaks-memory": (
        ["--memory=1", FEW],
        1,
        set(),
        ["answered INTERNAL_ERROR (out of memory) until its process was started again", "not", NO_STORY],
    ),
    "leaks-threads": (
        [],
        0,
        PASS,
        ["warning: outside of any case the backend leaves threads running, one more in every 1 calls of run"],
    ),
    "stale-cache": ([], 1, {"fail"}, ["what was computed for an earlier call is used again"]),
    # It changes what is around it, or talks.
    "blocks-signals": ([], 0, PASS, []),
    "changes-folder": ([], 0, PASS, []),
    "changes-locale": ([], 0, PASS, []),
    "changes-rounding": ([], 0, PASS, []),
    "large-stack": ([], 0, PASS, []),
    "logs-without-end": (["--log-limit=1"], 0, PASS, []),
    "prints-without-end": (["--log-limit=1"], 0, PASS, ["bytes to standard output, kept in"]),
    # It writes too little, too much or too late.
    "device-at-once": ([], 0, PASS, []),
    "device-late-0.5-ms": ([FEW], 1, {"written-late", "unwritten"}, []),
    "device-late-8-ms": ([FEW], 1, {"written-late", "unwritten"}, []),
    "device-late-30-ms": ([FEW], 1, {"written-late", "unwritten"}, []),
    "first-image-alone": (
        [],
        1,
        {"unwritten"},
        ["only where batch = 2", "1 of 2 elements of output values were never"],
    ),
    "writes-nothing-where-nothing-is": ([], 0, PASS, ["zero-size=empty-output"]),
    "whole-vectors-alone": ([FEW], 1, {"unwritten"}, []),
    "memory-taken-for-zeros": ([FEW], 1, {"unwritten", "nondeterministic"}, []),
    "scratch-too-small": ([FEW], 1, {"fail"}, ["Output values at"]),
    "input-as-scratch": ([FEW], 1, {"input-modified"}, ["wrote to byte 0 of input 1 in run"]),
    "reads-past-end": ([FEW], 1, {"out-of-bounds"}, ["read byte 4 past the end of input 1 in run"]),
    "writes-past-end": ([FEW], 1, {"out-of-bounds"}, ["wrote byte 1 past the end of output 1 (values) in run"]),
}


class Accidents(Program):
    def run_one(self, name):
        return self.run_program(
            f"--backend={library('accidents')}",
            f"--backend-option=accident={name.split()[0]}",
            "--level=quick",
            "--random=0",
            "--filter=MaxPool-8",
            "--jobs=1",
            "--no-report",
            "--no-shrink",
            f"--out={self.path(name)}",
            *(option.format(folder=self.folder) for option in TABLE[name][0]),
            env={"ACCIDENT_LICENCE": "1", "MINE_CONFIG": self.path("mine.conf"), "TMPDIR": self.folder},
        )

    def test_each_gets_the_verdict_that_is_right(self):
        with open(self.path("mine.conf"), "w", encoding="utf-8") as file:
            file.write("licence\n")
        with multiprocessing.pool.ThreadPool(AT_ONCE) as pool:
            for name, done in zip(TABLE, pool.map(self.run_one, TABLE, chunksize=1)):
                with self.subTest(accident=name):
                    self.check(name, done, *TABLE[name][1:])

    def check(self, name, done, code, verdicts, words):
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        end = words.index("not") if "not" in words else len(words)
        for word in words[:end]:
            self.assertIn(word, said)
        for word in words[end + 1 :]:
            self.assertNotIn(word, said)
        if code == 3:
            return self.one_sentence(done)
        seen = Results(self.path(name, "results.jsonl")).verdicts()
        found = seen - PARTLY
        self.assertLessEqual(seen, verdicts | PARTLY, said)
        self.assertEqual(bool(found), bool(verdicts - PARTLY), said)
        self.assertEqual("unsupported" in seen, "unsupported" in verdicts)
        return None

    def test_table_has_every_accident(self):
        arguments = ("--backend-option=accident=list", "--jobs=1", "--out=list")
        self.run_program(f"--backend={library('accidents')}", *arguments, code=3)
        with open(self.path("list", "backend-1.log"), encoding="utf-8") as file:
            listed = set(file.read().split())
        self.assertEqual(listed - {"none"}, {name.split()[0] for name in TABLE})


if __name__ == "__main__":
    main()
