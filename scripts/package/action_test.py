"""The GitHub Action and the GitLab component: their steps, run as printed. With POOLPROOF_DIST they install the
wheel in it; otherwise the program of the build folder stands where it would be."""

import glob
import os
import re
import shutil
import sys
import textwrap
import xml.etree.ElementTree

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "conformance", "gate"))
from harness import MUTANTS, OPTIMIZED, PROGRAM, Program, blocks_of, library, main, text_of

WHEEL = "".join(glob.glob(os.path.join(os.environ.get("POOLPROOF_DIST", "absent"), f"*_{os.uname().machine}.whl")))
OPTIONS = "--level=documented\n--timeout=20\n"
MUTANT = OPTIONS + "--backend-option=mutant=index-counts-from-one\n"
FILES = ("junit.xml", "report.html", "results.jsonl", "summary.md")


def script_of(step):
    """The text of a block scalar, whose key is `run:` or an item of a list."""
    return textwrap.dedent(re.search(r"(?:run:|-) \|\n(.*)", step, re.DOTALL)[1])


class Pipeline(Program):
    def shell(self, command, *script, code=0, **variables):
        around = {"RUNNER_TEMP": self.folder, "PIP_NO_INDEX": "1", "PACKAGE": WHEEL, "BASELINE": "", "OUT": "pooling"}
        return self.run_in_folder([*command, *script], code, **{**around, **variables})

    def install(self, folder, command, script):
        if "POOLPROOF_DIST" in os.environ:
            self.shell(command, script)
        else:
            os.makedirs(self.path(folder, "bin"))
            os.symlink(PROGRAM, self.path(folder, "bin", "poolproof"))

    def check_sources(self, command, script):
        """Without a package the sources are installed, and what they need before; with one they are not looked at."""
        calls = self.path("calls")
        pip = f'#!/bin/sh\necho pip "$@" >>{calls}\n'
        stand_ins = {
            "source/scripts/install.sh": f'echo install.sh "$@" >>{calls}',
            "tools/python3": f'mkdir -p "$3/bin"; cp {self.path("pip")} "$3/bin/pip"',
        }
        for name, line in {"pip": pip, **stand_ins}.items():
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(line if name == "pip" else f"#!/bin/sh\n{line}\n")
            os.chmod(self.path(name), 0o755)
        path = f"{self.path('tools')}:{os.environ['PATH']}"
        for package in ("", "a wheel.whl"):
            self.shell(
                command, script, SOURCE=self.path("source"), PACKAGE=package, PATH=path, RUNNER_TEMP=self.path("x")
            )
        self.assertEqual(
            text_of(calls).splitlines(),
            ["install.sh gate", f"pip install {self.path('source')}", "pip install a wheel.whl"],
        )
        shutil.rmtree(self.path(".poolproof"), ignore_errors=True)

    def check_gate(self, gate):
        """`gate(code, variables...)` passes, fails, passes with a baseline; and leaves its files."""
        gate(0, BACKEND=library(OPTIMIZED), OPTIONS=OPTIONS)
        gate(1, BACKEND=library(MUTANTS), OPTIONS=MUTANT)
        self.assertEqual([os.path.exists(self.path("pooling", name)) for name in FILES], [True] * len(FILES))
        self.run_program(
            "baseline",
            f"--results={self.path('pooling', 'results.jsonl')}",
            f"--write={self.path('a baseline.txt')}",
            code=0,
        )
        gate(0, BACKEND=library(MUTANTS), OPTIONS=MUTANT, BASELINE="a baseline.txt")

    def check_inputs(self, text, use):
        """Every input has a use and no other is used, also on the page."""
        named = re.findall(r"^    (\w+):\n      description:|^  (\w+):\n    description:", text, re.MULTILINE)
        used = re.findall(r"\$\{\{ inputs\.(\w+) \}\}|\$\[\[ inputs\.(\w+) \]\]", text)
        self.assertEqual({a or b for a, b in named}, {a or b for a, b in used})
        (shown,) = (block for _, block in blocks_of(text_of("docs", "packages.md")) if use in block)
        values = re.split(r"with:\n|inputs:\n", shown)[1]
        names = re.findall(r"^ {4,6}(\w+): ?(?!/)", values, re.MULTILINE)
        self.assertGreater(len(names), 1)
        self.assertLessEqual(set(names), {a or b for a, b in named})

    def test_github(self):
        text = text_of("action.yml")
        self.check_inputs(text, "uses: ./poolproof")
        install, gate, summary, upload = re.split(r"^    - name: ", text, flags=re.MULTILINE)[1:]
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
        self.check_sources(bash, script_of(install))
        self.install("poolproof", bash, script_of(install))
        self.check_gate(lambda code, **variables: self.shell(bash, script_of(gate), code=code, **variables))
        self.assertEqual(["if: always()" in step for step in (gate, summary, upload)], [False, True, True])
        self.shell(bash, script_of(summary), GITHUB_STEP_SUMMARY=self.path("step.md"))
        self.assertIn("onform", text_of(self.path("step.md")))

    def test_gitlab(self):
        (path,) = glob.glob(os.path.join(ROOT, "templates", "*.yml"))
        text = text_of(path)
        self.check_inputs(text, "poolproof/" + os.path.relpath(path, ROOT))
        script = re.search(r"^  script:\n(.*?)^  \w", text, re.MULTILINE | re.DOTALL)[1]
        lines = re.findall(r"^    - (?!\|)(.*)$", script, re.MULTILINE)
        self.check_sources(["sh", "-ec"], "\n".join(lines))
        self.install(".poolproof", ["sh", "-ec"], "\n".join(lines))
        self.check_gate(lambda code, **variables: self.shell(["sh", "-ec"], script_of(script), code=code, **variables))
        self.assertEqual(xml.etree.ElementTree.parse(self.path("pooling", "junit.xml")).getroot().tag, "testsuites")


if __name__ == "__main__":
    main()
