"""Bad input gets one sentence that names the thing, the right exit code, and nothing is lost.

Exit codes: 2 wrong usage or input, 3 the backend cannot be started, 4 the runner failed."""

import os
import pathlib
import resource
import shutil
import subprocess
import sys

import harness
from harness import OPTIMIZED, ROOT, Program, Results, library, main, wait_until

SPECS = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "specs"))


class Backends(Program):
    def start(self, backend):
        return self.run_program(f"--backend={backend}", "--out=out", "--level=documented", code=3)

    def test_no_such_file(self):
        self.one_sentence(self.start("./nothing.so"), "./nothing.so")

    def test_not_a_shared_object(self):
        with open(self.path("text.so"), "w", encoding="utf-8") as file:
            file.write("no library\n")
        self.one_sentence(self.start("./text.so"), "text.so")

    def test_symbol_missing(self):
        self.one_sentence(self.start(library("no_symbol")), "poolproof_get_backend")

    def test_other_abi_version(self):
        self.one_sentence(self.start(library("table_abi")), "version")

    def test_dies_while_loading(self):
        self.one_sentence(self.start(library("table_crash")), "load")

    def test_program_that_dies_says_why(self):
        """Python's traceback is shown, line by line, below the sentence."""
        with open(self.path("broken.py"), "w", encoding="utf-8") as file:
            file.write("def load():\n    import no_such_module_here\n\nload()\n")
        backend = f"process:{sys.executable} {self.path('broken.py')}"
        for command in ([], ["probe"], ["reproduce", "MaxPool-8/example-1"]):
            done = self.run_program(*command, f"--backend={backend}", code=3)
            lines = done.stderr.splitlines()
            self.assertIn("exited with status 1 before it answered the greeting", lines[0])
            self.assertEqual(lines[1], "  | Traceback (most recent call last):")
            self.assertIn("  |     import no_such_module_here", lines)
            self.assertEqual(lines[-1], "  | ModuleNotFoundError: No module named 'no_such_module_here'")

    def test_unknown_backend_option(self):
        done = self.run_program(
            f"--backend={library(OPTIMIZED)}", "--backend-option=nonsense=1", "--level=documented", code=3
        )
        self.one_sentence(done, "nonsense")


class Usage(Program):
    def test_no_backend(self):
        done = self.run_program(code=2)
        self.assertIn("--backend", done.stderr)

    def test_filter_that_is_no_condition(self):
        done = self.run_program(f"--backend={library(OPTIMIZED)}", "--filter=all(kernle = 3)", code=2)
        self.one_sentence(done, "--filter: column 5: there is no name", "kernle", "nearest: kernel")

    def test_filter_that_lacks_the_blanks_of_a_condition(self):
        for text in ("op=MaxPool-8", "op==MaxPool-8", "op == MaxPool-8"):
            with self.subTest(text):
                done = self.run_program(f"--backend={library(OPTIMIZED)}", f"--filter={text}", code=2)
                self.one_sentence(done, f"\"{text}\" matches no case; is --filter='op = MaxPool-8' meant?")
        done = self.run_program("list", "--level=documented", "--filter=op = MaxPool-8", code=0)
        self.assertGreater(len(done.stdout.splitlines()), 1)

    def test_filter_that_matches_nothing(self):
        done = self.run_program(f"--backend={library(OPTIMIZED)}", "--filter=NoSuchOperator", code=2)
        self.one_sentence(done, "NoSuchOperator")

    def test_shard_without_a_case(self):
        backend = f"--backend={library(OPTIMIZED)}"
        done = self.run_program(backend, "--level=documented", "--random=0", "--shard=1/4000000000", code=2)
        self.one_sentence(done, "--shard=1/4000000000")

    def test_shard_without_a_case_of_the_filter(self):
        options = [f"--backend={library(OPTIMIZED)}", "--level=documented", "--random=0"]
        done = self.run_program(*options, "--filter=AvgPool-1", "--shard=900/1000", code=2)
        self.one_sentence(done, '--shard=900/1000 holds no case of the plan that --filter "AvgPool-1" matches')
        done = self.run_program(*options, "--filter=AvgPool-77", "--shard=900/1000", code=2)
        self.one_sentence(done, '--filter "AvgPool-77" matches no case')

    def test_position_that_there_is_not(self):
        for at, line in (
            ("9,9", "MaxPool-8/example-1"),
            ("0,0,4,0", "MaxPool-8/example-1"),
            ("0,0,-1,0", "MaxPool-8/example-1"),
        ):
            done = self.run_program("show", line, f"--at={at}", code=2)
            self.one_sentence(done, f"--at={at}: there is no such position in the output, which is f32 [1,1,4,4]")

    def test_allowing_to_read_what_is_not_there(self):
        done = self.run_program(f"--backend={library(OPTIMIZED)}", "--allow-read=nowhere", code=2)
        self.one_sentence(done, '--allow-read: "nowhere" is no file or folder')

    def test_unknown_words(self):
        for option in ("--level=deep", "--profile=tensorflow", "--reading=ties=middle", "--shard=3/2"):
            done = self.run_program(f"--backend={library(OPTIMIZED)}", option, code=2)
            self.one_sentence(done, option.split("=")[0])

    def test_sentences_are_ours(self):
        for arguments, sentence in (
            (["--bogus"], '"--bogus" is no option or command here'),
            (["--levle=quick"], '"--levle=quick" is no option or command here; is --level meant?'),
            (["bogus"], '"bogus" is no option or command here'),
            (["lst"], '"lst" is no option or command here; is list meant?'),
            (["--backend=", "--level=quick"], "--backend= has no value"),
            (["reproduce", "x", "--backend=b", "--bogus=1"], '"--bogus=1" is no option or command here'),
            (["--isolation=some"], '--isolation: "some" is none of full, standard, none'),
            (["--level=quik"], '--level: "quik" is none of documented, quick, gate, full, properties; is quick meant?'),
            (["list", "--level=al"], '--level: "al" is none of documented, quick, gate, full'),
            (
                ["--profile=opnvino"],
                '--profile: "opnvino" is none of documented, onnx, onnxruntime, openvino, pytorch; is openvino meant?',
            ),
            (["--isolation=ful"], '--isolation: "ful" is none of full, standard, none; is full meant?'),
            (["--jobs=many"], '--jobs: "many" is no whole number from 0 to 1024'),
            (["--level"], "--level needs a value"),
            (["reproduce", "x"], "--backend is needed"),
            (["show", "MaxPool-8/example-1", "--at=0,x"], '--at: "0 x" cannot be read'),
        ):
            done = self.run_program(*arguments, code=2)
            self.assertEqual(done.stderr, f"conformance: {sentence} (--help lists the options).\n")

    def test_words_of_lines_and_filters_that_are_mistyped(self):
        backend = f"--backend={library(OPTIMIZED)}"
        for arguments, meant in (
            (["--filter=MaxPol-8"], "MaxPool-8"),
            (["--filter=f32 AvgPol-1"], "AvgPool-1"),
            (["--reading=tise=last"], "ties"),
            (["--reading=ties=lst"], "last"),
            (["reproduce", "MaxPol-8 f32 in=1x1x3x3"], "MaxPool-8"),
            (["reproduce", "MaxPool-8 f32 in=1x1x3x3 fill=distict"], "distinct"),
            (["reproduce", "MaxPool-8 f32 in=1x1x3x3 stride=1"], "s"),
            (["reproduce", "MaxPool-8/exmple-1"], "MaxPool-8/example-1"),
        ):
            done = self.run_program(*arguments, backend, code=2)
            self.one_sentence(done, f"; is {meant} meant")
        self.one_sentence(self.run_program("show", "--spec", "MaxPol-14", code=2), "; is MaxPool-14 meant")

    def test_shard_in_environment(self):
        done = self.run_program(
            f"--backend={library(OPTIMIZED)}", code=2, env={"CI_NODE_INDEX": "9", "CI_NODE_TOTAL": "4"}
        )
        self.one_sentence(done, "CI_NODE_INDEX=9")

    def test_problem_lines(self):
        for line in (
            "MaxPool-8 f32 in=1x1x3x3 k=2x2 s=oops",
            "MaxPool-8 f32 in=1x1x3x3 q=1",
            "NoPool-1 f32 in=1x1x3x3",
            "MaxPool-8",
            "MaxPool-8/example-99",
        ):
            done = self.run_program("reproduce", line, f"--backend={library(OPTIMIZED)}", code=2)
            self.one_sentence(done)


class SpecFiles(Program):
    def setUp(self):
        super().setUp()
        shutil.copytree(SPECS, self.path("specs"))
        self.spec = self.path("specs", "openvino", "max_pool_8.json")

    def list_specs(self):
        return self.run_program("--specs=specs", "list", code=2)

    def test_sound_copy_is_read(self):
        self.run_program("--specs=specs", "list", code=0)

    def test_empty(self):
        open(self.spec, "w", encoding="utf-8").close()
        self.one_sentence(self.list_specs(), "max_pool_8.json")

    def test_truncated(self):
        os.truncate(self.spec, os.path.getsize(self.spec) // 2)
        self.one_sentence(self.list_specs(), "max_pool_8.json")

    def test_comma_missing(self):
        with open(self.spec, encoding="utf-8") as file:
            text = file.read()
        with open(self.spec, "w", encoding="utf-8") as file:
            file.write(text.replace(",", "", 1))
        self.one_sentence(self.list_specs(), "max_pool_8.json", "line")

    def test_folder_missing(self):
        self.one_sentence(self.run_program("--specs=nowhere", "list", code=2), "nowhere")


class Output(Program):
    def test_unwritable_folder(self):
        done = self.run_program(
            f"--backend={library(OPTIMIZED)}", "--level=documented", "--out=/dev/null/results", code=4
        )
        self.one_sentence(done, "/dev/null/results")

    def fill_up(self, arguments):
        """Starts a run whose files may grow no more once it is under way; returns what it said."""
        runner = subprocess.Popen(
            [harness.PROGRAM, *arguments], cwd=self.folder, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        partial = self.path("out", "results.jsonl.partial")
        wait_until(lambda: os.path.exists(partial) and os.path.getsize(partial) > 1 << 19)
        limit = os.path.getsize(partial) + 100
        resource.prlimit(runner.pid, resource.RLIMIT_FSIZE, (limit, limit))
        _, stderr = runner.communicate(timeout=120)
        self.assertEqual(runner.returncode, 4, stderr)
        self.assertIn("results.jsonl.partial", stderr)
        self.assertFalse(os.path.exists(self.path("out", "results.jsonl")))

    ARGUMENTS = [f"--backend={library(OPTIMIZED)}", "--out=out", "--level=quick", "--random=60000"]

    def test_no_space_left_keeps_what_was_judged(self):
        self.fill_up(self.ARGUMENTS)
        done = self.run_program(*self.ARGUMENTS, "--resume", code=0)
        self.assertIn("CONFORMS", done.stdout)
        results = Results(self.path("out", "results.jsonl"))
        self.assertEqual([case["n"] for case in results.cases], list(range(len(results.cases))))
        self.assertGreater(len(results.cases), 60000)

    def test_resume_of_another_run(self):
        self.fill_up(self.ARGUMENTS)
        done = self.run_program(*self.ARGUMENTS[:2], "--level=quick", "--random=99", "--resume", code=2)
        self.one_sentence(done, "random")
        done = self.run_program(*self.ARGUMENTS, "--seed=2", "--resume", code=2)
        self.one_sentence(done, "cannot be resumed: seed was 1, is 2")

    def test_no_report_leaves_no_report_of_an_earlier_run(self):
        arguments = [f"--backend={library(OPTIMIZED)}", "--out=out", "--level=documented"]
        self.run_program(*arguments, code=0)
        self.assertTrue(os.path.exists(self.path("out", "report.html")))
        self.run_program(*arguments, "--no-report", code=0)
        left = {name for name in os.listdir(self.path("out")) if not name.startswith((".", "backend-"))}
        self.assertEqual(left, {"results.jsonl"})

    def test_full_device(self):
        os.mkdir(self.path("out"))
        os.symlink("/dev/full", self.path("out", "results.jsonl.partial"))
        done = self.run_program(*self.ARGUMENTS, code=4)
        self.one_sentence(done, "No space left")

    def test_answer_that_cannot_be_printed(self):
        gate = ["--level=documented", "--filter=AvgPool-1", "--no-report", f"--backend={library(OPTIMIZED)}"]
        for arguments in (
            gate,
            ["list", "--level=documented"],
            ["show", "MaxPool-8/example-1"],
            ["--help"],
            ["--version"],
        ):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run(
                    [harness.PROGRAM, *arguments],
                    stdout=full,
                    stderr=subprocess.PIPE,
                    text=True,
                    check=False,
                    cwd=self.folder,
                )
            self.assertEqual(done.returncode, 4, arguments)
            self.one_sentence(done, "No space left on device")

    def limited(self, limit, value):
        """The sentence with which the program ends under a limit of the system."""
        done = subprocess.run(
            [
                "prlimit",
                f"--{limit}={value}",
                harness.PROGRAM,
                "--level=documented",
                "--filter=AvgPool-1",
                "--out=out",
                "--jobs=1",
                f"--backend={library(OPTIMIZED)}",
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
        )
        return done

    def test_few_descriptors(self):
        for count in (12, 33, 36):
            done = self.limited("nofile", count)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.one_sentence(done, f"too few file descriptors (ulimit -n is {count}; ")

    def test_small_stack(self):
        done = self.limited("stack", 64 << 10)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.one_sentence(done, "The stack is limited to 64 KiB (ulimit -s); at least 1024 are needed.")

    def test_written_file_may_be_a_link_or_a_device(self):
        probe = ("probe", f"--backend={library(OPTIMIZED)}", "--write=link")
        link = self.path("link")
        pathlib.Path(self.path("file")).touch()
        os.symlink("file", link)
        self.run_program(*probe, code=0)
        self.assertTrue(os.path.islink(link))
        self.assertIn("{", pathlib.Path(self.path("file")).read_text(encoding="utf-8"))
        os.remove(link)
        os.symlink("/dev/full", link)
        self.one_sentence(self.run_program(*probe, code=4), "link: cannot be written")
        self.assertTrue(os.path.islink(link))
        self.assertFalse(os.path.exists("/dev/full.new"))

    def test_resume_of_nothing(self):
        done = self.run_program(f"--backend={library(OPTIMIZED)}", "--out=out", "--resume", code=2)
        self.one_sentence(done, "results.jsonl.partial")


class Script(Program):
    def test_gate_looks_for_the_backend_before_it_builds(self):
        gate = os.path.join(ROOT, "scripts", "gate.sh")
        for words in (
            ["--backend=./nowhere.so"],
            ["--backend="],
            [f"--backend={self.folder}"],
            ["--level=quick", "--backend", "./nowhere.so"],
            ["./nowhere.so", "--level=quick"],
        ):
            done = subprocess.run([gate, *words], capture_output=True, text=True, timeout=20, check=False)
            self.assertEqual(done.returncode, 2, done.stdout[-300:])
            name = next(word for word in words if "level" not in word and word != "--backend").split("=")[-1]
            self.one_sentence(done, "--backend", f'"{name}" is no file')


if __name__ == "__main__":
    main()
