"""Shards under GNU parallel on this machine: what fails is run again, verdicts are not, each device has one shard.

Over ssh a machine dies in the middle of a shard, and the backend hangs: what is merged equals an undisturbed run. More
often than once: POOLPROOF_CLUSTER_RUNS=10."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "conformance", "gate"))
sys.path.insert(0, os.path.join(HERE, "..", "slurm"))
from cluster_test import ARGUMENTS as HANGING
from cluster_test import SHARDS
from harness import MUTANTS, PROGRAM, Program, Results, library, main, wait_until
from loopback import free_ports, kill, parent_of

RUNS = int(os.environ.get("POOLPROOF_CLUSTER_RUNS", 1))
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


def below(pid):
    """All that a process has started, and what those have, each before what it has started itself."""
    children = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        children.setdefault(parent_of(entry), []).append(int(entry))
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found[1:]


def shard_of(pid):
    """The shard that a process judges, 0 where it does not."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
            shard = re.search(r"--shard=(\d+)/", file.read())
        return int(shard[1]) if shard and os.path.samefile(f"/proc/{pid}/exe", PROGRAM) else 0
    except OSError:
        return 0


class OverSsh(Shards):
    """Two sshd on loopback with their own keys and ports."""

    def setUp(self):
        super().setUp()
        self.assertTrue(os.path.exists("/usr/sbin/sshd"), "sshd is needed: scripts/install.sh cluster")
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(name)], check=True)
        self.daemons = {}
        for name, port in zip(("one", "two"), free_ports(2)):
            with open(self.path("ssh_config"), "a", encoding="utf-8") as file:
                file.write(SSH.format(name=name, port=port, folder=self.folder))
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(SSHD.format(port=port, folder=self.folder))
            self.start(name)

    def start(self, name):
        # Started by root, sshd wants a folder in /run, which is one that only it sees.
        command = (
            f"mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec /usr/sbin/sshd -D -e -f {self.path(name)}"
        )
        with open(self.path(f"{name}.log"), "wb") as log:
            daemon = subprocess.Popen(["unshare", "--mount", "sh", "-c", command], stderr=log, stdin=subprocess.DEVNULL)
        self.daemons[name] = daemon
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        wait_until(lambda: self.is_listening(name), 600)

    def is_listening(self, name):
        with open(self.path(f"{name}.log"), encoding="utf-8") as file:
            return "listening" in file.read()

    def over_ssh(self, name, shards):
        return [
            f"--folder={self.path(name)}",
            f"--shards={shards}",
            "--sshlogin=1/one,1/two",
            f"--ssh=ssh -F {self.path('ssh_config')}",
            "--",
        ]

    def test_merged_shards_equal_the_whole_run(self):
        self.run_shards(*self.over_ssh("run", 4), *ARGUMENTS, OPTION, code=1)
        with open(self.path("run", "joblog"), encoding="utf-8") as file:
            self.assertEqual({line.split("\t")[1] for line in file.readlines()[1:]}, {"one", "two"})
        _, whole = self.gate(MUTANTS, OPTION, "--level=documented", out="whole", code=1)
        merged = Results(self.path("run", "merged", "results.jsonl"))
        self.assertEqual(merged.comparable(), whole.comparable())

    def test_a_machine_that_dies_and_a_backend_that_hangs_change_nothing(self):
        self.run_program(*HANGING, f"--out={self.path('whole')}", "--no-report", code=1)
        whole = Results(self.path("whole", "results.jsonl"))
        self.assertGreater(whole.footer["counts"]["timeout"], 0)
        for number in range(RUNS):
            name = f"run{number}"
            if self.daemons["one"].poll() is not None:
                os.remove(self.path("one.log"))
                self.start("one")
            with ThreadPoolExecutor(1) as pool:
                done = pool.submit(self.run_shards, *self.over_ssh(name, SHARDS), *HANGING, code=1)
                lost = self.kill_machine("one", name)
            done.result()
            merged = Results(self.path(name, "merged", "results.jsonl"))
            self.assertEqual(merged.comparable(), whole.comparable())
            self.assertEqual([start["resumed"] for start in self.starts(name, lost)], [False, True])
            print(f"run {number}: merged results equal", flush=True)

    def kill_machine(self, machine, name):
        """The sshd of a machine and all that it has started, in the middle of a shard, which is returned."""
        lost = []

        def in_the_middle():
            for pid in below(self.daemons[machine].pid):
                shard = shard_of(pid)
                partial = self.path(name, "shards", str(shard), "results.jsonl.partial")
                if not shard or not os.path.exists(partial) or os.path.getsize(partial) < 1 << 17:
                    continue
                os.kill(pid, signal.SIGSTOP)
                if not os.path.exists(self.path(name, "shards", str(shard), "results.jsonl")):
                    lost.append(shard)
                    return True
                os.kill(pid, signal.SIGCONT)
            return False

        wait_until(in_the_middle, 900)
        dead = below(self.daemons[machine].pid)
        self.daemons[machine].kill()
        self.daemons[machine].wait()
        for pid in dead:
            kill(pid)
        return lost[0]

    def starts(self, name, shard):
        with open(self.path(name, "attempts", f"{shard}.jsonl"), encoding="utf-8") as file:
            return [note for note in map(json.loads, file) if "host" in note]


if __name__ == "__main__":
    main()
