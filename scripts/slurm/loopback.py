"""A Slurm cluster of two nodes on this machine alone: its own munge, controller, ports and folder.

Nothing of the machine's own Slurm or munge is read, written or talked to. Every process of it has a mark in its
environment, by which whatever is left of it is found.

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

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "sinfo")
MARK = "POOLPROOF_CLUSTER"

CONF = """ClusterName=poolproof
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
StateSaveLocation={folder}/state
SlurmdPidFile={folder}/%n.pid
SlurmdLogFile={folder}/%n.log
SlurmdSpoolDir={folder}/spool-%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
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


def missing(*more):
    """Programs of Slurm and munge, and more, that this machine lacks. Daemons may stand where no PATH leads."""
    os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/usr/bin"
    return [name for name in (*NEEDED, *more) if shutil.which(name) is None]


def free_ports(count):
    """Ports that are free now, all different."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def environment_of(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return dict(v.split(b"=", 1) for v in file.read().split(b"\0") if b"=" in v)
    except OSError:
        return {}


def works_in(pid, folder):
    """Whether the process has its working directory there, also after the folder has been removed."""
    try:
        return os.readlink(f"/proc/{pid}/cwd").startswith(folder)
    except OSError:
        return False


def marked(folder):
    """Process ids of the cluster in this folder, with the node whose slurmd started them.

    They have the folder in their environment, but for slurmstepd, which writes its title over that: it works there."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        values = environment_of(entry)
        if values.get(MARK.encode()) == folder.encode() or works_in(entry, folder):
            found[int(entry)] = values.get(b"SLURMD_NODENAME", b"").decode()
    return found


def parent_of(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def command_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class Cluster:
    """munge, slurmctld and two slurmd, from `with` to its end. Waits for nothing longer than `patience` seconds."""

    def __init__(self, patience=1200):
        self.patience = patience

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="poolproof-cluster-")
        self.daemons = {}
        self.environment = {**os.environ, MARK: self.folder, "SLURM_CONF": os.path.join(self.folder, "slurm.conf")}
        try:
            self.configure()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def at(self, name):
        return os.path.join(self.folder, name)

    def configure(self):
        os.chmod(self.folder, 0o755)  # munge wants to be reached by all, and written by its owner alone
        os.mkdir(self.at("state"))
        for node in ("n1", "n2"):
            os.mkdir(self.at(f"spool-{node}"))
        with open(os.open(self.at("munge.key"), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(128))
        text = CONF.format(
            host=socket.gethostname().split(".")[0],
            ports=free_ports(3),
            folder=self.folder,
            user=pwd.getpwuid(os.getuid()).pw_name,
        )
        with open(self.at("slurm.conf"), "w", encoding="utf-8") as file:
            file.write(text)
        with open(self.at("cgroup.conf"), "w", encoding="utf-8") as file:
            file.write("CgroupAutomount=no\n")

    def daemon(self, name, *command):
        with open(self.at(f"{name}.out"), "ab") as log:
            self.daemons[name] = subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder
            )

    def start(self):
        self.daemon(
            "munged",
            "munged",
            "--foreground",
            "--force",
            f"--socket={self.at('munge.socket')}",
            f"--key-file={self.at('munge.key')}",
            f"--pid-file={self.at('munge.pid')}",
            f"--seed-file={self.at('munge.seed')}",
            f"--log-file={self.at('munge.log')}",
            "--num-threads=2",
        )
        self.wait_for(lambda: os.path.exists(self.at("munge.socket")), "munged makes its socket")
        self.daemon("slurmctld", "slurmctld", "-D", "-c", "-f", self.at("slurm.conf"))
        for node in ("n1", "n2"):
            self.daemon(node, "slurmd", "-D", "-N", node, "-f", self.at("slurm.conf"))
        self.wait_for(lambda: self.states() == {"n1": "idle", "n2": "idle"}, "both nodes are idle")

    def tell(self, *command):
        """What a client of Slurm says."""
        done = subprocess.run(
            command,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=self.patience,
        )
        return done.stdout.strip()

    def states(self):
        return dict(line.split() for line in self.tell("sinfo", "-h", "-N", "-p", "usual", "-o", "%N %T").splitlines())

    def running(self):
        """Element and node of what runs of arrays."""
        lines = self.tell("squeue", "-h", "-t", "R", "-p", "usual", "-o", "%K %N").splitlines()
        return {int(line.split()[0]): line.split()[1] for line in lines if line.split()[0].isdigit()}

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

        Those that watch the jobs go first: they would tell the controller that a job has failed. That the node is down
        is said to the controller, since a limit short enough to wait for would lose slow nodes as well."""
        self.daemons[node].kill()
        self.daemons[node].wait()
        if with_what_it_runs:
            jobs = {pid for pid, of in marked(self.folder).items() if of == node}
            for pid in {parent for parent in map(parent_of, jobs) if command_of(parent) == "slurmstepd"}:
                kill(pid)
            for pid in jobs:
                kill(pid)
        self.tell("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=killed")

    def stop(self):
        for name in ("n1", "n2", "slurmctld", "munged"):
            if name in self.daemons:
                self.daemons[name].terminate()
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
    lacks = missing("parallel", "sshd")
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
