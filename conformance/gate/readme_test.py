"""The CI snippets of docs/ci.md, run as printed: exit codes, and files where the snippets say they are.

Only two things differ from a pipeline: the backend is one of ours, and the program runs fewer random
problems than the snippets ask for. And the commands of the page on writing backends."""

import json
import os
import re
import shlex
import xml.etree.ElementTree

from harness import OPTIMIZED, PROGRAM, ROOT, Program, Results, blocks_of, library, main, text_of

FEWER = ["--level=quick", "--random=2000"]


def blocks(language, with_text):
    """Fenced blocks of docs/ci.md in a language that hold a text."""
    return [block for found, block in blocks_of(text_of("docs", "ci.md")) if found == language and with_text in block]


def steps(block):
    """The list of mappings of a block of YAML whose values stand on one line each."""
    found = []
    for line in block.splitlines():
        if line.startswith("- "):
            found.append({})
        key, _, value = line.lstrip("- ").partition(": ")
        found[-1][key] = value
    return found


def keys(block):
    """All keys of a block of YAML, whatever their depth, with the values on their lines."""
    return dict(re.findall(r"^\s*(\w+):[ ]*(.*)$", block, re.MULTILINE))


class Snippets(Program):
    def setUp(self):
        super().setUp()
        # The folder is a checkout of the vendor with poolproof in it.
        program = self.path("poolproof", "build", "bin", "conformance")
        os.makedirs(os.path.dirname(program))
        with open(program, "w", encoding="utf-8") as file:
            file.write(
                f'#!/bin/sh\ncase $1 in --*) set -- "$@" {" ".join(FEWER)} ;; esac\nexec {shlex.quote(PROGRAM)} "$@"\n'
            )
        os.chmod(program, 0o755)
        os.symlink(library(OPTIMIZED), self.path("libmine.so"))
        self.write_baseline("")

    def write_baseline(self, blocks):
        with open(self.path("pooling-baseline.txt"), "w", encoding="utf-8") as file:
            file.write(f"# poolproof baseline 3\n{blocks}")

    def shell(self, command, code=0, **variables):
        path = self.path("poolproof", "build", "bin") + os.pathsep + os.environ["PATH"]
        self.run_in_folder(["bash", "-e", "-c", command], code, PATH=path, **variables)

    def check_files(self, folder):
        for name in ("results.jsonl", "report.html", "summary.json", "summary.md", "badge.svg"):
            self.assertGreater(os.path.getsize(self.path(folder, name)), 0, name)
        self.assertEqual(xml.etree.ElementTree.parse(self.path(folder, "junit.xml")).getroot().tag, "testsuites")

    def test_commands_of_the_gate(self):
        (block,) = blocks("sh", "conformance baseline")
        os.remove(self.path("pooling-baseline.txt"))
        for command in block.splitlines():
            self.shell(command.split("#")[0])
        self.check_files("results")

    def github(self, code):
        """Runs the steps as Actions does: after a failure only those that always run."""
        (block,) = blocks("yaml", "GITHUB_STEP_SUMMARY")
        build, gate, summary, upload = steps(block)
        self.check_build_step(build["run"])
        self.shell(gate["run"], code=code)
        self.assertEqual([summary["if"], upload["if"]], ["always()"] * 2)
        self.shell(summary["run"], GITHUB_STEP_SUMMARY=self.path("step.md"))
        with open(self.path("step.md"), encoding="utf-8") as file:
            text = file.read()
        self.check_files(re.search(r"path: (\w+)", upload["with"])[1])
        return text

    def check_build_step(self, command):
        script, packages, preset, target = re.fullmatch(
            r"(\S+) (\w+) && cmake --preset (\w+) && cmake --build build --target (\w+)", command
        ).groups()
        self.assertIn(f"install.sh {packages} ", text_of(script))
        self.assertTrue(os.access(os.path.join(ROOT, script), os.X_OK))
        presets = json.loads(text_of("CMakePresets.json"))["configurePresets"]
        (found,) = [each for each in presets if each["name"] == preset]
        self.assertEqual(found["binaryDir"], "${sourceDir}/build")
        self.assertEqual(target, os.path.basename(PROGRAM))

    def test_github_passes(self):
        self.assertIn("onforms", self.github(code=0))

    def test_github_fails_and_still_reports(self):
        self.write_baseline("\n# reason: fails no more\nMaxPool-8/example-1\tfail\t0123456789abcdef\n")
        self.assertIn("not conform", self.github(code=1))

    def test_gitlab_splits_over_its_nodes(self):
        (block,) = blocks("yaml", "CI_NODE_INDEX") or blocks("yaml", "parallel:")
        job = keys(block)
        folder = job["paths"].strip("[]")
        self.assertEqual(job["reports"], f"{{junit: {folder}/junit.xml}}")
        planned = 0
        for node in range(1, int(job["parallel"]) + 1):
            self.shell(job["script"], CI_NODE_INDEX=str(node), CI_NODE_TOTAL=job["parallel"])
            self.check_files(folder)
            results = Results(self.path(folder, "results.jsonl"))
            self.assertEqual(results.header["shard"], {"index": node, "count": int(job["parallel"])})
            planned += results.footer["planned"]
            os.rename(self.path(folder), self.path(f"node{node}"))
        _, whole = self.gate(OPTIMIZED, *FEWER, code=0)
        self.assertEqual(planned, whole.footer["planned"])


class BackendsPage(Program):
    def test_commands(self):
        self.make_checkout()
        page = text_of("conformance", "backends", "README.md")
        commands = re.findall(r"^    (\S.*)$", page, re.MULTILINE)
        self.assertEqual(
            [shlex.split(command)[0] for command in commands], ["g++", "build/bin/conformance", "build/bin/conformance"]
        )
        for command in commands:
            self.run_printed(command)


if __name__ == "__main__":
    main()
