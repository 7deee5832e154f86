"""The tests of lanes and cell as an ordinary user, where the others are run by the superuser.

They run on a copy, since the folders above a build may be closed to others."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(FOLDER, "..", ".."))
sys.path.insert(0, os.path.join(FOLDER, "..", "gate"))

from harness import BUILD, main

PYTHON = os.environ.get("POOLPROOF_PYTHON", sys.executable)
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@unittest.skipUnless(os.getuid() == 0, "an ordinary user runs the tests themselves")
class OrdinaryUser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stage = tempfile.mkdtemp(prefix="poolproof-user-")
        os.chmod(cls.stage, 0o755)
        for name in ("conformance", "poolproof-worker", "driver_program", "worker_test", "process_lane_test"):
            cls.copy(os.path.join(BUILD, "bin", name), "build", "bin", name)
        cls.copy(os.path.join(BUILD, "lib"), "build", "lib")
        for name in ("backends/python", "gate", "worker"):
            cls.copy(os.path.join(ROOT, "conformance", name), "conformance", name)
        home, scratch = os.path.join(cls.stage, "home"), os.path.join(cls.stage, "scratch")
        for folder in (home, scratch):
            os.mkdir(folder)
            os.chown(folder, 65534, 65534)
        cls.environment = {
            **os.environ,
            "HOME": home,
            "TMPDIR": scratch,
            "POOLPROOF_BUILD": os.path.join(cls.stage, "build"),
            "POOLPROOF_LIBRARY_DIR": os.path.join(cls.stage, "build", "lib"),
            "POOLPROOF_SOURCE_DIR": cls.stage,
        }

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.stage)

    @classmethod
    def copy(cls, source, *parts):
        """Of a folder what is in it, without libraries that only link."""
        target = os.path.join(cls.stage, *parts)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(source):
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.a", "__pycache__"))
        else:
            shutil.copy(source, target)

    def run_as_nobody(self, *command):
        done = subprocess.run(
            [*NOBODY, *command],
            cwd=self.environment["HOME"],
            text=True,
            check=False,
            capture_output=True,
            timeout=900,
            env=self.environment,
        )
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
        return done

    def test_lanes_of_shared_objects(self):
        done = self.run_as_nobody(os.path.join(self.stage, "build", "bin", "worker_test"))
        self.assertIn("[  PASSED  ]", done.stdout)

    def test_lanes_of_programs(self):
        done = self.run_as_nobody(os.path.join(self.stage, "build", "bin", "process_lane_test"))
        self.assertIn("[  PASSED  ]", done.stdout)

    def test_isolation(self):
        done = self.run_as_nobody(PYTHON, "-B", os.path.join(self.stage, "conformance", "worker", "isolation_test.py"))
        self.assertIn("\nOK", done.stderr)


if __name__ == "__main__":
    main()
