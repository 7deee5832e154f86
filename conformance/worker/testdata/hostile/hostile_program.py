"""The example backend as a program that attacks whoever runs it: --backend-option=attack=NAME.

Once, at the first run. Writes "breach" to its log where it got what it must not get."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time

import example_backend
import hostile_replies
import poolproof

LIBC = ctypes.CDLL(None, use_errno=True)
FEW = 60
TARGET = {}


def report(what, success, error=None):
    text = f"breach: {what}" if success else f"refused: {what}: {error}"
    print(text, file=sys.stderr, flush=True)


def attempt(what, function):
    """Calls a function; that it raises nothing is the breach."""
    try:
        function()
    except OSError as error:
        report(what, False, error)
    else:
        report(what, True)


def read(path):
    attempt(f"read {path}", lambda: os.read(os.open(path, os.O_RDONLY), 1))


def libc(what, function, *arguments):
    failed = getattr(LIBC, function)(*arguments) < 0
    report(what, not failed, os.strerror(ctypes.get_errno()))


def runner():
    """The nearest ancestor that is the conformance program."""
    process = os.getpid()
    for _ in range(8):
        with open(f"/proc/{process}/status", encoding="utf-8") as file:
            fields = dict(line.split(":", 1) for line in file)
        process = int(fields["PPid"])
        with open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
            if "--level" in file.read():
                return process
    raise AssertionError("no runner")


def stay(name):
    LIBC.prctl(15, name.encode())  # PR_SET_NAME
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)


def fork_bomb(count):
    for _ in range(count):
        if os.fork() == 0:
            stay("hostile-bomb")


def daemon(session):
    child = os.fork()
    if child == 0:
        if session:
            os.setsid()
        if os.fork() == 0:
            os.close(0)
            stay("hostile-daemon")
        os._exit(0)
    os.waitpid(child, 0)


def kill_all():
    """Reaches what is in the cell, itself excepted, and nothing else."""
    try:
        os.kill(-1, signal.SIGCONT)
    except OSError as error:
        report("kill(-1)", False, error)


def reach_reaper():
    """The process of the suite that waits for this one."""
    folder = f"/proc/{os.getppid()}"
    for file, flags in (("mem", os.O_RDWR), ("environ", os.O_RDONLY), ("fd/3", os.O_RDWR)):
        attempt(file, lambda path=f"{folder}/{file}", flags=flags: os.read(os.open(path, flags), 1))


def token():
    text = str(dict(os.environ))
    with open("/proc/self/environ", encoding="utf-8") as file:
        text += file.read()
    report("find the token", "hunter2" in text)


def write_files():
    for path in (
        f"{TARGET['victim']}/file",
        f"{TARGET['victim']}/new",
        f"{TARGET['out']}/results.jsonl",
        "/tmp/poolproof-hostile",
        "here",
    ):
        attempt(f"write {path}", lambda path=path: os.open(path, os.O_WRONLY | os.O_CREAT))
    attempt("chmod", lambda: os.chmod(f"{TARGET['victim']}/file", 0o777))


def say(line):
    """Past the helper: it has moved the stdout of the protocol to another descriptor."""
    for descriptor in range(3, 16):
        try:
            if os.readlink(f"/proc/self/fd/{descriptor}").startswith("pipe:"):
                os.write(descriptor, line)
        except OSError:
            pass


def flood():
    noise = b"\x1b[2JCONFORMS\x1b]0;owned\x07\r" + b"x" * 4000 + b"\n"
    for _ in range(2000):
        os.write(2, noise)


ATTACKS = {
    "none": lambda: None,
    "read-runner": lambda: [read(f"/proc/{runner()}/{file}") for file in ("mem", "environ", "maps", "auxv")],
    "ptrace-runner": lambda: libc("ptrace", "ptrace", 16, runner(), None, None),
    "kill-runner": lambda: attempt("kill", lambda: os.kill(runner(), signal.SIGKILL)),
    "stop-runner": lambda: attempt("stop", lambda: os.kill(runner(), signal.SIGSTOP)),
    "kill-runner-group": lambda: attempt("killpg", lambda: os.killpg(os.getpgid(runner()), signal.SIGTERM)),
    "join-runner-group": lambda: attempt("setpgid", lambda: os.setpgid(0, os.getpgid(runner()))),
    "reach-reaper": reach_reaper,
    "kill-all": kill_all,
    "kill-reaper": lambda: os.kill(os.getppid(), signal.SIGKILL),
    "stop-reaper": lambda: os.kill(os.getppid(), signal.SIGSTOP),
    "kill-group": lambda: os.kill(0, signal.SIGKILL),
    "fork-bomb": lambda: fork_bomb(FEW),
    "child": lambda: fork_bomb(1),
    "daemon": lambda: daemon(True),
    "double-fork": lambda: daemon(False),
    "shell-daemon": lambda: subprocess.run(
        "setsid sleep 1000 <&- & disown", shell=True, check=False, executable="/bin/bash", stdout=2
    ),
    "token": token,
    "write-files": write_files,
    "read-secret": lambda: read(TARGET["secret"]),
    "socket": lambda: [
        attempt(str(family), lambda family=family: socket.socket(family))
        for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX)
    ],
    "unshare": lambda: libc("unshare", "unshare", 0x10000000),
    "mount": lambda: libc("mount", "mount", b"none", b"/mnt", b"tmpfs", 0, None),
    "exit": lambda: os._exit(0),
    "hang": lambda: time.sleep(1000),
    "garbage": lambda: say(b"\x1b[2J{]\n"),
    "wrong-id": lambda: say(b'{"id":999,"status":"OK","outputs":[]}\n'),
    "long-line": lambda: say(b"x" * (2 << 20) + b"\n"),
    "close-stdout": lambda: os.closerange(1, 64),
    "flood-log": flood,
}


class Hostile(example_backend.ExampleBackend):
    name = "hostile \x1b[31m<b>"

    def __init__(self, options):
        self._attack = options.pop("attack")
        TARGET.update(options)
        if self._attack == "list":
            print("\n".join([*ATTACKS, *hostile_replies.ATTACKS]), file=sys.stderr, flush=True)
        elif self._attack not in {*ATTACKS, *hostile_replies.ATTACKS}:
            raise poolproof.InvalidArgument(f"no attack {self._attack}")
        super().__init__({})

    def run(self, call):
        attack, self._attack = self._attack, "none"
        if attack not in ("none", "list"):
            print(f"attack: {attack}", file=sys.stderr, flush=True)
            hostile_replies.Replies(attack) if attack in hostile_replies.ATTACKS else ATTACKS[attack]()
        return super().run(call)


if __name__ == "__main__":
    poolproof.serve(Hostile)
