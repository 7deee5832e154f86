"""A Slurm cluster of two nodes on this machine alone: its own controller, ports and folder.

Nothing of the machine's own Slurm is read, written or talked to. Every process of it has a mark in its environment, by
which whatever is left of it is found.

    python3 -B scripts/slurm/loopback.py

says whether the tests labelled cluster can run here: exit status 0 if so, 1 if not, with one line that says why."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NEEDED = ("slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "sinfo", "parallel")
MARK = "POOLPROOF_CLUSTER"
NODES = ("n1", "n2")

CONF = """ClusterName=poolproof
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
StateSaveLocation={folder}/state
SlurmdPidFile={folder}/%n.pid
SlurmdLogFile={folder}/%n.log
SlurmdSpoolDir={folder}/%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SchedulerParameters=sched_min_interval=100000,bf_interval=2
SlurmdTimeout=1200
KillWait=2
MinJobAge=600
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1
PartitionName=usual Nodes=n1,n2 Default=YES PriorityTier=1 MaxTime=INFINITE
PartitionName=urgent Nodes=n1,n2 PriorityTier=9 PreemptMode=OFF MaxTime=INFINITE
"""


def missing():
    """Programs that the tests need and this machine lacks. Daemons may stand where no PATH leads."""
    os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/usr/bin"
    return [name for name in NEEDED if shutil.which(name) is None]


def free_ports(count):
    """Ports that are free now, all different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def marked(folder):
    """Process ids of the cluster in this folder, with the node whose slurmd started them.

    They have the folder in their environment, but for slurmstepd, which writes its title over that. It works in the
    folder of its node, and comes first: it would tell the controller that a job has failed which it sees die."""
    watching, others = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                values = dict(value.split(b"=", 1) for value in file.read().split(b"\0") if b"=" in value)
            place = os.readlink(f"/proc/{entry}/cwd").removesuffix(" (deleted)")
        except OSError:
            continue
        if values.get(MARK.encode()) == folder.encode():
            others[int(entry)] = values.get(b"SLURMD_NODENAME", b"").decode()
        elif place.startswith(folder):
            watching[int(entry)] = os.path.basename(place)
    return watching | others


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class Cluster:
    """slurmctld and two slurmd, from `with` to its end. Waits for nothing longer than `patience` seconds."""

    def __init__(self, patience=1200):
        self.patience = patience

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="poolproof-cluster-")
        self.daemons = {}
        self.environment = {**os.environ, MARK: self.folder, "SLURM_CONF": self.at("slurm.conf")}
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def at(self, name):
        return os.path.join(self.folder, name)

    def start(self):
        user, host = pwd.getpwuid(os.getuid()).pw_name, socket.gethostname().split(".")[0]
        for name in ("state", *NODES):
            os.mkdir(self.at(name))
        for name, text in (
            ("slurm.conf", CONF.format(host=host, ports=free_ports(3), folder=self.folder, user=user)),
            ("cgroup.conf", "CgroupAutomount=no\n"),
        ):
            with open(self.at(name), "w", encoding="utf-8") as file:
                file.write(text)
        self.daemon("slurmctld", self.folder, "slurmctld", "-D", "-c", "-f", self.at("slurm.conf"))
        for node in NODES:
            self.daemon(node, self.at(node), "slurmd", "-D", "-N", node, "-f", self.at("slurm.conf"))
        self.wait_for(lambda: self.states() == dict.fromkeys(NODES, "idle"), "both nodes are idle")

    def daemon(self, name, folder, *command):
        with open(self.at(f"{name}.out"), "ab") as log:
            self.daemons[name] = subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder
            )

    def tell(self, *command):
        """What a client of Slurm says."""
        more = {"env": self.environment, "stdin": subprocess.DEVNULL, "timeout": self.patience}
        return subprocess.run(command, check=False, capture_output=True, text=True, **more).stdout.strip()

    def states(self):
        return dict(line.split() for line in self.tell("sinfo", "-h", "-N", "-p", "usual", "-o", "%N %T").splitlines())

    def wait_for(self, condition, what, seconds=None):
        """Polls. Where a thing never comes true a sentence says which, and what the daemons said last."""
        seconds = seconds or self.patience
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s in vain until {what}\n{self.last_words()}")
            time.sleep(0.05)

    def last_words(self):
        text = self.tell("squeue") + "\n"
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".out")):
                with open(self.at(name), encoding="utf-8", errors="replace") as file:
                    text += f"--- {name}\n" + "".join(file.readlines()[-12:])
        return text

    def kill_node(self, node, with_what_it_runs):
        """The slurmd of a node, by its id; where the whole node is to die, what it has started too.

        That the node is down is said to the controller, since a limit short enough to wait for would lose slow nodes
        as well."""
        self.daemons[node].kill()
        self.daemons[node].wait()
        if with_what_it_runs:
            for pid, of in marked(self.folder).items():
                if of == node:
                    kill(pid)
        self.tell("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=killed")

    def stop(self):
        for daemon in self.daemons.values():
            daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for _ in range(100):  # slurmstepd of a node that was killed, and what jobs have started
            left = marked(self.folder)
            if not left:
                break
            for pid in left:
                kill(pid)
            time.sleep(0.05)
        shutil.rmtree(self.folder, ignore_errors=True)


def obstacle():
    """Why the tests labelled cluster cannot run here, in a line; empty where a cluster ran a job."""
    lacks = missing()
    if lacks:
        return f"this machine lacks {', '.join(lacks)} (scripts/install.sh cluster)"
    try:
        with Cluster(patience=120) as cluster:
            cluster.tell("sbatch", "--wait", "-o", cluster.at("job"), "--wrap=echo done")
            cluster.wait_for(lambda: os.path.exists(cluster.at("job")), "a job has run")
    except (AssertionError, OSError, subprocess.SubprocessError) as error:
        return "Slurm cannot run here: " + str(error).splitlines()[0]
    return ""


if __name__ == "__main__":
    why = obstacle()
    print(why or "a cluster can run here")
    sys.exit(1 if why else 0)
