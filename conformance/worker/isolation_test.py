"""The commands of ISOLATION.md, run as printed, and what a cell lets through: options, runtimes."""

import os
import re
import shutil
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import BUILD, NUMPY, OPTIMIZED, PROGRAM, ROOT, WORKER, Program, Results, library, main


class Page(Program):
    def setUp(self):
        super().setUp()
        # Copies: what links lead to is not in the file system that the page's command makes.
        os.makedirs(self.path("build", "bin"))
        for program in (PROGRAM, WORKER):
            shutil.copy(program, self.path("build", "bin"))
        shutil.copy(library(OPTIMIZED), self.path("libmine.so"))
        with open(os.path.join(FOLDER, "ISOLATION.md"), encoding="utf-8") as file:
            self.blocks = re.findall(r"^```sh\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE)

    def shell(self, command, code):
        self.run_in_folder(["bash", "-e", "-c", command], code)

    def test_options(self):
        full, more = self.blocks[0].splitlines()
        # Not every machine that runs this has all parts; then the sentence says which is missing.
        done = subprocess.run(
            ["bash", "-c", full], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False
        )
        if done.returncode == 3:
            self.assertIn("full isolation is not to be had here: ", done.stderr)
        else:
            self.assertEqual(done.returncode, 0, done.stderr)
        self.shell(more, 0)

    def test_bubblewrap(self):
        self.assertIsNotNone(shutil.which("bwrap"), "needs bubblewrap: scripts/install.sh")
        tried = subprocess.run(
            ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True, text=True, check=False
        )
        if tried.returncode != 0:
            self.skipTest("no namespaces to be had here: " + tried.stderr.strip())
        self.shell(self.blocks[1], 0)
        results = Results(self.path("results", "results.jsonl"))
        self.assertEqual(results.verdicts(), {"pass"})


class Cell(Program):
    """What one may have if it is asked for, seen by a program in the cell."""

    def look(self, command, *options, env=None):
        """What a command prints in the cell; it is no backend, and does not start."""
        self.run_program(
            f"--backend=process:{{ {command}; }} >&2",
            "--level=documented",
            "--jobs=1",
            "--out=out",
            *options,
            code=3,
            env=env,
        )
        with open(self.path("out", "backend-1.log"), encoding="utf-8") as file:
            text = file.read()
        shutil.rmtree(self.path("out"))
        return text

    def test_variables(self):
        env = {"MINE_TOKEN": "hunter2", "OMP_NUM_THREADS": "1"}
        self.assertNotIn("hunter2", self.look("env", env=env))
        self.assertIn("OMP_NUM_THREADS=1", self.look("env", env=env))
        self.assertIn("hunter2", self.look("env", "--pass-env=MINE_*", env=env))
        self.assertIn("hunter2", self.look("env", "--isolation=none", env=env))

    def test_files_and_devices(self):
        os.mkdir(self.path("secret"))
        with open(self.path("secret", "file"), "w", encoding="utf-8") as file:
            file.write("hunter2\n")
        os.mkdir(self.path("work"))
        # The name is put together, since what a command names can be read.
        name = f'cat {self.folder}/sec""ret/file'
        where = self.folder
        self.folder = self.path("work")
        self.assertNotIn("hunter2", self.look(name))
        self.assertIn("hunter2", self.look(name, f"--allow-read={where}/secret"))
        self.assertIn("No space", self.look("cat /etc/hostname > /dev/full"))
        terminal = 'exec 3< /dev/ptm""x && echo opened'
        self.assertNotIn("opened", self.look(terminal))
        self.assertIn("opened", self.look(terminal, "--allow-device=/dev/ptm*"))

    def test_home(self):
        """A backend may lie in the home folder; what is hidden there, and its folders, it cannot see."""
        env = {"HOME": self.folder}
        os.mkdir(self.path(".ssh"))
        os.mkdir(self.path("other"))
        for name in (".netrc", ".ssh/key", "other/file", "model.bin"):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write("hunter2\n")
        self.assertIn("hunter2", self.look("cat model.bin", env=env))
        for name in (".netrc", ".ssh/key", "other/file"):
            self.assertNotIn("hunter2", self.look(f"cat {name}", env=env), name)
            self.assertIn("hunter2", self.look(f"cat {name}", f"--allow-read={self.folder}", env=env))
        shutil.copy(library(OPTIMIZED), self.path("libmine.so"))
        self.run_program("--backend=./libmine.so", "--level=documented", code=0, env=env)

    def test_refusal_at_the_start_names_the_options(self):
        # The adapter opens a library that a variable names, which nothing but the adapter knows of.
        elsewhere = self.path("libelsewhere.so")
        shutil.copy(library(OPTIMIZED), elsewhere)
        done = self.run_program(
            f"--backend={library('openvino')}",
            "--level=documented",
            code=3,
            env={"POOLPROOF_OPENVINO_LIBRARY": elsewhere},
        )
        self.one_sentence(done, "libelsewhere.so", "Permission denied", f"allows it: --allow-read={elsewhere})")
        done = self.run_program(
            f"--backend={library('openvino')}",
            "--level=documented",
            f"--allow-read={elsewhere}",
            code=3,
            env={"POOLPROOF_OPENVINO_LIBRARY": elsewhere},
        )
        self.assertNotIn("Permission denied", done.stderr)

    def test_what_a_program_was_denied_is_printed_with_its_option(self):
        os.mkdir(self.path("secret"))
        os.mkdir(self.path("work"))
        model = self.path("secret", "model.bin")
        with open(model, "w", encoding="utf-8") as file:
            file.write("weights\n")
        with open(self.path("secret", "mine.py"), "w", encoding="utf-8") as file:
            file.write("")
        installs = {"PYTHONUSERBASE": self.path("base")}
        site = self.run_in_folder(["python3", "-m", "site", "--user-site"], (0, 1, 2), **installs).strip()
        os.makedirs(site)
        with open(os.path.join(site, "installed.py"), "w", encoding="utf-8") as file:
            file.write("")
        self.folder, folder = self.path("work"), self.folder
        with open(self.path("made.txt"), "w", encoding="utf-8") as file:
            file.write("")
        # The names are put together, since what a command names can be read.
        for code, option in (
            (f"open({folder!r} + '/secret/model.bin')", f"--allow-read={model})"),
            ("open('../' + 'secret/model.bin')", "--allow-read=../secret/model.bin)"),
            ("import socket; socket.socket()", "--allow-network)"),
            ("import mine", None),  # installed nowhere
            ("import installed", f"--allow-read={site})"),
            ("open('out.bin', 'wb')", "--isolation=none)"),
            ("open('made.txt', 'a')", "--isolation=none)"),
            (f"open({folder!r} + '/secret/out.bin', 'wb')", "--isolation=none)"),
            ("import os; os.execvp('sh', ['sh', '-c', 'exec >new.txt'])", "--isolation=none)"),
            ("raise SystemExit('open out.bin: permission denied')", "--isolation=none)"),  # as Go says it
            ("raise SystemExit('Permission denied')", None),
            ("raise ImportError(\"No module named 'a; rm -r x'\")", None),
        ):
            with open(self.path("backend.py"), "w", encoding="utf-8") as file:
                file.write(code + "\n")
            with self.subTest(code):
                backend = f"--backend=process:{sys.executable} backend.py"
                done = self.run_program(backend, "--level=documented", code=3, env=installs)
                said = done.stderr.splitlines()[0]
                self.assertIn(f"allows it: {option}" if option else "the greeting", said)
                self.assertEqual("allows it" in said, option is not None)
                self.assertEqual("below $TMPDIR" in said, option == "--isolation=none)")

    def test_a_program_above_the_folder_may_be_read(self):
        os.mkdir(self.path("work"))
        with open(self.path("mine.py"), "w", encoding="utf-8") as file:
            file.write("raise SystemExit(7)\n")
        self.folder = self.path("work")
        done = self.run_program(f"--backend=process:{sys.executable} ../mine.py", "--level=documented", code=3)
        self.one_sentence(done, "exited with status 7 before it answered the greeting")

    def test_the_traceback_of_an_exception_that_is_answered_is_in_the_terminal(self):
        """The helper for Python answers all calls; the first exception that is a mistake says its line."""
        shutil.copy(os.path.join(ROOT, "conformance", "backends", "python", "poolproof.py"), self.folder)
        with open(self.path("mine.py"), "w", encoding="utf-8") as file:
            file.write(
                "import poolproof\n"
                "class Mine(poolproof.Backend):\n"
                "    name, version = 'mine', '1'\n"
                "    def infer_shapes(self, call):\n"
                "        return {}['shapes']\n"
                "poolproof.serve(Mine)\n"
            )
        backend = f"--backend=process:{NUMPY} mine.py"
        done = self.run_program(backend, "--level=documented", "--filter=AvgPool-1", "--jobs=1", "--no-shrink", code=1)
        self.assertIn("\n  |     return {}['shapes']\n", done.stdout)
        self.assertIn("\n  | KeyError: 'shapes'\n", done.stdout)
        self.assertEqual(done.stdout.count("Traceback"), 1)

    def test_the_first_error_of_a_program_is_in_the_terminal(self):
        """It dies of what the cell denies when it is called: its traceback, and the option."""
        os.mkdir(self.path("work"))
        model = self.path("model.bin")
        with open(model, "w", encoding="utf-8") as file:
            file.write("weights\n")
        self.folder, folder = self.path("work"), self.folder
        with open(self.path("backend.py"), "w", encoding="utf-8") as file:
            file.write(
                "import json, sys\n"
                "for line in sys.stdin:\n"
                "    if 'poolproof' not in json.loads(line):\n"
                f"        open({folder!r} + '/model.bin')\n"
                "    print(json.dumps({'poolproof': 1, 'name': 'mine', 'version': '1'}), flush=True)\n"
            )
        backend = f"--backend=process:{sys.executable} backend.py"
        done = self.run_program(backend, "--level=documented", "--filter=AvgPool-1", "--jobs=1", "--no-shrink", code=1)
        self.assertIn("\n  | Traceback (most recent call last):\n", done.stdout)
        self.assertIn(f"\n  | PermissionError: [Errno 13] Permission denied: '{model}'\n", done.stdout)
        self.assertIn(f"\nthe cell may keep it from that; what allows it: --allow-read={model}\n", done.stdout)

    def test_a_line_that_a_program_repeats_is_printed_once(self):
        with open(self.path("backend.py"), "w", encoding="utf-8") as file:
            file.write(
                "import json, sys\n"
                "for line in sys.stdin:\n"
                "    if 'poolproof' not in json.loads(line):\n"
                "        print('no device\\n' * 5, file=sys.stderr, end='')\n"
                "        sys.exit(7)\n"
                "    print(json.dumps({'poolproof': 1, 'name': 'mine', 'version': '1'}), flush=True)\n"
            )
        backend = f"--backend=process:{sys.executable} backend.py"
        done = self.run_program(backend, "--level=documented", "--filter=AvgPool-1", "--jobs=1", "--no-shrink", code=1)
        self.assertEqual(done.stdout.count("\n  | no device"), 1, done.stdout)

    def test_what_an_answer_says_was_denied_has_its_option(self):
        """A program that survives answers INTERNAL_ERROR, and writes nothing else."""
        model = self.path("model.bin")
        with open(model, "w", encoding="utf-8") as file:
            file.write("weights\n")
        os.mkdir(self.path("work"))
        self.folder = self.path("work")
        with open(self.path("backend.py"), "w", encoding="utf-8") as file:
            file.write(
                "import json, sys\n"
                "for line in sys.stdin:\n"
                "    reply, said = json.loads(line), ''\n"
                "    try:\n"
                f"        'poolproof' in reply or open({model!r})\n"
                "    except OSError as error:\n"
                "        said = f'cannot open {error.filename}: {error.strerror}'\n"
                "    reply.update(name='mine', version='1', status='INTERNAL_ERROR', error=said)\n"
                "    print(json.dumps(reply), flush=True)\n"
            )
        backend = f"--backend=process:{sys.executable} backend.py"
        done = self.run_program(backend, "--level=documented", "--filter=AvgPool-1", "--jobs=1", "--no-shrink", code=1)
        self.assertIn(f"INTERNAL_ERROR (cannot open {model}: Permission denied)", done.stdout)
        self.assertIn(f"\nthe cell may keep it from that; what allows it: --allow-read={model}\n", done.stdout)

    def test_level_and_parts_are_in_the_results(self):
        for level in ("none", "standard"):
            done, results = self.gate(
                OPTIMIZED,
                "--level=documented",
                "--filter=AvgPool-1 layer-*",
                f"--isolation={level}",
                "--allow-network",
                code=0,
            )
            isolation = results.header["isolation"]
            self.assertEqual(isolation["level"], level)
            network = {"none": None, "standard": "off"}[level]
            self.assertEqual(isolation["parts"].get("network"), network)
            self.assertIn(f"isolation {level}", done.stdout)
            with open(self.path("out", "report.html"), encoding="utf-8") as file:
                self.assertIn({"none": "none", "standard": "network: off"}[level], file.read())

    def test_threads_are_counted_where_namespaces_hide_the_process(self):
        done = self.run_program(
            f"--backend={library('accidents')}",
            "--backend-option=accident=leaks-threads",
            "--level=quick",
            "--random=0",
            "--filter=MaxPool-8",
            "--jobs=1",
            "--isolation=full",
        )
        if "full isolation is not to be had here: " not in done.stderr:
            self.assertIn("leaves threads running, one more in every 1 calls of run", done.stdout)

    def test_network(self):
        connect = "exec 3<> /dev/tcp/127.0.0.1/9"
        command = f"bash -c '{connect}'"
        self.assertIn("Permission denied", self.look(command))
        self.assertIn("Connection refused", self.look(command, "--allow-network"))

    def test_folder_for_what_is_written(self):
        """It is empty, private and gone at the end; a process that is started again finds it empty."""
        listed = "ls -A $TMPDIR | wc -l; stat -c %a $TMPDIR; mkdir $TMPDIR/new && echo kept > $TMPDIR/new/file"
        text = self.look(f"{listed}; mv $TMPDIR/new $TMPDIR/old; cat $TMPDIR/old/file; echo $TMPDIR")
        self.assertRegex(text, r"^0\n700\nkept\n/.*/poolproof-\w{6}\n")
        self.assertFalse(os.path.exists(text.splitlines()[-1]))
        self.assertNotIn("made", self.look('touch $TMPDIR/../poolproof-new && echo "ma"de'))
        self.assertIn("here=/mine", self.look("echo here=$TMPDIR", "--isolation=none", env={"TMPDIR": "/mine"}))

    def test_node(self):
        script = os.path.join(FOLDER, "testdata", "unsupported_backend.js")
        _, results = self.gate(
            f"process:exec node {script}", "--level=documented", "--filter=AvgPool-1 layer-*", code=1
        )
        self.assertEqual(results.verdicts(), {"unsupported"})


class Driver(Program):
    """A stand-in for a driver of NVIDIA gets what that was seen to need, and nothing beside."""

    BACKENDS = (library("driver"), f"process:{os.path.join(BUILD, 'bin', 'driver_program')}")

    def start(self, backend, *options):
        return subprocess.run(
            [
                PROGRAM,
                f"--backend={backend}",
                "--level=documented",
                "--filter=AvgPool-1 layer-*",
                "--out=out",
                *options,
            ],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def test_starts_where_its_device_is_allowed(self):
        for backend in self.BACKENDS:
            for level in ("standard", "full"):
                with self.subTest(backend=backend, level=level):
                    done = self.start(backend, f"--isolation={level}", "--device=nvidia", "--allow-device=/dev/zero")
                    if "full isolation is not to be had here: " in done.stderr:
                        continue
                    self.assertEqual(done.stderr, "")
                    self.assertEqual(Results(self.path("out", "results.jsonl")).verdicts(), {"unsupported"})
                    self.assertEqual([n for n in os.listdir(self.path("out")) if n.endswith(".log")], ["backend-1.log"])
                    shutil.rmtree(self.path("out"))

    def test_does_not_start_elsewhere(self):
        for backend in self.BACKENDS:
            for options in ((), ("--device=dri",)):
                done = self.start(backend, *options)
                self.assertEqual(done.returncode, 3)
                self.one_sentence(done, "/comm: Permission denied", "--device")
        done = self.start(self.BACKENDS[0], "--device=nvidia", "--backend-option=/dev/ptmx")
        self.assertEqual(done.returncode, 3)
        self.one_sentence(done, "/dev/ptmx: Permission denied", "allows it: --allow-device=/dev/ptmx)")


if __name__ == "__main__":
    main()
