"""Every command that a Markdown file prints is run: by the test that runs its page as printed, by a test of its own, or
here, with numbers that are small enough for a test. A command that is in none of these lists fails; those of which
tests do not install what they need are listed too."""

import glob
import os
import re
import shutil

from harness import BUILD, MUTANTS, OPTIMIZED, PROGRAM, ROOT, Program, library, main

# Pages whose blocks of commands a test runs as they are printed.
PAGES = {
    "conformance/worker/ISOLATION.md": "conformance/worker/isolation_test.py",
    "docs/ci.md": "conformance/gate/readme_test.py",
    "docs/claims.md": "conformance/gate/claim_test.py",
    "docs/first-ten-minutes.md": "conformance/gate/pages_test.py",
    "docs/packages.md": "scripts/package/package_test.py",
    "docs/scale.md": "scripts/scale/scale_test.py",
    "fuzz/README.md": "fuzz/campaign_test.py",
}
# Names that a page gives to its reader's things, and what stands for them here.
MINE = "--backend='process:python3 mine.py'"
TORCH = "--backend='process:exec python3 torch_device_backend.py' --backend-option=device=mine"
DEVICE = "--backend=./libmine.so --allow-device=/dev/mine"
NULL = DEVICE.replace("/dev/mine", "/dev/null")
# Stands for the reader's own run, between two commands: right answers beside the vectors.
ANSWERED = (
    f"PYTHONPATH={os.path.dirname(os.path.abspath(__file__))} python3 -B -c "
    "'import vectors_test; vectors_test.answer_as_expected(\"vectors\")'"
)
# Commands that begin like this, a file that runs them, and how it calls them.
ELSEWHERE = {
    "scripts/test.sh": (".ci/run", "scripts/test.sh --all"),
    "scripts/install.sh gate": ("Dockerfile", "/install.sh gate"),
    "scripts/install.sh cluster": (".ci/run", "scripts/install.sh lint cluster"),
    "scripts/lint.sh": ("scripts/lint_test.py", "lint.sh"),
    "scripts/tidy.sh": ("scripts/lint_test.py", '"tidy.sh"), "--list"'),
    "scripts/nightly.sh": ("scripts/lint_test.py", '"nightly.sh")'),
    "conformance mutants": ("conformance/causes/table_test.py", '"mutants"'),
    "conformance machine-mutants": ("conformance/causes/machine_test.py", '"machine-mutants"'),
    "conformance diagnosis": ("conformance/causes/diagnosis_test.py", '"diagnosis"'),
    "conformance compare": ("conformance/gate/compare_test.py", '"compare"'),
    "conformance baseline": ("conformance/gate/baseline_test.py", '"baseline"'),
    "conformance list --results": ("conformance/gate/harness.py", '"list", f"--results='),
    "conformance merge": ("conformance/gate/merge_test.py", '"merge"'),
    "conformance vectors": ("conformance/gate/vectors_test.py", '"vectors"'),
    "conformance judge": ("conformance/gate/vectors_test.py", '"judge"'),
    "conformance verify-claim": ("conformance/gate/claim_test.py", '"verify-claim"'),
    "cmake -B build -DPOOLPROOF_BENCHMARKS=ON": ("CMakePresets.json", '"POOLPROOF_BENCHMARKS": "ON"'),
    "fuzz/campaign.py": ("fuzz/campaign_test.py", "fuzz/campaign.py"),
}
# Commands that no test runs, since tests do not install the nine libraries that they need.
APART = ["scripts/setup_pypi_backends.sh build && cmake --build build && scripts/survey.py build"]
GATE = "conformance --backend=./libmine.so"
CONDITION = "--filter='op = MaxPool-8 and any(stride >= 2)'"
LINE = "MaxPool-8 f32 in=1x1x3x3 k=2x2 s=1 pb=0 pe=0 fill=distinct seed=1"
# Commands that are run here: the one that is printed, and the one that is run for it, if it is another.
HERE = {
    "conformance --version": None,
    "conformance list": None,
    "conformance show ID": "conformance show MaxPool-8/example-1",
    "conformance show --spec MaxPool-14": None,
    "conformance coverage": "conformance coverage --random=100",
    "conformance probe --write": "conformance probe --backend=./libmine.so --write=probe.json",
    "conformance probe --backend=./libmine.so": None,
    "conformance --filter": "conformance --backend=./libmine.so --level=documented --filter=f32",
    "conformance ./libmine.so": "conformance ./libmine.so --level=documented",
    f"{GATE}": f"{GATE} --level=documented",
    f"{GATE} --level=quick": f"{GATE} --level=quick --random=100",
    f"{GATE} --level=properties": f"{GATE} --level=properties --random=20",
    f"{GATE} {CONDITION}": f"{GATE} --level=documented {CONDITION}",
    "conformance show 'MaxPool-8 f32 in=1x1x5x6 k=3 s=2 pb=1 pe=1 rounding=ceil'": None,
    f"{GATE} --filter='MaxPool-8 f32' --random=20000": f"{GATE} --level=quick --filter='MaxPool-8 f32' --random=200",
    f"conformance reproduce '{LINE}' --backend=./libmine.so": None,
    f"conformance probe {MINE}": None,
    **{
        f"conformance {backend} {options}{part}": f"{GATE} {options}{small}"
        for backend, options in ((MINE, "--family=onnx --profile=onnx"), (TORCH, "--family=pytorch"))
        for part, small in ((" --level=quick --random=1000", " --level=quick --random=10"), ("", " --level=documented"))
    },
    f"conformance probe {TORCH}": f"conformance probe {MINE}",  # without the library; the adapter has tests of its own
    f"conformance probe {DEVICE}": f"conformance probe {NULL}",
    f"conformance {DEVICE} --level=quick --random=1000": f"conformance {NULL} --level=quick --random=10",
    f"conformance {DEVICE} --baseline=pooling-baseline.txt": (
        f"conformance {NULL} --level=documented --baseline=pooling-baseline.txt"
    ),
    "conformance list --level=documented --filter='mli_krn_maxpool_*'": None,
    "conformance vectors --out=vectors --filter='mli_krn_maxpool_*'": None,
    "conformance judge vectors --out=results": ANSWERED + " && conformance judge vectors --out=results",
    "differential --problems=1000000": "differential --problems=500",
    "bench --random=500 --seed=1": "bench --random=2 --seed=1",
    "bench --json=FILE": "bench --random=2 --json=bench.json",
    "bench --kernels --random=500": None,
    "bench --ours --random=500 --kernel=rows --json=FILE": "bench --ours --random=2 --kernel=rows --json=bench.json",
    "bench --against=BUILD": f"bench --against={BUILD} --filter=tiny",
    "bench --against=BUILD --random=500": f"bench --against={BUILD} --random=2",
    "bench --out-of-cache": "bench --out-of-cache --kernels",
    "bench --overhead": None,
    "ctest -R fuzz_": f"ctest --test-dir {BUILD} -N -R fuzz_",
    "ctest -R plan_parts_test": f"ctest --test-dir {BUILD} -N -R plan_parts_test",
}
STARTS = re.compile(r"(scripts/\S+\.(sh|py)|fuzz/\S+\.py|cmake|ctest|conformance|differential|bench) ?")


def printed():
    """(page, command): lines of blocks in sh, and what is set as code in a sentence."""
    pages = glob.glob("*.md", root_dir=ROOT) + glob.glob("[!b.]*/**/*.md", root_dir=ROOT, recursive=True)
    for page in sorted(pages):
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            text = file.read()
        blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        lines = [] if page in PAGES else [line for block in blocks for line in block.splitlines()]
        spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
        for command in lines + [span for span in spans if " " in span]:
            command = re.sub(r"\s+#.*", "", command).strip()
            command = re.sub(
                r"^((\./)?build/(all/)?bin/)|^poolproof(?= )", lambda m: "" if m[1] else "conformance", command
            )
            if STARTS.match(command):
                yield page, command


class PrintedCommands(Program):
    def test_each_is_run_by_a_test(self):
        found = list(printed())
        self.assertGreater(len(found), 20)
        for page, command in found:
            known = command in HERE or any(command.startswith(start) for start in ELSEWHERE)
            self.assertTrue(known or command in APART or "gate.sh" in command, f"{page}: no test runs {command}")

    def test_the_lists_hold_nothing_else(self):
        commands = [command for _, command in printed()]
        for command in [*HERE, *APART]:
            self.assertIn(command, commands)
        for start, (test, call) in ELSEWHERE.items():
            self.assertTrue(any(command.startswith(start) for command in commands), start)
            self.assert_says(test, call)
        for page, test in PAGES.items():
            self.assert_says(test, os.path.basename(page))

    def assert_says(self, path, text):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            self.assertIn(text, file.read(), path)


class Run(Program):
    def test_those_of_this_list(self):
        os.symlink(library(OPTIMIZED), self.path("libmine.so"))
        python = os.path.join(ROOT, "conformance", "backends", "python")
        shutil.copy(os.path.join(python, "poolproof.py"), self.folder)
        shutil.copy(os.path.join(python, "example_backend.py"), self.path("mine.py"))
        with open(self.path("pooling-baseline.txt"), "w", encoding="utf-8") as file:
            file.write("# poolproof baseline 3\n")
        # NumPy belongs to the system's Python.
        path = f"{BUILD}/bin:/usr/bin:{os.environ['PATH']}"
        for command, instead in HERE.items():
            with self.subTest(command):
                self.run_in_folder(["bash", "-c", instead or command], 0, PATH=path)


class Gate(Program):
    """scripts/gate.sh, with stand-ins for what installs and builds: what it asks of them, and what it runs."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("tools"))
        os.makedirs(self.path("build", "bin"))
        os.makedirs(self.path("build", "lib"))
        os.symlink(PROGRAM, self.path("build", "bin", "conformance"))
        os.symlink(library(OPTIMIZED), self.path("build", "lib", f"lib{OPTIMIZED}.so"))
        for tool in ("cmake", "dpkg-query"):
            with open(self.path("tools", tool), "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\necho {tool} "$@" >>{self.path("calls")}\necho installed\n')
            os.chmod(self.path("tools", tool), 0o755)

    def gate_script(self, code, *arguments):
        variables = {"POOLPROOF_BUILD": self.path("build"), "PATH": f"{self.path('tools')}:{os.environ['PATH']}"}
        out = ["--level=documented", f"--out={self.path('out')}", *arguments]
        said = self.run_in_folder([os.path.join(ROOT, "scripts", "gate.sh"), *out], code, **variables)
        with open(self.path("calls"), encoding="utf-8") as file:
            return said, file.read()

    def test_ours(self):
        said, calls = self.gate_script(0)
        self.assertIn(f"cmake --build {self.path('build')} --target conformance {OPTIMIZED}\n", calls)
        self.assertIn("\nCONFORMS", said)

    def test_another(self):
        said, calls = self.gate_script(1, f"--backend={library(MUTANTS)}", "--backend-option=mutant=ceil-torch-as-ceil")
        self.assertIn(f"cmake --build {self.path('build')} --target conformance\n", calls)
        self.assertIn("DOES NOT CONFORM", said)


if __name__ == "__main__":
    main()
