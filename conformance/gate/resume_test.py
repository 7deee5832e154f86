"""A run that was stopped at any point goes on from there, and ends with the results of one that was not.

The same as often as one likes: POOLPROOF_KILLS=50."""

import os
import random
import shutil
import signal
import subprocess
import time

import harness
from harness import MUTANTS, OPTIMIZED, REFERENCE, Program, Results, children, kill, library, main, wait_until

KILLS = int(os.environ.get("POOLPROOF_KILLS", 6))
FAILING = [MUTANTS, "--backend-option=mutant=ties-last-only-in-3d"]
PASSING = [REFERENCE]
WRONG = [MUTANTS, "--backend-option=mutant=index-counts-from-one"]


class Stopped(Program):
    """Runs that are stopped, and what becomes of them."""

    def arguments(self, backend, *more):
        name, *options = backend
        return [f"--backend={library(name)}", f"--out={self.path('cut')}", *options, *more]

    def resumable(self):
        names = os.listdir(self.path("cut")) if os.path.exists(self.path("cut")) else []
        return any(name.startswith("results.jsonl") for name in names)

    def complete(self):
        return os.path.exists(self.path("cut", "results.jsonl"))

    def check_equal(self, whole, arguments):
        done = self.run_program(*arguments, *(["--resume"] if self.resumable() else []))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(Results(self.path("cut", "results.jsonl")).comparable(), whole.comparable())


class AtRandom(Stopped):
    def check_kills(self, backend, *more):
        name, *options = backend
        more = ["--level=quick", "--random=30000", "--no-shrink", *more]
        _, whole = self.gate(name, *options, *more, out="whole")
        arguments = self.arguments(backend, *more)
        rng = random.Random(1)
        stopped = 0
        for attempt in range(20 * KILLS):
            if stopped == KILLS:
                break
            resume = ["--resume"] if self.resumable() else []
            runner = subprocess.Popen(
                [harness.PROGRAM, *arguments, *resume], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            try:
                runner.wait(timeout=rng.uniform(0.05, 0.8))
            except subprocess.TimeoutExpired:
                stopped += 1
                if attempt % 2:  # the backend's processes first, the runner while it starts them again
                    for child in children(runner.pid):
                        kill(child)
                    time.sleep(rng.uniform(0, 0.01))
                runner.send_signal(signal.SIGKILL)
                runner.wait()
            if self.complete():
                self.assertEqual(Results(self.path("cut", "results.jsonl")).comparable(), whole.comparable())
                shutil.rmtree(self.path("cut"))
        self.assertEqual(stopped, KILLS)
        self.check_equal(whole, arguments)

    def test_passing_backend(self):
        self.check_kills(PASSING)

    def test_failing_backend(self):
        self.check_kills(FAILING)


class AtEachWrite(Stopped):
    """Every change of a file of the run is the last one once, and half done."""

    def check_each_write(self, backend, *more):
        name, *options = backend
        more = ["--level=documented", "--filter=MaxPool-*", "--jobs=1", *more]
        _, whole = self.gate(name, *options, *more, out="whole")
        arguments = self.arguments(backend, *more)
        for change in range(1, 200):
            shutil.rmtree(self.path("cut"), ignore_errors=True)
            done = self.run_program(
                *arguments,
                env={
                    "LD_PRELOAD": os.path.join(harness.BUILD, "lib", "libstop_at_write.so"),
                    "STOP_FOLDER": self.path("cut"),
                    "STOP_AT": str(change),
                },
            )
            if done.returncode != -signal.SIGKILL:
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertGreater(change, 8)
                return
            self.check_equal(whole, arguments)
        self.fail("a run of a few cases changes its files 200 times")

    def test_passing_backend(self):
        self.check_each_write(PASSING)

    def test_failing_backend(self):
        self.check_each_write(WRONG)

    def test_failing_backend_with_baseline(self):
        backend = WRONG
        self.gate(*backend, "--level=documented", "--filter=MaxPool-*", out="first", code=1)
        file = self.path("baseline.txt")
        self.run_program("baseline", f"--results={self.path('first', 'results.jsonl')}", f"--write={file}", code=0)
        self.check_each_write(backend, f"--baseline={file}")


class Complete(Stopped):
    """A run that has come to its end goes on as any other: what it left is taken apart and put together again."""

    def test_cases_without_a_line_are_taken_over(self):
        options = ["--level=quick", "--random=3000", "--no-shrink"]
        for backend in (PASSING, FAILING):
            _, whole = self.gate(*backend, *options, out="cut")
            done = self.run_program(*self.arguments(backend, *options), "--resume")
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertEqual(Results(self.path("cut", "results.jsonl")).comparable(), whole.comparable())
            names = {name for name in os.listdir(self.path("cut")) if name.startswith("results")}
            self.assertEqual(names, {"results.jsonl"})

    def test_another_run_is_refused_and_left_as_it_is(self):
        _, whole = self.gate(*PASSING, "--level=documented", out="cut", code=0)
        done = self.run_program(*self.arguments(PASSING, "--level=quick", "--random=9"), "--resume", code=2)
        self.one_sentence(done, "results.jsonl: cannot be resumed: level was")
        self.assertEqual(Results(whole.path).lines, whole.lines)


class Interruption(Program):
    def test_interrupt_says_how_to_go_on(self):
        command = [
            harness.PROGRAM,
            f"--backend={library(OPTIMIZED)}",
            f"--out={self.path('out')}",
            "--level=quick",
            "--random=500000",
        ]
        runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        partial = self.path("out", "results.jsonl.partial")
        wait_until(lambda: os.path.exists(partial) and os.path.getsize(partial) > 1 << 19)
        runner.send_signal(signal.SIGINT)
        _, stderr = runner.communicate(timeout=60)
        self.assertEqual(runner.returncode, 130)
        self.assertIn("--resume", stderr)

    # Far longer than this test may take, however slow the machine.
    HANGS = (f"--backend={library(MUTANTS)}", "--backend-option=mutant=hangs-in-f16", "--filter=f16", "--timeout=3000")

    def test_interrupt_ends_a_hang(self):
        command = [harness.PROGRAM, *self.HANGS, f"--out={self.path('out')}", "--random=0", "--level=quick"]
        runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        partial = self.path("out", "results.jsonl.partial")
        wait_until(lambda: os.path.exists(partial))
        runner.send_signal(signal.SIGINT)
        _, stderr = runner.communicate(timeout=1000)
        self.assertEqual(runner.returncode, 130, stderr)
        self.assertRegex(stderr, r"Interrupted after [\d,]+ cases?, of which [\d,]+ did not conform; ")
        self.assertIn("--resume", stderr)

    def test_budget_ends_a_probe(self):
        """The limit of a call is added to it once, not once for each call that hangs."""
        begun = time.monotonic()
        done = self.run_program(
            *self.HANGS[:3],
            "--timeout=15",
            "--time-budget=1",
            "--level=documented",
            "--random=100",
            f"--out={self.path('out')}",
            code=4,
            timeout=1000,
        )
        self.assertLess(time.monotonic() - begun, 8 * 15)
        self.assertIn("ended by --time-budget", done.stdout)

    def test_stop_after_is_where_it_was_without_the_stop(self):
        options = [
            "--backend-option=mutant=kernel-reversed",
            "--level=quick",
            "--random=3000",
            "--no-shrink",
            "--stop-after=40",
        ]
        _, whole = self.gate(MUTANTS, *options, out="whole", code=1)
        failed = [case for case in whole.cases if case["verdict"] not in ("pass", "unsupported")]
        self.assertEqual(whole.footer["stopped"], "stop-after")
        self.assertGreaterEqual(len(failed), 40)
        self.gate(MUTANTS, *options, "--jobs=1", out="cut", code=1)
        # As if it had been killed before it wrote groups and footer.
        cut = Results(self.path("cut", "results.jsonl"))
        lines = [cut.lines[0], *cut.case_lines]
        os.remove(self.path("cut", "results.jsonl"))
        with open(self.path("cut", "results.jsonl.partial"), "w", encoding="utf-8") as file:
            file.writelines(lines)
        _, cut = self.gate(MUTANTS, *options, "--resume", out="cut", code=1)
        self.assertEqual(cut.comparable(), whole.comparable())

    def test_what_is_resumed_has_to_be_the_plan(self):
        options = ["--level=documented"]
        _, whole = self.gate(OPTIMIZED, *options, code=0)
        lines = [whole.lines[0], *whole.case_lines]
        os.remove(self.path("out", "results.jsonl"))
        for broken, word in (
            (lines[:3] + lines[4:9], "missing"),
            (lines[:3] + lines[2:9], "follows"),
            (lines[:1] + lines[:9], "second header"),
            (lines[:2] + [lines[2].replace("Pool-", "Pull-")], "Pull-"),
        ):
            with open(self.path("out", "results.jsonl.partial"), "w", encoding="utf-8") as file:
                file.writelines(broken)
            done = self.run_program(
                f"--backend={library(OPTIMIZED)}", f"--out={self.path('out')}", *options, "--resume", code=4
            )
            self.one_sentence(done, "results.jsonl.partial:", word)


class OneRunAtATime(Program):
    def test_second_run_into_a_folder_is_refused(self):
        arguments = [f"--backend={library(OPTIMIZED)}", f"--out={self.path('out')}"]
        first = subprocess.Popen(
            [harness.PROGRAM, *arguments, "--level=quick", "--random=500000"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(first.wait)
        self.addCleanup(first.kill)
        partial = self.path("out", "results.jsonl.partial")
        wait_until(lambda: os.path.exists(partial) and os.path.getsize(partial) > 1 << 16)
        for more in (["--level=documented"], ["--resume"]):
            self.one_sentence(self.run_program(*arguments, *more, code=2), "another run", self.path("out"))
        self.assertIsNone(first.poll())

    def test_whoever_else_writes_is_found_out(self):
        runner = subprocess.Popen(
            [
                harness.PROGRAM,
                f"--backend={library(OPTIMIZED)}",
                "--level=quick",
                "--random=100000",
                f"--out={self.path('out')}",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        partial = self.path("out", "results.jsonl.partial")
        wait_until(lambda: os.path.exists(partial) and os.path.getsize(partial) > 1 << 20)
        with open(partial, "r+b") as file:
            file.seek(1 << 18)
            at = file.read(1 << 12).index(b'"verdict":"pass"') + (1 << 18)
            file.seek(at)
            file.write(b'"verdict":"fail"')
        stdout, stderr = runner.communicate(timeout=300)
        self.assertEqual(runner.returncode, 4, stdout)
        self.assertIn("something else writes into it", stderr)
        self.assertNotIn("CONFORM", stdout)


if __name__ == "__main__":
    main()
