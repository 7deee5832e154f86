"""Folders with a Debian of their own, in which commands run that see nothing of this machine's packages."""

import os
import pathlib
import shutil
import subprocess

# A mount and process namespace of its own: what is mounted or left running ends with the command.
# It also ends with who started it.
ENTER = "setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child sh -c".split() + [
    'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
]
ROOT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def missing_tools():
    """One sentence that names what is missing to make and enter such folders; "" where nothing is."""
    if os.geteuid() != 0:
        return "making and entering a root folder needs root: run this with sudo"
    absent = [name for name in ("debootstrap", "unshare", "chroot") if not shutil.which(name)]
    return f"not installed: {', '.join(absent)} (apt-get install debootstrap)" if absent else ""


def package_sources():
    """Where this machine has Debian from: one (address, suite, component) each."""
    columns = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    command = ["apt-get", "indextargets", "--format", columns, "Created-By: Packages", "Origin: Debian"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    if not lines:
        raise SystemExit("apt-get indextargets: this machine has no package source of Debian to make a root from")
    return [tuple(line.split()) for line in dict.fromkeys(lines)]


class SealedRoot:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def make(self):
        """A smallest Debian; what was made before is taken up again."""
        if (self.folder / "made").exists():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        address, suite, _ = package_sources()[0]
        self.check(["debootstrap", "--variant=minbase", suite, str(self.folder), address])
        self.write_sources()
        (self.folder / "made").touch()

    def copy_from(self, other):
        if not (self.folder / "made").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.check(["cp", "-a", str(other.folder), str(self.folder)])

    def write_sources(self):
        """The same sources as the machine's, in the format that newer images have."""
        apt = self.folder / "etc/apt"
        (apt / "sources.list").unlink(missing_ok=True)
        stanzas = [
            f"Types: deb\nURIs: {address}\nSuites: {suite}\nComponents: {component}\n"
            for address, suite, component in package_sources()
        ]
        (apt / "sources.list.d/debian.sources").write_text("\n".join(stanzas))
        for file in pathlib.Path("/etc/apt/apt.conf.d").iterdir():
            if "proxy" in file.read_text(errors="replace").lower():  # without which the sources may be out of reach
                shutil.copy(file, apt / "apt.conf.d")
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", self.folder / "etc" / name)

    def install(self, packages):
        script = f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {' '.join(packages)}"
        self.run(["sh", "-c", script], {"DEBIAN_FRONTEND": "noninteractive"}).check_returncode()

    def run(self, command, variables=None, cwd="/", **more):
        """A command inside, with these variables and none of this machine's but those of a proxy."""
        kept = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        environment = {"PATH": ROOT_PATH, "HOME": "/root", **kept, **(variables or {})}
        assignments = [f"{name}={value}" for name, value in environment.items()]
        inside = ["env", "-i", *assignments, "sh", "-c", 'cd "$0" && exec "$@"', cwd, *command]
        return subprocess.run([*ENTER, str(self.folder), *inside], check=False, **more)

    @staticmethod
    def check(command):
        subprocess.run(command, check=True)
