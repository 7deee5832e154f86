"""What is installed: the tree, builds of others against it, and what a shell and a reader find."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "conformance", "gate"))
from harness import BUILD, PROGRAM, blocks_of, main, text_of

FILES = {
    "bin": "poolproof poolproof-worker",
    "include/poolproof/conformance": "backend.h backend_helper.h backend_process.h gtest.h",
    "lib/cmake/poolproof": "poolproof-config-version.cmake poolproof-config.cmake poolproof_add_gate.cmake",
    "lib/pkgconfig": "poolproof.pc",
    "lib/poolproof": "libpoolproof_optimized_backend.so",
    "share/bash-completion/completions": "poolproof",
    "share/doc/poolproof": "FORMAT.md ISOLATION.md LICENSE PROTOCOL.md README.md VECTORS.md",
    "share/man/man1": "poolproof.1",
    "share/poolproof/examples": "c_backend.c example_backend.cc example_backend.py",
    "share/poolproof/python": "poolproof.py",
    "share/poolproof/schema": "claim.schema.json results.schema.json summary.schema.json",
    "share/zsh/site-functions": "_poolproof",
}

# A program that serves a shared object over the protocol.
SERVE = """#include <dlfcn.h>
#include "conformance/backend_process.h"
int main(int, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return 2;
  const auto get = reinterpret_cast<poolproof_get_backend_fn>(dlsym(library, "poolproof_get_backend"));
  return poolproof::backend::Serve(get, 0, 1);
}
"""
STRICT = "add_compile_options(-Wall -Wextra -Wconversion -Wshadow -Werror)\nset(CMAKE_CXX_STANDARD 17)\n"


def cmake_blocks(language="cmake"):
    """The files that docs/packages.md tells a project to write that has poolproof."""
    return [block for found, block in blocks_of(text_of("docs", "packages.md")) if found == language]


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def run(*command, code=0, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **more)
    if done.returncode != code:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout + done.stderr


class Tree(unittest.TestCase):
    """A tree that was installed and then moved."""

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="poolproof-install-"))
        first = os.path.join(cls.folder, "first")
        run("cmake", "--install", BUILD, "--prefix", first)
        # Nothing in the tree may know where it was put first.
        cls.prefix = shutil.move(first, os.path.join(cls.folder, "moved"))
        cls.program = os.path.join(cls.prefix, "bin", "poolproof")

    def path(self, *parts):
        return os.path.join(self.prefix, *parts)


class Installed(Tree):
    def test_the_tree(self):
        walk = os.walk(self.prefix)
        found = {os.path.relpath(folder, self.prefix): " ".join(sorted(names)) for folder, _, names in walk if names}
        self.assertEqual(found, FILES)

    def configure(self, old="", new="", code=0, after=""):
        """Configures the project of the page, changed, in a fresh folder: the build folder, and what CMake said."""
        source = tempfile.mkdtemp(dir=self.folder)
        shutil.copy(self.path("share/poolproof/examples/example_backend.cc"), os.path.join(source, "mine.cc"))
        os.symlink(ROOT, os.path.join(source, "poolproof"))
        write(os.path.join(source, "CMakeLists.txt"), cmake_blocks()[0].replace(old, new) + after)
        build = os.path.join(source, "build")
        places = (f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DFETCHCONTENT_SOURCE_DIR_POOLPROOF={ROOT}")
        return build, run("cmake", "-S", source, "-B", build, "-G", "Ninja", *places, code=code)

    def test_a_project_that_finds_the_package(self):
        build, _ = self.configure()
        run("cmake", "--build", build)
        run("ctest", "--test-dir", build, "--output-on-failure")
        self.assertTrue(os.path.exists(os.path.join(build, "poolproof", "pooling", "report.html")))

    def test_a_gate_that_fails_and_one_with_a_baseline(self):
        build, _ = self.configure("OPTIONS", "${MORE} OPTIONS --reading=ties=last")
        run("cmake", "--build", build)
        self.assertIn("DOES NOT CONFORM", run("ctest", "--test-dir", build, "--output-on-failure", code=8))
        baseline = os.path.join(build, "..", "baseline.txt")
        run(self.program, "baseline", f"--results={build}/poolproof/pooling/results.jsonl", f"--write={baseline}")
        run("cmake", build, "-DMORE=BASELINE;baseline.txt")
        run("ctest", "--test-dir", build, "--output-on-failure")

    def test_a_project_that_has_it_within_itself(self):
        for sources in cmake_blocks()[1].split("\n\n"):  # a submodule, and fetched
            build, _ = self.configure("find_package(poolproof REQUIRED)", sources)
            plan = run("ninja", "-C", build, "-t", "commands", "all").replace(ROOT, "")
            self.assertIn("bin/conformance", plan)
            for other in ("optimized", "mutants_backend", "_test", "fuzz_", "bench"):
                self.assertNotIn(other, plan)
            self.assertEqual(re.findall(r"Test +#\d+: (\w+)", run("ctest", "--test-dir", build, "-N")), ["pooling"])

    def test_wrong_arguments_of_poolproof_add_gate(self):
        for arguments, sentence in (
            ("g absent", 'there is no target "absent"'),
            ("g stat", "of type STATIC_LIBRARY"),
            ("g mine LEVEL quick", '"LEVEL;quick" is neither BASELINE nor OPTIONS'),
        ):
            lines = f"add_library(stat STATIC mine.cc)\npoolproof_add_gate({arguments})\n"
            _, said = self.configure(code=1, after=lines)
            self.assertIn(sentence, re.sub(r"\s+", " ", said))

    def test_a_compiler_alone(self):
        """The last commands of the page, in a copy of the tree."""
        folder = shutil.copytree(self.prefix, os.path.join(self.folder, "copy"))
        shutil.copy(f"{folder}/share/poolproof/examples/example_backend.cc", f"{folder}/mine.cc")
        commands = blocks_of(text_of("docs", "packages.md").split("Without CMake:")[1])[0][1]
        self.assertIn("\nCONFORMS", run("bash", "-euc", commands, cwd=folder))
        environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(folder, "lib", "pkgconfig")}
        program, optimized, version = (
            run("pkg-config", flag, "poolproof", env=environment).strip()
            for flag in ("--variable=program", "--variable=optimized_backend", "--modversion")
        )
        run(program, f"--backend={optimized}", "--level=documented", "--no-report", cwd=folder)
        self.assertEqual(run(program, "--version").split()[1], version)

    def test_it_goes_by_its_name(self):
        self.assertIn("Usage: poolproof probe ", run(self.program, "probe", "--help"))
        self.assertRegex(run(self.program, "probe", code=2), "^poolproof: --backend is needed")
        out = os.path.join(self.folder, "named")
        backend = "--backend=" + self.path("lib/poolproof/libpoolproof_optimized_backend.so")
        run(self.program, backend, "--level=documented", "--profile=openvino", f"--out={out}", code=1)
        for name, begin in (("junit.xml", "reproduce: "), ("report.html", "<code>")):
            text = text_of(out, name)
            self.assertIn(f"{begin}{self.program} reproduce ", text)
            self.assertNotIn("conformance reproduce", text)

    def test_the_manual_has_every_command_and_option(self):
        manual = re.sub(r"\\f[BRI]", "", text_of(self.path("share/man/man1/poolproof.1"))).replace(r"\-", "-")
        text = run(PROGRAM, "--help-all")
        listed = re.findall(r"^ +(?:-h,)?(--[a-z-]+)", text, re.MULTILINE)
        listed += re.findall(r"^([a-z-]+)$", text.split("\nSubcommands:\n")[1], re.MULTILINE)
        self.assertGreater(len(set(listed)), 40)
        for word in set(listed) - {"--help", "--help-all"}:
            self.assertRegex(manual, rf"(?m)^{word}$")
        self.assertNotIn("conformance", manual)


class GoogleTests(Tree):
    """The test program of the page, of the example backend and of ones that are wrong."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.source = os.path.join(cls.folder, "source")
        os.makedirs(cls.source)
        project = cmake_blocks()[2].replace("add_executable", STRICT + "add_executable")
        write(os.path.join(cls.source, "CMakeLists.txt"), project)
        write(os.path.join(cls.source, "pooling_test.cc"), cmake_blocks("cpp")[0])
        cls.example = text_of(cls.path(cls, "share/poolproof/examples/example_backend.cc"))
        cls.build = os.path.join(cls.folder, "build")
        write(os.path.join(cls.source, "mine.cc"), cls.example)
        run("cmake", "-S", cls.source, "-B", cls.build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={cls.prefix}")

    def judge(self, *arguments, code=0, change=(), **variables):
        """Runs the tests on the example in which some text is another."""
        text = self.example
        for old, new in change:
            self.assertIn(old, text)
            text = text.replace(old, new)
        write(os.path.join(self.source, "mine.cc"), text)
        run("cmake", "--build", self.build)
        command = [os.path.join(self.build, "pooling_test"), *arguments]
        return run(*command, code=code, cwd=self.build, env={**os.environ, **variables})

    def test_the_page(self):
        said = self.judge()
        self.assertIn("[       OK ] Operators/Pooling.Conforms/MaxPool_8", said)
        self.assertIn("[       OK ] Operators/Pooling.Conforms/run", said)
        self.assertIn("[  SKIPPED ] Operators/Pooling.Conforms/AvgPool_14", said)
        self.assertIn("[  PASSED  ] 2 tests.", said)
        self.assertTrue(os.path.exists(os.path.join(self.build, "poolproof-results/Pooling/report.html")))
        run("ctest", "--test-dir", self.build, "--output-on-failure")

    def test_a_wrong_answer(self):
        said = self.judge(code=1, change=[("at % bound", "at % bound + 1")])
        self.assertIn("MaxPool-8 does not conform\n\nfail: Output indices", said)
        self.assertRegex(said, r"reproduce.*\n(.*\n)*and \d+ more")
        self.assertIn("[  PASSED  ] 1 test.", said)
        self.assertIn("1 FAILED TEST\n", said)

    def test_a_crash_is_one_of_the_test(self):
        line = '    if (call.Input(0).dims[1] == 3) *static_cast<volatile int*>(nullptr) = std::printf("dying\\n");\n'
        begin = "    call.CheckCapacity();\n"
        said = self.judge(code=1, change=[(begin, begin + line)])
        self.assertIn("MaxPool-8 does not conform\n\ncrash: ", said)
        self.assertIn("[  SKIPPED ] Operators/Pooling.Conforms/AvgPool_14", said)
        self.assertRegex(said, r"\[==========\] \d\d tests from 1 test suite ran\.")

    def test_a_backend_that_does_not_start(self):
        change = [("!options.empty()", "true"), ("options[0]", "std::to_string(options.size())")]
        said = self.judge(code=1, change=change)
        self.assertIn("poolproof could not judge the backend", said)
        self.assertIn("could not start, INVALID_ARGUMENT: unknown option 0", said)

    def test_no_program(self):
        said = self.judge(code=1, POOLPROOF_PROGRAM="/absent/poolproof")
        self.assertIn("poolproof could not judge the backend", said)
        self.assertIn("/absent/poolproof: not found", said)
        self.assertIn("1 FAILED TEST\n", said)

    def test_one_test_of_many_and_of_shards(self):
        said = self.judge("--gtest_filter=*/MaxPool_8", GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX="0")
        self.assertIn("[  PASSED  ] 1 test.", said)
        self.assertIn("MaxPool_8", self.judge("--gtest_list_tests"))

    def test_a_whole_backend_over_the_protocol(self):
        """All operators, types and invalid calls have the same verdict as the shared object has."""
        program = os.path.join(self.folder, "serve")
        library = self.path("lib/poolproof/libpoolproof_optimized_backend.so")
        write(program + ".cc", SERVE)
        run("g++", "-std=c++17", "-O1", f"-I{self.path('include/poolproof')}", program + ".cc", "-ldl", "-o", program)
        options = ["--level=quick", "--random=2000", "--no-report", f"--out={self.folder}/served"]
        said = run(self.program, f"--backend=process:{program} {library}", *options, cwd=self.folder)
        self.assertRegex(said, r"\n(\d{4,}) cases in .*: \1 pass\n")


class Completion(Tree):
    """What bash offers after a line; the cursor is at its end."""

    def offers(self, *words):
        script = (
            'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
            '_poolproof "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; echo "${COMPREPLY[@]}"'
        )
        completion = self.path("share/bash-completion/completions/poolproof")
        return run("bash", "-c", script, completion, self.program, *words).split()

    def test_commands(self):
        self.assertIn("reproduce", self.offers(""))
        self.assertEqual(self.offers("prob"), ["probe"])
        self.assertEqual(self.offers("probe", ""), [])

    def test_options(self):
        self.assertEqual(self.offers("--random"), ["--random"])
        self.assertIn("--level", self.offers("--"))
        self.assertEqual(self.offers("probe", "--wr"), ["--write"])
        self.assertEqual(self.offers("probe", "--le"), [])

    def test_values(self):
        self.assertEqual(self.offers("--isolation", "=", "f"), ["full"])
        self.assertEqual(self.offers("--isolation", "="), ["full", "standard", "none"])
        self.assertEqual(self.offers("list", "--level", "=", "q"), ["quick"])
        self.assertEqual(self.offers("--profile", "onnxr"), ["onnxruntime"])
        self.assertEqual(self.offers("--family", "=", "onnx,py"), ["onnx,pytorch"])
        self.assertEqual(self.offers("--reading", "=", "ties=l"), ["ties=last"])
        self.assertEqual(self.offers("--filter", "MaxPool-1"), ["MaxPool-1", "MaxPool-14"])
        self.assertEqual(self.offers("--isolation", "s"), ["standard"])
        self.assertEqual(self.offers("--baseline", "x"), [])


class Scripts(unittest.TestCase):
    def test_presets_are_read_and_used(self):
        listed = run("cmake", "--list-presets=all", ROOT)
        for file, call, presets in (
            ("scripts/gate.sh", "gate", ["gate"]),
            ("scripts/test.sh", '"$preset"', ["test", "all"]),
            ("Dockerfile", "package", ["package"]),
        ):
            self.assertIn(f"cmake --preset {call} ", text_of(file))
            for preset in presets:
                self.assertIn(f'"{preset}"', listed)
                self.assertRegex(text_of(file), rf'preset[ =]"?{preset}\b')

    def test_a_wheel_of_a_clone_is_for_this_machine_and_that_of_packages_for_all(self):
        """Kernels for all instruction sets take longer to compile than all else that is in the wheel."""
        self.assertIn('\ncmake.define.POOLPROOF_FOR_THIS_MACHINE = "ON"\n', text_of("pyproject.toml"))
        self.assertIn(" cmake.define.POOLPROOF_FOR_THIS_MACHINE=OFF", text_of("scripts", "wheel.sh"))
        for option in ("TESTS", "EXTRAS"):
            self.assertIn(f'\ncmake.define.POOLPROOF_{option} = "OFF"\n', text_of("pyproject.toml"))

    def test_packages_are_built_as_the_page_says(self):
        page = text_of("docs", "packages.md").split("\n## Building them\n")[1]
        install, wheel, package = blocks_of(page)[0][1].splitlines()
        script = text_of("scripts", "package.sh").splitlines()
        self.assertIn(install, script)
        self.assertIn(wheel.split("#")[0].strip(), script)
        self.assertIn("RUN " + re.sub(r"\bdist\b", "/packages", package), text_of("Dockerfile").splitlines())


if __name__ == "__main__":
    main()
