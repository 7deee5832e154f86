"""Whether .clusterfuzzlite/ installs all that the harnesses are made of, as far as can be said without building there:
what the ordinary build of the harnesses includes, links and finds comes from packages, which Dockerfile has to name."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check_build
import harnesses

BUILD = os.environ["POOLPROOF_BUILD"]
FOLDER = harnesses.ROOT / ".clusterfuzzlite"
SCRIPT = harnesses.ROOT / "fuzz/harnesses.py"
# Any C++ compiler brings these.
OF_COMPILERS = re.compile(r"^(libc6-dev|linux-libc-dev|lib(std|g)c(c|\+\+)-\d+-dev)$")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def owner(path):
    """The package that a file belongs to."""
    return output("dpkg-query", "-S", os.path.realpath(path)).split(":")[0]


def source_of(package):
    return output("dpkg-query", "-W", "-f", "${source:Package}\n", package).splitlines()[0]


class Dockerfile(unittest.TestCase):
    def setUp(self):
        steps = check_build.dockerfile_steps((FOLDER / "Dockerfile").read_text())
        commands = " && ".join(argument for instruction, argument in steps if instruction == "RUN")
        self.packages = re.search(r"apt-get install ([^&]*)", commands)[1].split()
        self.sources = re.search(r"apt-get source ([^&]*)", commands)[1].split()
        self.base = dict(steps)["FROM"]

    def check_installed(self, package, what):
        if not OF_COMPILERS.match(package):
            self.assertTrue(
                package in self.packages or source_of(package) in self.sources,
                f"Dockerfile installs neither {package} nor its sources: {what}",
            )

    def test_has_every_header(self):
        inputs = set(output("ninja", "-C", BUILD, "-t", "inputs", "fuzzers").splitlines())
        headers, wanted = set(), False
        for line in output("ninja", "-C", BUILD, "-t", "deps").splitlines():
            if line and not line[0].isspace():
                wanted = line.split(":")[0] in inputs
            elif wanted and line.strip().startswith("/usr/"):
                headers.add(os.path.realpath(line.strip()))
        self.assertGreater(len(headers), 100)
        owners = {line.split(":")[0]: line for line in output("dpkg-query", "-S", *sorted(headers)).splitlines()}
        self.assertIn("libhwy-dev", owners)
        for package, line in owners.items():
            self.check_installed(package, line)

    def test_links_nothing_shared(self):
        """A shared library of ours is built as archive from sources; another has to have one in its package."""
        for harness in harnesses.HARNESSES:
            link = output("ninja", "-C", BUILD, "-t", "commands", f"bin/fuzz_{harness.name}").splitlines()[-1]
            for path in re.findall(r"\s(/usr/\S+\.so\S*)", link):
                self.assertIn(source_of(owner(path)), self.sources, path)
            for name in re.findall(r"\s-l(\w+)", link):
                archive = output("g++", f"-print-file-name=lib{name}.a").strip()
                self.assertTrue(os.path.isabs(archive), f"-l{name} has no archive")
                self.check_installed(owner(archive), archive)

    def test_finds_every_required_library(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = f"{folder}/trace"
            where = ["cmake", "-S", harnesses.ROOT, "-B", folder, "-G", "Ninja"]
            options = ["-DPOOLPROOF_TESTS=OFF", "-DPOOLPROOF_LIBFUZZER=ON"]
            output(*where, *options, "--trace-format=json-v1", f"--trace-redirect={trace}")
            with open(trace, encoding="utf-8") as file:
                calls = [json.loads(line) for line in file]
            cached = pathlib.Path(folder, "CMakeCache.txt").read_text()
            cache = dict(re.findall(r"^(\w+)_DIR:PATH=(.*)$", cached, re.MULTILINE))
        names = {
            call["args"][0]
            for call in calls
            if call.get("cmd", "").lower() == "find_package"
            and "REQUIRED" in call["args"]
            and call["file"].startswith(str(harnesses.ROOT))
        }
        self.assertIn("hwy", names)
        for name in names & set(cache):
            self.assertTrue(os.path.isdir(cache[name]), name)
            files = sorted(pathlib.Path(cache[name]).glob("*onfig.cmake"))
            self.check_installed(owner(files[0]), name)

    def test_agrees_with_the_project_file(self):
        text = (FOLDER / "project.yaml").read_text()
        self.assertEqual(re.search(r"^base_os_version: (\S+)$", text, re.MULTILINE)[1], self.base.split(":")[1])
        listed = re.search(r"^sanitizers:\n((?:  - \w+\n)+)", text, re.MULTILINE)[1].split("- ")[1:]
        self.assertEqual([name.strip() for name in listed], list(check_build.SANITIZERS))


class BesideTheHarnesses(unittest.TestCase):
    def test_every_harness_has_its_files(self):
        text = (harnesses.ROOT / "fuzz/CMakeLists.txt").read_text()
        names = set(re.findall(r"^poolproof_fuzz\((\w+)", text, re.MULTILINE))
        self.assertEqual(names, {harness.name for harness in harnesses.HARNESSES})
        with tempfile.TemporaryDirectory() as folder:
            output(sys.executable, "-B", SCRIPT, f"--build={BUILD}", "--out", folder)
            for name in names:
                path = pathlib.Path(folder, f"fuzz_{name}")
                with zipfile.ZipFile(f"{path}_seed_corpus.zip") as archive:
                    self.assertGreater(len(archive.namelist()), 0, name)
                self.assertRegex(pathlib.Path(f"{path}.options").read_text(), r"^\[libfuzzer\]\n(\w+ = \w+\n)+$")
                self.assertGreater(pathlib.Path(f"{path}.dict").stat().st_size, 0)

    def test_no_folder_for_them(self):
        command = [sys.executable, "-B", SCRIPT, f"--build={BUILD}", "--out", "/absent"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/absent is not a folder", done.stderr)


if __name__ == "__main__":
    unittest.main()
