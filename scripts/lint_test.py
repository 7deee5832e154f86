"""lint.sh finds nothing in the tree and what is out of order in samples of each kind; tidy.sh what is asked for."""

import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
LINT = os.path.join(HERE, "lint.sh")


def text_of(path):
    with open(os.path.join(HERE, "..", path), encoding="utf-8") as file:
        return file.read()


GOOD = {
    "a.cc": "int Twice(int x) { return 2 * x; }\n",
    "b.h": "int Twice(int x);\n",
    "c.py": "def twice(x):\n    return 2 * x\n",
    "d.sh": '#!/bin/sh\necho "$1"\n',
    "action.yml": text_of("action.yml"),
    "templates/gate.yml": text_of("templates/gate.yml"),
    "docs/scale.md": text_of("docs/scale.md"),
}
BAD = {
    "spaces.cc": "int Twice(int  x) { return 2*x; }\n",
    "wide.h": f"int {'a' * 60}(int {'b' * 30}, int {'c' * 30});\n",
    "spaces.py": "def twice( x ):\n    return 2*x\n",
    "unused.py": "import os\n",
    "undefined.py": "print(nowhere)\n",
    "unquoted.sh": "#!/bin/sh\nrm $1\n",
    "action.yml": text_of("action.yml").replace("using: composite", "using: compsite"),
    "templates/gate.yml": text_of("templates/gate.yml").replace("when: always", "when: sometimes"),
    "docs/scale.md": text_of("docs/scale.md").replace("completionMode", "completionMod"),
}

# For clang-tidy, with the check that each breaks.
TIDY = {
    "bugprone-integer-division": "double Half(int x) { return x / 2; }",
    "bugprone-macro-parentheses": "#define POOLPROOF_TWICE(x) 2 * x",
    "misc-redundant-expression": "bool Same(int x) { return x == x; }",
    "modernize-use-nullptr": "int* const kNothing = 0;",
    "performance-for-range-copy": "struct Row { Row(const Row&); ~Row(); int n; };\n"
    "int Sum(const Row (&rows)[3]) { int n = 0; for (const Row row : rows) n += row.n; return n; }",
    "readability-identifier-naming": "int twice_of(int x) { return 2 * x; }",
}


class TidyTest(unittest.TestCase):
    def tidy(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sample.cc")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + "\n")
            config = os.path.join(HERE, "..", ".clang-tidy")
            command = ["clang-tidy-19", f"--config-file={config}", "--quiet", path, "--", "-std=c++20"]
            done = subprocess.run(command, capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def test_what_is_in_order(self):
        self.assertEqual(self.tidy("constexpr int kTwo = 2;\nint Twice(int x) { return kTwo * x; }")[0], 0)

    def test_what_is_not(self):
        for check, text in TIDY.items():
            code, said = self.tidy(text)
            self.assertEqual(code, 1, check)
            self.assertIn(f"[{check}", said)

    def test_every_source_is_among_what_is_looked_at(self):
        def listed(*options):
            done = subprocess.run([os.path.join(HERE, "tidy.sh"), "--list", *options], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.splitlines()

        self.assertGreater(len(listed()), 100)
        for source in ("reference/plan.cc", "conformance/format/text.h", "conformance/run/engine.cc"):
            self.assertEqual(len(listed(source)), 1, source)
        if os.path.exists(os.path.join(HERE, "..", ".git")):  # an archive of a checkout has no changes
            self.assertLessEqual(set(listed("--changed", "HEAD")), set(listed()))


class NightlyTest(unittest.TestCase):
    def test_parts_are_listed_and_others_refused(self):
        nightly = os.path.join(HERE, "nightly.sh")
        done = subprocess.run([nightly, "--list"], capture_output=True, text=True)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], ["asan", "tsan", "clang", "tidy"])
        done = subprocess.run([nightly, "msan"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('no part is called "msan"', done.stderr)


class LintTest(unittest.TestCase):
    def lint(self, *files):
        done = subprocess.run([LINT, *files], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def write(self, folder, name, text):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_the_tree(self):
        code, said = self.lint()
        self.assertEqual(code, 0, said)

    def test_samples(self):
        with tempfile.TemporaryDirectory() as folder:
            code, said = self.lint(*(self.write(folder, name, text) for name, text in GOOD.items()))
            self.assertEqual(code, 0, said)
            for name, text in BAD.items():
                code, said = self.lint(self.write(folder, name, text))
                self.assertEqual(code, 1, name)
                self.assertIn(name, said)


if __name__ == "__main__":
    unittest.main()
