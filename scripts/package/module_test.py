"""The module `poolproof` of the wheel, on an installed tree: the gate from Python, and the helper behind it."""

import os
import shutil
import subprocess
import sys

from install_test import ROOT, Tree, main

sys.path.insert(0, os.path.join(ROOT, "conformance", "gate"))
from harness import MUTANTS, library

SOURCE = os.path.join(ROOT, "conformance", "backends", "python")
WRONG = (library(MUTANTS), "--backend-option=mutant=index-counts-from-one", "--level=documented")


class Module(Tree):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # As pyproject.toml puts them together.
        cls.modules = os.path.join(cls.folder, "modules")
        shutil.copytree(os.path.join(SOURCE, "wheel"), cls.modules)
        shutil.copy(os.path.join(SOURCE, "poolproof.py"), os.path.join(cls.modules, "poolproof", "backend.py"))
        os.environ["POOLPROOF_PREFIX"] = cls.prefix
        sys.path.insert(0, cls.modules)
        import poolproof

        cls.poolproof = poolproof

    def gate(self, *arguments):
        return self.poolproof.Gate(*arguments, out=os.path.join(self.folder, "results"))

    def test_places(self):
        for place in (self.poolproof.program(), self.poolproof.optimized_backend(), self.poolproof.cmake_prefix()):
            self.assertTrue(os.path.exists(place), place)
        self.assertTrue(os.path.exists(os.path.join(self.poolproof.include(), "conformance", "backend.h")))

    def test_places_of_a_wheel_are_in_its_record(self):
        """As pip writes it: names from where modules lie, which is not always below the folder that holds the rest."""
        modules = self.path("root", "lib", "python3", "site-packages")
        shutil.copytree(self.modules, modules)
        names = ("../../../bin/poolproof", "../../poolproof/libpoolproof_optimized_backend.so")
        info = "poolproof-0.1.0.dist-info"
        files = dict.fromkeys(names, "")
        files |= {f"{info}/METADATA": "Name: poolproof\nVersion: 0.1.0\n", f"{info}/RECORD": ",,\n".join([*names, ""])}
        for name, text in files.items():
            path = os.path.normpath(os.path.join(modules, name))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        script = "import poolproof; print(poolproof.program(), poolproof.optimized_backend())"
        environment = {key: value for key, value in os.environ.items() if key != "POOLPROOF_PREFIX"}
        command = [sys.executable, "-c", script]
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, env={**environment, "PYTHONPATH": modules}
        )
        self.assertEqual(
            done.stdout.split(), [os.path.normpath(os.path.join(os.path.realpath(modules), name)) for name in names]
        )

    def test_groups_are_operators_and_the_run(self):
        groups = self.gate(*WRONG).groups()
        self.assertEqual(groups[-1], "run")
        for name in ("MaxPool-8", "onnx.MaxPool-22", "torch.MaxPool"):
            self.assertIn(name, groups)
        self.assertIn("mli_krn_maxpool_chw_fx8", groups)
        self.assertFalse([name for name in groups if "_k2x2" in name], "a specialization belongs to its function")

    def test_each_group_fails_for_its_own(self):
        gate = self.gate(*WRONG)
        with self.assertRaisesRegex(
            AssertionError, r"(?s)MaxPool-8 does not conform.*reproduce.*and \d+ more.*report: "
        ):
            gate.check("MaxPool-8")
        for group in ("AvgPool-1", "mli_krn_maxpool_chw_fx8", "run"):
            gate.check(group)

    def test_a_baseline(self):
        gate = self.gate(*WRONG)
        self.assertTrue(gate.failures("MaxPool-8"))
        baseline = os.path.join(self.folder, "baseline.txt")
        subprocess.run(
            [self.poolproof.program(), "baseline", f"--results={gate.out}/results.jsonl", f"--write={baseline}"],
            check=True,
        )
        gate = self.gate(*WRONG, f"--baseline={baseline}")
        self.assertEqual([gate.failures(group) for group in gate.groups()], [[]] * len(gate.groups()))

    def test_what_cannot_be_judged(self):
        for options, sentence in (((self.path("absent.so"),), "absent.so"), ((*WRONG, "--level=none"), "--level")):
            with self.assertRaisesRegex(self.poolproof.GateError, sentence):
                self.gate(*options).failures("MaxPool-8")

    def test_the_helper_asks_for_numpy_when_it_is_used(self):
        script = "import sys; sys.modules['numpy'] = None; import poolproof; poolproof.Gate; poolproof.Backend"
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": self.modules},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertIn("ImportError: poolproof.Backend needs NumPy: pip install 'poolproof[backend]'", done.stderr)

    def test_the_program_by_its_module(self):
        environment = {**os.environ, "PYTHONPATH": self.modules}
        command = [sys.executable, "-m", "poolproof", "--version"]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        self.assertRegex(done.stdout, r"^poolproof \d")


if __name__ == "__main__":
    main()
