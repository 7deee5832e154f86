"""What a new user does: docs/packages.md, command by command, in root folders that have nothing of ours.

Wheels and archives come from POOLPROOF_DIST, where scripts/wheel.sh put them; the Debian package is built by the steps
of Dockerfile. Root folders are kept in POOLPROOF_ROOTS, and taken up again by the next run. Needs the superuser.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "fuzz"))
from check_build import copy_sources, dockerfile_steps
from install_test import BUILD, SERVE, blocks_of
from sealed_root import SealedRoot, missing_tools

DIST = pathlib.Path(os.environ.get("POOLPROOF_DIST", ROOT / "dist"))
ROOTS = pathlib.Path(os.environ.get("POOLPROOF_ROOTS", "/var/tmp/poolproof-packages"))
PAGE = (ROOT / "docs/packages.md").read_text(encoding="utf-8")
SECONDS = 60  # from a package to the first verdict
MEGABYTES = 15
C_LIBRARY = set(
    "libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1".split()
)


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]


def blocks(title):
    """(language, text) of each block of a section, in order."""
    return blocks_of(section(title))


def clean_root(name, packages):
    """A smallest Debian with these packages, in which a user has nothing but an empty folder /try."""
    smallest, root = SealedRoot(ROOTS / "smallest"), SealedRoot(ROOTS / name)
    smallest.make()
    if not (root.folder / "installed").exists():
        root.copy_from(smallest)
        if packages:
            root.install(packages)
        (root.folder / "installed").touch()
    shutil.rmtree(root.folder / "try", ignore_errors=True)
    (root.folder / "try").mkdir()
    return root


class Page(unittest.TestCase):
    """Runs blocks of the page in a root; files that a block names in its first line are written."""

    variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/try", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def run_in(self, root, script, cwd="/try"):
        return self.said(
            script, root.run(["bash", "-euc", script], self.variables, cwd, capture_output=True, text=True)
        )

    def said(self, script, done, code=0):
        self.assertEqual(done.returncode, code, script + done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout

    def write_or_run(self, root, language, text, cwd="/try"):
        name = re.match(r"# (\w+\.\w+)\n", text)
        if language == "sh":
            return self.run_in(root, text, cwd)
        if name:
            (root.folder / cwd[1:] / name[1]).write_text(text)
        return ""

    def check_verdict(self, root, script):
        """The commands up to a verdict, which is there within a minute and without a compiler."""
        self.run_in(root, "for name in cc c++ gcc g++ clang; do ! command -v $name || exit 1; done")
        start = time.monotonic()
        text = self.run_in(root, script)
        seconds = time.monotonic() - start
        self.assertIn("\nCONFORMS in a part of the plan: level quick", text)
        print(f"{script.split()[0]}: first verdict after {seconds:.1f} s")
        self.assertLess(seconds, SECONDS)


class Wheel(Page):
    def test_it_is_small_and_needs_the_c_library_alone(self):
        for arch in ("x86_64", "aarch64"):
            (wheel,) = DIST.glob(f"poolproof-*-py3-none-manylinux_2_28_{arch}.whl")
            self.assertLess(wheel.stat().st_size, MEGABYTES * 1e6)
            folder = ROOTS / f"unpacked-{arch}"
            shutil.rmtree(folder, ignore_errors=True)
            with zipfile.ZipFile(wheel) as file:
                file.extractall(folder)
            for name in ("bin/poolproof", "lib/poolproof/libpoolproof_optimized_backend.so"):
                (path,) = folder.glob(f"*.data/data/{name}")
                text = subprocess.run(["readelf", "-dV", path], capture_output=True, text=True, check=True).stdout
                needed = set(re.findall(r"NEEDED.*\[(.*?)\]", text))
                self.assertLessEqual(needed, C_LIBRARY, name)
                self.check_exports(path)
                newest = max(int(n) for n in re.findall(r"GLIBC_2\.(\d+)", text))
                self.assertLessEqual(newest, 28, name)

    def test_what_is_for_the_other_machine(self):
        """The program starts in an emulator; our backend, served there over the protocol, is judged from outside."""
        folder, emulator = ROOTS / "unpacked-aarch64", "qemu-aarch64-static -L /usr/aarch64-linux-gnu"
        (tree,) = folder.glob("*.data/data")
        said = self.run_here(f"chmod +x {tree}/bin/poolproof && {emulator} {tree}/bin/poolproof --version")
        self.assertRegex(said, r"^poolproof \d")
        (folder / "serve.cc").write_text(SERVE)
        # The compiler of scripts/wheel.sh.
        compile_it = f"build/wheel/aarch64/bin/c++ -std=c++17 -O1 -I{tree}/include/poolproof -ldl"
        self.run_here(f"{compile_it} {folder}/serve.cc -o {folder}/serve")
        served = f"process:{emulator} {folder}/serve {tree}/lib/poolproof/libpoolproof_optimized_backend.so"
        options = f"--level=quick --random=1000 --allow-read={folder} --no-report --out={folder}/results"
        said = self.run_here(f"{BUILD}/bin/conformance --backend='{served}' {options}")
        self.assertRegex(said, r"\n5585 cases in .*: 5585 pass\n")

    def run_here(self, script):
        command = ["bash", "-euc", script]
        return self.said(script, subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False))

    def check_exports(self, path):
        """A backend's names have to meet no other ones, and its signal handlers ours (conformance/worker)."""
        text = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        wanted = ["poolproof_get_backend"]
        if path.name == "poolproof":
            wanted = "__sysv_signal bsd_signal sigaction signal ssignal sysv_signal".split()
        self.assertEqual(sorted(line.split()[-1] for line in text.splitlines()), wanted)

    def test_the_page(self):
        root = clean_root("python", ["python3", "python3-venv"])
        for file in [*DIST.glob("*x86_64.whl"), *(ROOTS / "wheelhouse").iterdir()]:
            shutil.copy(file, root.folder / "try")
        (_, first), *others = blocks("Wheel")
        self.check_verdict(root, first)
        text = "".join(self.write_or_run(root, language, text) for language, text in others)
        self.assertIn("\nCONFORMS in a part of the plan: level documented\n", text)
        self.assertRegex(text, r"\n2 passed in ")

    def test_what_pytest_says_of_a_wrong_backend(self):
        """Runs after the page, in what it has left."""
        root = SealedRoot(ROOTS / "python")
        mine = (root.folder / "try/mine.py").read_text()
        (root.folder / "try/mine.py").write_text(mine.replace("% bound", "% bound + 1"))
        command = [".venv/bin/python", "-m", "pytest", "-q", "test_pooling.py"]
        said = self.said("pytest", root.run(command, {}, "/try", capture_output=True, text=True), code=1)
        self.assertRegex(
            said, r"(?s)reproduce.*FAILED test_pooling.py::test_pooling\[MaxPool-8\].*\n1 failed, 1 passed in "
        )


class Archive(Page):
    def unpack(self, root):
        (archive,) = DIST.glob("poolproof-*-linux-x86_64.tar.gz")
        shutil.copy(archive, root.folder / "try")
        return "/try/" + archive.name.removesuffix(".tar.gz")

    def test_the_page_without_a_compiler(self):
        root = clean_root("nothing", [])
        self.unpack(root)
        self.check_verdict(root, blocks("Archive")[0][1])

    def test_the_page_with_a_compiler(self):
        root = clean_root("compiler", ["cmake", "g++", "make", "pkg-config"])
        folder = self.unpack(root)
        (_, unpack), (_, compile_it) = blocks("Archive")
        self.run_in(root, unpack)
        self.assertIn("\nCONFORMS", self.run_in(root, compile_it, folder))
        cmake = blocks("CMake")
        for language, text in cmake[:2]:
            said = self.write_or_run(root, language, text, folder)
        self.assertIn("100% tests passed", said)
        self.assertTrue((root.folder / folder[1:] / "build/poolproof/pooling/report.html").exists())
        self.assertEqual(cmake[2][0], "cmake")
        self.assertIn("\nCONFORMS", self.run_in(root, cmake[3][1], folder))


class Container(Page):
    """The steps of Dockerfile, each stage in a root of its own; `docker run` is its entry point."""

    def stages(self):
        found = []
        for instruction, argument in dockerfile_steps((ROOT / "Dockerfile").read_text(encoding="utf-8")):
            if instruction == "FROM":
                found.append([])
            found[-1].append((instruction, argument))
        return found

    def run_stage(self, root, steps, before=None):
        """Runs the steps; returns the folder and the program that a container starts with."""
        cwd, entry = "/", ""
        for instruction, argument in steps:
            if instruction == "RUN":
                self.run_in(root, argument, cwd)
            elif instruction == "COPY" and argument.startswith("--from=build "):
                _, source, target = argument.split()
                shutil.copytree(before.folder / source[1:], root.folder / target[1:], dirs_exist_ok=True)
            elif instruction == "COPY":
                source, target = argument.split()
                copy_sources(ROOT / source, root.folder / target[1:])
            elif instruction == "WORKDIR":
                cwd = argument
                (root.folder / cwd[1:]).mkdir(exist_ok=True)
            elif instruction == "ENTRYPOINT":
                (entry,) = re.fullmatch(r'\["(\w+)"\]', argument).groups()
            else:
                self.assertEqual(instruction, "FROM")
        return cwd, entry

    def test_the_page(self):
        build, run = self.stages()
        self.assertEqual([build[0][1], run[0][1]], ["debian:12 AS build", "debian:12-slim"])
        (_, package), (_, docker) = blocks("Debian package and container")
        builder = self.clean_builder()
        self.run_stage(builder, build)
        self.check_package(package, next((builder.folder / "packages").glob("*.deb")))
        shutil.rmtree(ROOTS / "run", ignore_errors=True)
        runner = clean_root("run", [])
        cwd, entry = self.run_stage(runner, run, builder)
        arguments = re.search(rf'^docker run --rm -v "\$PWD:{cwd}" poolproof (.*)$', docker, re.MULTILINE)[1]
        shutil.copy(
            runner.folder / "usr/lib/poolproof/libpoolproof_optimized_backend.so",
            runner.folder / cwd[1:] / "libmine.so",
        )
        text = self.run_in(runner, f"{entry} {arguments} --level=quick --random=1000", cwd)
        self.assertIn("\nCONFORMS", text)

    def test_the_sources_fetched_by_a_build(self):
        """Runs after the page, in the stage that it has left: a compiler, the libraries, and the sources."""
        root = SealedRoot(ROOTS / "build")
        cmake = blocks("CMake")
        fetched = cmake[2][1].split("\n\n")[1]
        tag = re.search(r"GIT_TAG (\S+)\)", fetched)[1]
        project = cmake[0][1].replace("find_package(poolproof REQUIRED)\n", fetched)
        (root.folder / "try/CMakeLists.txt").write_text(project)
        git = "git -c user.name=a -c user.email=a"
        self.run_in(root, f"git init -q && git add . && {git} commit -qm a && git tag {tag}", "/poolproof")
        self.run_in(root, "cp /poolproof/conformance/backends/example_backend.cc mine.cc")
        self.run_in(root, "cmake -B build -G Ninja -DPOOLPROOF_REPOSITORY=file:///poolproof && cmake --build build")
        self.assertIn("100% tests passed", self.run_in(root, "ctest --test-dir build --output-on-failure"))

    def clean_builder(self):
        """A root of its own, in which what was compiled before is not compiled once more."""
        cache, kept = "build/root/.cache", ROOTS / "cache"
        if (ROOTS / cache).exists():
            shutil.rmtree(kept, ignore_errors=True)
            shutil.move(ROOTS / cache, kept)
        shutil.rmtree(ROOTS / "build", ignore_errors=True)
        builder = clean_root("build", [])
        if kept.exists():
            shutil.copytree(kept, ROOTS / cache)
        return builder

    def check_package(self, script, package):
        shutil.rmtree(ROOTS / "package", ignore_errors=True)
        root = clean_root("package", [])
        shutil.copy(package, root.folder / "try")
        root.run(["apt-get", "update", "-qq"]).check_returncode()
        self.check_verdict(root, script)
        names = set(self.run_in(root, "dpkg -L poolproof").split())
        self.assertLessEqual({"/usr/bin/poolproof", "/usr/share/man/man1/poolproof.1"}, names)
        self.run_in(root, "dpkg --remove poolproof && ! command -v poolproof")


def prepare():
    """What the tests need beside the packages: tools, and the wheels of others for a machine without a network."""
    problem = missing_tools()
    if not problem and not list(DIST.glob("*.whl")):
        problem = f"{DIST} has no wheels; scripts/wheel.sh makes them"
    if problem:
        sys.exit(f"package_test.py: {problem}")
    house = ROOTS / "wheelhouse"
    if not house.exists():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--python-version=3.11"]
        subprocess.run([*pip, f"--dest={house}", "numpy", "pytest"], check=True)


if __name__ == "__main__":
    prepare()
    unittest.main()
