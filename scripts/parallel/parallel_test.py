"""Shards under GNU parallel on this machine: what fails is run again, verdicts are not, each device has one shard."""

import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "conformance", "cli"))
sys.path.insert(0, os.path.join(HERE, "..", "slurm"))
from harness import MUTANTS, PROGRAM, Program, Results, library, main, wait_until
from loopback import free_ports

ARGUMENTS = [f"--backend={library(MUTANTS)}", "--level=documented"]
OPTION = "--backend-option=mutant=index-counts-from-one"

# The program, but that it fails for shard 2 as long as there is a file "broken".
FAILING = """#!/bin/sh
echo "$@" >> {folder}/calls
case "$@" in *--shard=2/*) [ ! -e {folder}/broken ] || exit 4 ;; esac
exec {program} "$@"
"""


class Shards(Program):
    """A scratch folder, and a program that can be made to fail."""

    def setUp(self):
        super().setUp()
        self.assertIsNotNone(shutil.which("parallel"), "parallel is needed: scripts/install.sh cluster")
        with open(self.path("program"), "w", encoding="utf-8") as file:
            file.write(FAILING.format(folder=self.folder, program=PROGRAM))
        os.chmod(self.path("program"), 0o755)

    def run_shards(self, *arguments, code):
        done = subprocess.run(
            [sys.executable, "-B", os.path.join(HERE, "run.py"), f"--program={self.path('program')}", *arguments],
            check=False,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        return done

    def shards_started(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return sorted(word for line in file for word in line.split() if word.startswith("--shard="))


class Parallel(Shards):
    def test_failed_shards_alone_are_run_again(self):
        open(self.path("broken"), "w", encoding="utf-8").close()
        done = self.run_shards(
            f"--folder={self.path('run')}", "--shards=3", "--attempts=2", "--", *ARGUMENTS, OPTION, code=2
        )
        self.assertIn("shard 2 of the 3 of this run is missing", done.stderr)
        self.assertEqual(self.shards_started(), ["--shard=1/3", "--shard=2/3", "--shard=2/3", "--shard=3/3"])
        os.remove(self.path("broken"))
        os.remove(self.path("calls"))
        self.run_shards(f"--retry={self.path('run')}", code=1)
        self.assertEqual(self.shards_started(), ["--shard=2/3"])
        _, whole = self.gate(MUTANTS, OPTION, "--level=documented", out="whole", code=1)
        merged = Results(self.path("run", "merged", "results.jsonl"))
        self.assertEqual(merged.comparable(), whole.comparable())

    def test_each_device_has_one_shard_at_a_time(self):
        devices = ["index-counts-from-one", "kernel-reversed"]
        self.run_shards(
            f"--folder={self.path('run')}",
            "--shards=4",
            f"--devices={','.join(devices)}",
            "--key=mutant",
            "--",
            *ARGUMENTS,
            code=1,
        )
        spans = {}
        for shard in range(1, 5):
            (device,) = Results(self.path("run", "shards", str(shard), "results.jsonl")).header["device_options"]
            with open(self.path("run", "attempts", f"{shard}.jsonl"), encoding="utf-8") as file:
                spans.setdefault(device, []).append([json.loads(line)["time"] for line in file])
        self.assertLessEqual(set(spans), {f"mutant={device}" for device in devices})
        for times in spans.values():
            times.sort()
            self.assertTrue(all(a[1] <= b[0] for a, b in zip(times, times[1:])), spans)


SSHD = """Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
"""
SSH = """Host {name}
  HostName 127.0.0.1
  Port {port}
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking no
  LogLevel ERROR
"""


class OverSsh(Shards):
    """Two sshd on loopback with their own keys and ports."""

    def setUp(self):
        super().setUp()
        self.assertTrue(os.path.exists("/usr/sbin/sshd"), "sshd is needed: scripts/install.sh cluster")
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(name)], check=True)
        for name, port in zip(("one", "two"), free_ports(2)):
            self.start(name, port)

    def start(self, name, port):
        with open(self.path("ssh_config"), "a", encoding="utf-8") as file:
            file.write(SSH.format(name=name, port=port, folder=self.folder))
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(SSHD.format(port=port, folder=self.folder))
        # Started by root, sshd wants a folder in /run, which is one that only it sees.
        command = (
            f"mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec /usr/sbin/sshd -D -e -f {self.path(name)}"
        )
        with open(self.path(f"{name}.log"), "wb") as log:
            daemon = subprocess.Popen(["unshare", "--mount", "sh", "-c", command], stderr=log, stdin=subprocess.DEVNULL)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        wait_until(lambda: self.is_listening(name), 600)

    def is_listening(self, name):
        with open(self.path(f"{name}.log"), encoding="utf-8") as file:
            return "listening" in file.read()

    def test_merged_shards_equal_the_whole_run(self):
        self.run_shards(
            f"--folder={self.path('run')}",
            "--shards=4",
            "--sshlogin=1/one,1/two",
            f"--ssh=ssh -F {self.path('ssh_config')}",
            "--",
            *ARGUMENTS,
            OPTION,
            code=1,
        )
        with open(self.path("run", "joblog"), encoding="utf-8") as file:
            self.assertEqual({line.split("\t")[1] for line in file.readlines()[1:]}, {"one", "two"})
        _, whole = self.gate(MUTANTS, OPTION, "--level=documented", out="whole", code=1)
        merged = Results(self.path("run", "merged", "results.jsonl"))
        self.assertEqual(merged.comparable(), whole.comparable())


if __name__ == "__main__":
    main()
