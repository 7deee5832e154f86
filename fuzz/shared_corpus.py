"""The corpus of one harness that workers share by nothing but a file system.

Each worker fuzzes on a folder of its own and has a part in the shared folder into which it alone writes:

    SHARED/corpus/HARNESS/WORKER/<hash of the input>

Files appear by renaming, so that they are whole; names are libFuzzer's, the hash of what is in them, so that an input
that several found is one. There are no locks, and no worker waits for another: one that dies leaves its part behind.
"""

import os
import pathlib
import shutil
import time

STALE_SECONDS = 24 * 3600  # after which an unfinished file or prune is of a process that died


def inputs_of(folder):
    """Names of the inputs in a folder; of none that is being written, or gone."""
    try:
        with os.scandir(folder) as entries:
            return {entry.name for entry in entries if not entry.name.startswith(".") and entry.is_file()}
    except FileNotFoundError:
        return set()


def copy_input(source, target_folder):
    """Whole or not at all. False where a prune was faster. The time of the copy is now, since libFuzzer reads again
    only what is younger than its last look."""
    temporary = target_folder.parent / f".{target_folder.name}.{os.getpid()}.{source.name}"
    try:
        shutil.copyfile(source, temporary)
    except FileNotFoundError:
        return False
    target = target_folder / source.name
    temporary.rename(target)
    os.utime(target)
    return True


class SharedCorpus:
    def __init__(self, shared, harness, worker):
        self.all = pathlib.Path(shared) / "corpus" / harness
        self.worker = worker
        self.part = self.all / worker
        self.known = set()  # inputs that are here as well as there

    def parts(self):
        """The folders of all workers and prunes."""
        try:
            return sorted(p for p in self.all.iterdir() if not p.name.startswith(".") and p.is_dir())
        except FileNotFoundError:
            return []

    def exchange(self, own):
        """Gives what is new in a worker's folder and takes what is new in the parts of others."""
        self.part.mkdir(parents=True, exist_ok=True)
        for name in sorted(inputs_of(own) - self.known):
            if copy_input(own / name, self.part):
                self.known.add(name)
        for part in self.parts():  # its own as well, which may be from before it was started again
            for name in sorted(inputs_of(part) - self.known):
                if copy_input(part / name, own):
                    self.known.add(name)

    def prune(self, programs, harness, artifacts):
        """Replaces the inputs of all parts by a smallest set that reaches the same. The set is complete and in its
        place before anything is removed, and only what it was made from is: workers may go on, prunes may meet or die.
        What crashes is no longer an input, but a finding among the artifacts. Gives the numbers before and after."""
        self.remove_stale()
        before = [part / name for part in self.parts() for name in sorted(inputs_of(part))]
        merged = self.all / f".pruning-{self.worker}"
        merged.mkdir(parents=True)
        if not programs.merge(harness, merged, self.parts(), f"-artifact_prefix={artifacts}/"):
            shutil.rmtree(merged)
            return len(before), len(before)
        after = len(inputs_of(merged))
        merged.rename(self.all / f"pruned-{time.time_ns()}-{self.worker}")
        for path in before:
            path.unlink(missing_ok=True)
        return len(before), after

    def remove_stale(self):
        """What a process that died was writing, and what prunes have emptied."""
        for path in self.all.glob(".*"):
            if time.time() - path.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        for folder in self.all.glob("pruned-*"):
            if not any(folder.iterdir()):
                folder.rmdir()
