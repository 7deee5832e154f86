"""What a run says: of what it is a part, what was left out, ranges of numbers, and nothing of a backend raw."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios

from harness import MUTANTS, OPTIMIZED, PROGRAM, Program, library, main

HOSTILE = "\x1b[2J\x1b]0;title\x07\r\n::error::pwned\n##vso[task.complete]\u202e"
BACKEND = f"""
import json, sys
text = {HOSTILE!r}
number = 0
for line in sys.stdin:
    call = json.loads(line)
    if "poolproof" in call:
        answer = {{"poolproof": 1, "name": "evil" + text, "version": text}}
    else:
        number += 1
        status = ("INVALID_ARGUMENT", "INTERNAL_ERROR", "UNSUPPORTED")[number // 2 % 3]
        answer = {{"id": call["id"], "status": status, "error": text}}
    data = sum(i.get("bytes", 0) for i in call.get("inputs", []))
    sys.stdin.read(data) if data else None
    print(json.dumps(answer), flush=True)
"""


class Raw(Program):
    """Escape sequences, line breaks and commands of CI systems that a backend says stay text."""

    def setUp(self):
        super().setUp()
        with open(self.path("evil.py"), "w", encoding="utf-8") as file:
            file.write(BACKEND)
        self.backend = f"process:{sys.executable} {self.path('evil.py')}"

    def clean(self, text, what):
        for line in text.split("\n"):
            self.assertNotRegex(line, r"^\s*::", what)
            self.assertNotRegex(line, r"##(vso)?\[", what)
            self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", line), what + ": " + repr(line[:200]))

    def test_terminal_and_reports(self):
        done, _ = self.gate(self.backend, "--level=documented", "--filter=example-*", code=1)
        self.assertIn("evil", done.stdout)
        self.clean(done.stdout + done.stderr, "run")
        for name in ("report.html", "junit.xml", "summary.md", "badge.svg"):
            with open(self.path("out", name), encoding="utf-8", newline="") as file:
                self.clean(file.read(), name)

    def test_reproduce_and_properties(self):
        done = self.run_program("reproduce", "MaxPool-8/example-1", f"--backend={self.backend}")
        self.clean(done.stdout + done.stderr, "reproduce")
        done = self.run_program(f"--backend={self.backend}", "--level=properties", "--random=1")
        self.clean(done.stdout + done.stderr, "properties")

    def test_what_a_file_says(self):
        self.gate(MUTANTS, "--backend-option=mutant=index-counts-from-one", "--level=documented", "--no-shrink", code=1)
        path = self.path("out", "results.jsonl")
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        for i, line in enumerate(lines):
            value = json.loads(line)
            for key in ("message", "signature"):
                if key in value:
                    value[key] += HOSTILE
            if "backend" in value:
                value["backend"]["name"] += HOSTILE
            lines[i] = json.dumps(value, separators=(",", ":")) + "\n"
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        done = self.run_program("merge", path, "--out=merged", code=1)
        self.clean(done.stdout + done.stderr, "merge")
        done = self.run_program("baseline", f"--results={path}", "--write=b.txt", code=0)
        self.clean(done.stdout + done.stderr, "baseline")
        done = self.run_program(f"--backend={library(OPTIMIZED)}", "--level=documented", "--baseline=b.txt", code=1)
        self.clean(done.stdout + done.stderr, "baseline of a run")

    def test_sentences(self):
        for arguments in (
            ["reproduce", "MaxPool" + HOSTILE + " x", "--backend=x"],
            ["report", HOSTILE],
            ["--backend=" + HOSTILE, "--out=out"],
            ["--level=" + HOSTILE, "--backend=x"],
            ["--random=" + HOSTILE],
        ):
            done = self.run_program(*arguments)
            self.assertGreaterEqual(done.returncode, 2)
            self.one_sentence(done)
            self.clean(done.stdout + done.stderr, arguments[0])


class Ranges(Program):
    """Every number has a range, and says so."""

    def test_numbers_out_of_range(self):
        for option, values in {
            "--random": ("-1", "-4000", "1e3", "1000000001", "", "0x10", "01", " 1", "99999999999999999999"),
            "--seed": ("-1", "18446744073709551616", "x", "1.0"),
            "--jobs": ("-1", "1025", "two"),
            "--timeout": ("0", "-1", "nan", "inf", "1e9", "1s"),
            "--time-budget": ("0", "-5", "inf"),
            "--stop-after": ("0", "-1"),
            "--load-timeout": ("0", "x"),
            "--exit-timeout": ("-1", "x"),
            "--processes": ("-1", "100001"),
            "--memory": ("-1", "1048577"),
            "--log-limit": ("-1", "1.5"),
            "--shard": ("0/2", "3/2", "-1/2", "1/4294967296"),
        }.items():
            for value in values:
                done = self.run_program("--backend=x", f"{option}={value}", code=2)
                self.one_sentence(done, option, value)

    def test_of_other_commands(self):
        for command in (["list"], ["vectors", "--out=v"], ["coverage"], ["mutants"]):
            self.one_sentence(self.run_program(*command, "--random=-1", code=2), "--random", "from 0 to")
        for command in (["reproduce", "MaxPool-8/example-1", "--backend=x"], ["mutants"]):
            self.one_sentence(self.run_program(*command, "--timeout=0", code=2), "--timeout", "from 0.001 to")


class Parts(Program):
    """A run over a part of the plan says of what, first, and never that the backend just conforms."""

    def check(self, part, *options, code=0):
        done, results = self.gate(OPTIMIZED, *options, code=code)
        self.assertRegex(done.stdout.splitlines()[0], "^A part of the plan: .*" + re.escape(part))
        self.assertNotIn("CONFORMS", [line.strip() for line in done.stdout.splitlines()])
        verdict = next(line for line in done.stdout.splitlines() if "CONFORMS" in line)
        self.assertIn(part, verdict)
        for name in ("report.html", "summary.md", "summary.json", "junit.xml"):
            with open(self.path("out", name), encoding="utf-8") as file:
                text = file.read().replace("&quot;", '"').replace('\\"', '"')
            self.assertIn(part, text, name)
        with open(self.path("out", "badge.svg"), encoding="utf-8") as file:
            self.assertNotRegex(file.read(), "conforms<")
        return results

    def test_level_random_filter_shard(self):
        self.check("level documented", "--level=documented")
        self.check("20 of 100,000 random problems", "--level=quick", "--random=20")
        self.check('filter "MaxPool-8 f32"', "--filter=MaxPool-8 f32", "--level=quick", "--random=20")
        self.check("shard 2 of 3", "--shard=2/3", "--level=quick", "--random=20")

    def test_merged_shards_are_no_part(self):
        for index in (1, 2):
            self.gate(OPTIMIZED, "--level=documented", f"--shard={index}/2", out=f"s{index}", code=0)
        done = self.run_program("merge", "s1/results.jsonl", "s2/results.jsonl", code=0)
        self.assertNotIn("shard", done.stdout)
        self.assertIn("A part of the plan: level documented\n", done.stdout)

    def test_time_budget(self):
        # Planning is within the budget, and takes seconds on a busy machine.
        results = self.check("ended by --time-budget after", "--time-budget=15")
        self.assertLess(results.footer["planned"], 1_000_000)

    def test_a_budget_that_is_over_before_a_case_accuses_nobody(self):
        budget = ("--backend-option=accident=slow-start", "--time-budget=0.1")
        done, results = self.gate("accidents", *budget, code=4)
        self.assertEqual(results.footer["planned"], 0)
        self.assertIn("NOT JUDGED in a part of the plan: ended by --time-budget after 0 cases", done.stdout)
        with open(self.path("out", "report.html"), encoding="utf-8") as file:
            self.assertNotIn("Does not conform", file.read())
        with open(self.path("out", "badge.svg"), encoding="utf-8") as file:
            self.assertIn("not judged", file.read())

    def test_time_budget_covers_the_fixed_plan_and_shrinking(self):
        # Asked what it has, a backend that hangs takes a --timeout for each operator and element type.
        probe = f"--probe={self.path('probe.json')}"
        self.run_program("probe", f"--backend={library(MUTANTS)}", f"--write={self.path('probe.json')}", code=0)
        hang = (MUTANTS, "--backend-option=mutant=hang", probe, "--timeout=1")
        done, results = self.gate(*hang, "--time-budget=1", "--jobs=1")
        self.assertIn(done.returncode, (1, 4))  # a slow machine begins no case
        self.assertEqual(results.footer["stopped"], "time-budget")
        self.assertLess(results.footer["planned"], 4000)

    def test_stop_after(self):
        done, results = self.gate(MUTANTS, "--backend-option=mutant=kernel-reversed", "--stop-after=3", code=1)
        self.assertIn("ended by --stop-after after", done.stdout.splitlines()[0])
        failing = [case for case in results.cases if case["verdict"] not in ("pass", "unsupported", "inconsistent")]
        self.assertLessEqual(len(failing), 3)


class OnATerminal(Program):
    """A line that says what is done and fits the terminal, and colours; elsewhere neither."""

    def show(self, *arguments, columns=80, interrupt_at=None, code=1, **variables):
        """What a terminal of this width gets, on which somebody presses Ctrl-C where a text is shown."""
        mine, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        environment |= {"TERM": "xterm", **variables}
        child = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=its, stderr=its, env=environment)
        os.close(its)
        shown = b""
        try:
            while part := os.read(mine, 65536):
                shown += part
                if interrupt_at is not None and interrupt_at.encode() in shown:
                    child.send_signal(signal.SIGINT)
                    interrupt_at = None
        except OSError:  # the terminal has been closed
            pass
        os.close(mine)
        self.assertEqual(child.wait(), code)
        return shown.decode()

    RUN = (f"--backend={library(MUTANTS)}", "--backend-option=mutant=kernel-reversed", "--level=quick", "--random=9000")

    def test_the_line_says_how_far_it_is_and_fits(self):
        for columns in (20, 80, 200):
            shown = self.show(*self.RUN, columns=columns)
            lines = [part.split("\n")[0] for part in shown.split("\r\x1b[K")[1:-1]]
            self.assertEqual([line for line in lines if len(line) >= columns], [])
            self.assertTrue(any(re.match(r"judging \d+%", line) for line in lines), lines)
            if columns == 200:
                self.assertTrue(any(re.match(r"judging \d+%.*, then the causes: .* pass, ", line) for line in lines))

    def test_colours(self):
        shown = self.show(*self.RUN)
        self.assertIn("\x1b[1;31mDOES NOT CONFORM\x1b[0m", shown)
        self.assertRegex(shown, r": \x1b\[1;32m\d+ pass\x1b\[0m, \x1b\[1;31m\d+ ")
        self.assertRegex(shown, r"report: \x1b\[36m\S+/report.html\x1b\[0m")
        self.assertNotRegex(self.show(*self.RUN, NO_COLOR="1"), r"\x1b\[[0-9;]*m")
        self.assertNotIn("\x1b", self.show(*self.RUN, TERM="dumb"))

    def test_ctrl_c_ends_what_explains(self):
        """All cases have been run; what is left is left out, and --resume makes up for it."""
        for phase in ("naming the causes", "looking for the smallest cases"):
            shown = self.show(*self.RUN, interrupt_at=phase, code=130)
            self.assertIn("Stopping; ", shown)
            self.assertRegex(shown, r"Interrupted after [\d,]+ cases, of which [\d,]+ did not conform; .*--resume")
            self.assertNotIn("DOES NOT CONFORM", shown)
        self.assertIn("DOES NOT CONFORM", self.show(*self.RUN, "--resume"))

    def test_a_log_gets_a_line_every_ten_seconds_alone(self):
        done = self.run_program(*self.RUN, code=1)
        self.assertNotIn("\x1b", done.stdout)
        self.assertRegex(done.stderr, r"\A((judging|naming|making|starting|asking|looking|writing) .*\n)*\Z")
        done = self.run_program("--backend=process:sleep 30", "--load-timeout=10.5", code=3)
        self.assertRegex(
            done.stderr, r"\Astarting the backend for \d+ s\nconformance: .*greeting within 10.5 s: .*\n\Z"
        )


class SetAside(Program):
    """A pair of operator and element type that keeps ending the process is set aside alone."""

    def check(self, mutant, verdict, limit, *options):
        done, results = self.gate(MUTANTS, f"--backend-option=mutant={mutant}", "--no-shrink", *options, code=1)
        ends, missing = {}, {}
        for case in results.cases:
            line = case.get("line", case["id"]).split()
            counts = ends if case["verdict"] == verdict else missing if case["verdict"] == "missing" else None
            if counts is not None:
                counts[tuple(line[:2])] = counts.get(tuple(line[:2]), 0) + 1
        self.assertEqual({kind for _, kind in missing}, {"f16"})
        for pair in missing:
            self.assertEqual(ends[pair], limit, pair)
        listed = [pair for pair in missing if f"set aside: {pair[0]} f16, since {limit} of its cases" in done.stdout]
        self.assertEqual(len(listed), min(3, len(missing)))
        for pair in listed:
            self.assertRegex(done.stdout, rf"set aside: {pair[0]} f16, since .*: {missing[pair]} cases? missing")
        if len(missing) > 3:
            rest = sum(count for pair, count in missing.items() if pair not in listed)
            self.assertRegex(done.stdout, rf"set aside: {len(missing) - 3} more pairs .*: {rest} cases? missing")
        self.assertEqual("--timeout gives a case more seconds" in done.stdout, verdict == "timeout")
        self.assertEqual({(p["operator"], p["type"]): p["missing"] for p in results.footer["set_aside"]}, missing)
        with open(self.path("out", "report.html"), encoding="utf-8") as file:
            self.assertIn("was set aside, since", file.read())
        passed = {
            tuple(case.get("line", case["id"]).split()[:2]) for case in results.cases if case["verdict"] == "pass"
        }
        self.assertGreater(len(passed), 10)
        return results

    def test_hangs(self):
        self.check(
            "hangs-in-f16", "timeout", 5, "--timeout=0.2", "--filter=MaxPool-*", "--level=quick", "--random=3000"
        )

    def test_deaths(self):
        results = self.check(
            "always-crashes-in-f16", "crash", 500, "--filter=MaxPool-8", "--level=quick", "--random=150000"
        )
        self.assertEqual(sum(results.footer["counts"].values()), results.footer["planned"])


class Deviations(Program):
    def test_the_title_says_what_is_read_otherwise_and_how_to_demand_it(self):
        plan = ("--level=documented", "--family=openvino")
        wrong = (MUTANTS, "--backend-option=mutant=same-divides-by-stride", *plan)
        done, _ = self.gate(*wrong, code=1)
        self.assertRegex(
            done.stdout, r"(?m)^1\. deviates in .*: The output size is Ceiling\(.*\): same-stride=ceil-div$"
        )
        command = re.search(r"(?m)^   if that is meant: (\S+) demands it$", done.stdout)[1]
        self.gate(*wrong, command, code=0)

    def test_list_takes_families(self):
        listed = self.run_program("list", "--family=pytorch", "--filter=*-1", code=0).stdout.splitlines()
        self.assertTrue(listed)
        self.assertEqual({line.split()[1].split(".")[0] for line in listed}, {"torch"})
        self.one_sentence(self.run_program("list", "--family=pytorh", code=2), '"pytorh"')


class Contradictions(Program):
    def test_reproduce_runs_both(self):
        mutant = "--backend-option=mutant=ties-last-only-in-3d"
        done, results = self.gate(MUTANTS, mutant, "--level=quick", "--random=3000", "--no-shrink", code=1)
        group = next(g for g in results.groups if g["verdict"] == "inconsistent")
        line = group["smallest"]["line"]
        self.assertRegex(done.stdout, r"reproduce: .* --with='")
        shown = self.run_program(
            "reproduce", line, f"--with={group['with']}", f"--backend={library(MUTANTS)}", mutant, code=1
        )
        self.assertIn(line, shown.stdout)
        self.assertIn("The case that contradicts it:\n" + results.line_of(group["with"]), shown.stdout)
        self.assertIn("inconsistent: The backend reads ties in two ways", shown.stdout)
        shown = self.run_program(
            "reproduce", line, f"--with={group['with']}", f"--backend={library(OPTIMIZED)}", code=0
        )
        self.assertIn("do not contradict", shown.stdout)


if __name__ == "__main__":
    main()
