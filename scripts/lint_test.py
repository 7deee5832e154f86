"""lint.sh finds nothing in the tree, and what is out of order in samples of each kind."""

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
    "kubernetes/job.yaml": text_of("scripts/kubernetes/job.yaml"),
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
    "kubernetes/job.yaml": text_of("scripts/kubernetes/job.yaml").replace("completionMode", "completionMod"),
}


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
