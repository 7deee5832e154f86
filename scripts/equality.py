#!/usr/bin/env python3
"""Writes down what a build does, as sorted text that `diff -r` compares, and compares two such records.

  equality.py record BUILD OUT [--quick] [--like=RECORD] [--only=PART,...] [--jobs=2]
  equality.py compare BEFORE AFTER

The parts are version, list, show, coverage, gates, mutants, faults, machine, hostile, tables, corpus, kernels.
--quick takes minutes, all of it more than half an hour. --like takes the names of wrong backends from an earlier
record, so that both have the same ones wherever these are listed now. What differs between two runs of one
build (times, addresses, the order of a race) is left out; `compare` exits with 1 where anything else differs,
except in the table of diagnosis, in which a row may become better.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

LIBRARIES = ("reference_backend", "optimized_backend", "example_backend", "average_backend", "c_backend")
VENDORED = ("onednn", "torch", "xnnpack")
# Attacks that the runner notices or not, by what it reads first, or in one of several ways.
RACES = re.compile(
    r"exit-thread|longjmp|forge-done|scribble-|-socket$|hang-blocked|stop-self|kill-reaper|fork-bomb|exhaust|flood"
)
# Wrong backends whose number of wrong cases is left to chance: threads, memory, and processes that die.
CHANCE = re.compile(r"crash|hang|thread|late|random|stale|leak|nondet|timeout|exit|missing|child|overread|outside")
VOLATILE = (
    (r"\b[0-9.]+ s \(\d+ per second\)", "TIME"),
    (r'"(duration_seconds|problems_per_second|stdout_bytes)": ?[0-9.e+-]+', r'"\1": TIME'),
    (r'(time|timestamp|started)="[^"]*"', r'\1="TIME"'),
    (r"0x[0-9a-f]{6,}", "ADDRESS"),
    (r"\d{4}-\d\d-\d\d(T[0-9:]+Z)?", "DATE"),
    (r"\b(process|pid) \d+", r"\1 PID"),
    (r"^(judging|shrinking|looking|probing) .*\n", ""),
)


def as_expression(name):
    """The name of a wrong backend whose conditions were "width>=32", "pad>=1", "width%8"."""

    def condition(match):
        noun, sign, value = match.groups()
        compared = {"%": f"{{}} mod {value} != 0"}.get(sign, f"{{}} {sign} {value}")
        if noun == "pad":
            return f"where any({compared.format('max(pad_begin, pad_end)')})"
        if noun in ("kernel", "stride", "dilation"):
            return f"where {'all' if sign == '<=' else 'any'}({compared.format(noun)})"
        return f"where {compared.format(noun)}"

    return re.sub(r"where ([a-z]+)(>=|<=|=|%)(\w+)", condition, name)


def digest(lines):
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def grouped(cases):
    """Lists of "id verdict answer" by section, operator and type."""
    groups = collections.defaultdict(list)
    for section, name, line, verdict, answer in cases:
        groups[" ".join((section, *line.split(" ", 2)[:2]))].append(f"{name} : {verdict} {answer}".rstrip())
    return groups


class Recorder:
    """Runs the program of one build; each part is a method that writes files below `out`."""

    def __init__(self, build, out, options):
        self.build, self.out, self.quick, self.jobs = build, out, options.quick, options.jobs
        self.like = pathlib.Path(options.like) if options.like else None
        cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
        self.tree = pathlib.Path(re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache, re.MULTILINE)[1])
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="poolproof-equality-"))

    def program(self, *arguments, tool="conformance", timeout=3600, cwd=None, env=None):
        """Exit code, output and errors; a run of its own group, which is ended where it takes too long."""
        command = [str(self.build / "bin" / tool), *map(str, arguments)]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd or self.scratch,
            env=env, text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return -1, *process.communicate()
        return process.returncode, output, errors

    def cases_of(self, folder):
        """Section, id, line, verdict and digest of a wrong answer of each case of a run."""
        lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
        if json.loads(lines[0])["poolproof_results"] > 1:  # holds a line only where a case is not as others
            lines = self.program("list", f"--results={folder / 'results.jsonl'}")[1].splitlines()
        for case in map(json.loads, lines):
            if "n" in case:
                yield case["section"], case["id"], case.get("line", case["id"]), case["verdict"], case.get("answer", "")

    def write(self, name, text):
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text.endswith("\n") or not text else text + "\n", encoding="utf-8")

    def plain(self, text, folder=None):
        """The text without what differs from run to run and from place to place."""
        for path, word in ((folder, "OUT"), (self.build, "BUILD"), (self.tree, "TREE"), (self.scratch, "SCRATCH")):
            text = text.replace(str(path), word) if path else text
        for pattern, word in VOLATILE:
            text = re.sub(pattern, word, text, flags=re.MULTILINE)
        return text

    def names(self, kind, found):
        """Names of wrong backends, kept in the record so that a later one takes the same."""
        if self.like:
            found = (self.like / f"{kind}.names").read_text(encoding="utf-8").splitlines()
        self.write(f"{kind}.names", "\n".join(found))
        return found

    def in_tree(self, name):
        return next(self.tree.rglob(name)).read_text(encoding="utf-8").splitlines()

    def all(self, function, items):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda item: function(*item), items))

    def gate(self, name, library, *options, chance=False):
        """A run of the gate: text, summary, verdicts. chance: only exit code and cause are the same in each run."""
        folder = self.scratch / name.replace("/", "+")
        backend = self.build / "lib" / f"lib{library}.so"
        code, output, errors = self.program(f"--backend={backend}", f"--out={folder}", "--jobs=1", *options)
        self.write(f"{name}/text.txt", f"exit code {code}\n" + ("" if chance else self.plain(output + errors, folder)))
        if code in (0, 1) and not chance:
            for report in ("summary.json", "summary.md", "junit.xml", "badge.svg"):
                if (folder / report).exists():
                    self.write(f"{name}/{report}", self.plain((folder / report).read_text(encoding="utf-8"), folder))
            self.write_verdicts(name, grouped(self.cases_of(folder)))
        shutil.rmtree(folder, ignore_errors=True)

    def write_verdicts(self, name, groups):
        rows, rest = [], []
        for key, cases in groups.items():
            counts = collections.Counter(case.rsplit(" : ", 1)[1].split()[0] for case in cases)
            rows.append(f"{key}: {digest(cases)} {' '.join(f'{v} {n}' for v, n in sorted(counts.items()))}")
            rest += [f"{key}: {case}" for case in cases if not case.endswith((" : pass", " : unsupported"))]
        self.write(f"{name}/verdicts.txt", "\n".join(sorted(rows)))
        self.write(f"{name}/not_pass.txt", "\n".join(sorted(rest)))

    def version(self):
        self.write("version.txt", self.program("--version")[1])

    def list(self):
        for level in ("gate", "full"):
            output = self.program("list", f"--level={level}", f"--random={2000 if self.quick else 100000}")[1]
            groups = collections.defaultdict(list)
            for section, case in (line.split(None, 1) for line in output.splitlines()):
                operator, kind = (case.split("  ")[-1]).split(" ", 2)[:2]
                groups[f"{section} {operator} {kind}"].append(case)
            rows = [f"{key}: {len(cases)} {digest(cases)} in order {hash_of(cases)}" for key, cases in groups.items()]
            self.write(f"list-{level}.txt", "\n".join([f"all: {hash_of(output.splitlines())}", *sorted(rows)]))

    def show(self):
        first = {}
        for line in self.program("list", "--level=gate", "--random=50")[1].splitlines():
            section, case = line.split(None, 1)
            first.setdefault((section, case.split("  ")[-1].split()[0]), case.split("  ")[-1])
        self.all(
            lambda key, case: self.write(
                f"show/{'-'.join(key)}.txt", self.plain("".join(self.program("show", case)[1:]))
            ),
            sorted(first.items())[:: 8 if self.quick else 1],
        )

    def coverage(self):
        self.write("coverage.txt", self.program("coverage", f"--random={0 if self.quick else 20000}")[1])

    def gates(self):
        size = ("--level=quick", "--random=5000") if self.quick else ("--level=gate", "--random=20000")
        runs = [(f"gates/{name}", "poolproof_" * name.endswith(("ence_backend", "ized_backend")) + name, *size)
                for name in LIBRARIES]  # fmt: skip
        runs += [(f"gates/{name}", name, "--level=quick", "--random=1000") for name in VENDORED]
        self.all(self.gate, [run for run in runs if (self.build / "lib" / f"lib{run[1]}.so").exists()])

    def wrong(self, kind, library, option, names, step):
        """Each of the wrong backends, or with --quick one in `step`."""
        size = ("--level=quick", "--random=0" if self.quick else "--random=2000")
        chosen = names[::step] if self.quick else names
        self.all(
            lambda name: self.gate(
                f"{kind}/{re.sub('[^A-Za-z0-9=<>+.-]+', '_', name)}", library,
                f"--backend-option={option}={name if option == 'faults' else as_expression(name)}",
                *size, "--timeout=20", chance=bool(CHANCE.search(name)),
            ),
            [(name,) for name in chosen],
        )  # fmt: skip

    def mutants(self):
        rows = [line.split(" | ")[0].lstrip("| ") for line in (self.in_tree("TABLE.md")[2:] if not self.like else ())]
        self.wrong("mutants", "poolproof_mutants", "mutant", self.names("mutants", rows), 8)

    def faults(self):
        lines = [line.split(" | ")[0] for line in (self.in_tree("faults.txt") if not self.like else ())]
        lines = [line for line in lines if line and not line.startswith("#")]
        old = (self.build / "lib" / "libpoolproof_faults.so").exists()
        names = self.names("faults", lines)
        self.wrong("faults", *(("poolproof_faults", "faults") if old else ("poolproof_mutants", "mutant")), names, 10)

    def machine(self):
        """A fixed sample, known by what is changed, since places move with every edit."""
        listed = [line.split("\t") for line in self.program("machine-mutants", "--list")[1].splitlines()]
        self.write(
            "machine.txt", "\n".join(sorted(code + (" : argued" if argued else "") for _, code, argued in listed))
        )
        once = {code: name for name, code, _ in listed if [row[1] for row in listed].count(code) == 1}
        codes = self.names("machine", sorted(once)[:: max(1, len(once) // 60)])
        size = ("--level=quick", "--random=0" if self.quick else "--random=2000")
        runs = []
        for code in codes[::6] if self.quick else codes:
            library = f"poolproof_machine_{code.split('/')[0]}"
            option = f"--backend-option=mutant={once.get(code, 'gone')}"
            runs.append((f"machine/{hash_of([code])}", library, option, *size, "--timeout=20"))
        self.all(self.gate, runs)

    def hostile(self):
        """Exit code and verdicts of each attack; those of a race only by whether the backend conforms."""
        victim = self.scratch / "victim"
        victim.mkdir(exist_ok=True)
        for file in ("file", "readable", "secret"):
            (victim / file).write_text("secret\n", encoding="utf-8")
        names = set(self.attack("list", victim)[1].split()) - {"attack:", "list"}
        rows = []
        self.all(lambda name: rows.append(f"{name}: {self.attack(name, victim)[0]}"), [(n,) for n in sorted(names)])
        self.write("hostile.txt", "\n".join(sorted(rows)))

    def attack(self, name, victim):
        folder = self.scratch / f"hostile-{name}"
        code, _, _ = self.program(
            f"--backend={self.build}/lib/libhostile.so", "--level=documented", "--filter=AvgPool-1 layer-*",
            "--no-shrink", "--no-report", "--memory=4", "--log-limit=1", f"--out={folder}", "--timeout=3", "--jobs=1",
            "--backend-option=at=run", f"--backend-option=attack={name}", f"--backend-option=victim={victim}",
            f"--backend-option=out={folder}", timeout=300, env={"PATH": os.environ["PATH"], "HOME": str(self.scratch)},
        )  # fmt: skip
        verdicts = sorted({case[3] for case in self.cases_of(folder)}) if code in (0, 1) else []
        said = "".join(path.read_text(errors="replace") for path in sorted(folder.glob("*.log")))
        kept = ", refused" * ("refused" in said) + ", breach" * ("breach" in said)
        return (f"exit code {code}" + ("" if RACES.search(name) else f", {' '.join(verdicts)}{kept}")), said

    def tables(self):
        """The tables of mutants and of diagnosis, whole; with --quick one row in a few."""
        for command, kind, step in (("mutants", "mutants", 12), ("diagnosis", "faults", 30)):
            rows = []
            for name in (self.out / f"{kind}.names").read_text(encoding="utf-8").splitlines()[::step]:
                for only in dict.fromkeys((name, as_expression(name))):
                    table = self.program(command, f"--only={only}", *(["--random=2000"] if self.quick else []))[1]
                    rows += [row.replace(only, name) for row in table.splitlines() if row.startswith(f"| {only} |")]
            if not self.quick:
                file = self.scratch / f"{command}.md"
                self.program(command, f"--write={file}", "--random=10000")
                rows = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
            self.write(f"table-{command}.txt", self.plain("\n".join(sorted(rows))))

    def corpus(self):
        tests = json.loads(subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1", "-R", "^fuzz_"],
                                          capture_output=True, check=True).stdout)["tests"]  # fmt: skip
        rows = []
        for test in tests:
            done = subprocess.run(test["command"], capture_output=True, text=True, errors="replace")
            rows.append(f"{test['name']}: exit code {done.returncode}, {self.plain(done.stdout + done.stderr).strip()}")
        self.write("corpus.txt", "\n".join(sorted(rows)))

    def kernels(self):
        rows = self.program("--kernels", tool="bench")[1]
        rows += self.program("--kernels", "--random=20000", tool="bench")[1]
        self.write("kernels.txt", rows)


def hash_of(lines):
    """A digest that the order counts in."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


PARTS = (
    "version",
    "list",
    "show",
    "coverage",
    "gates",
    "mutants",
    "faults",
    "machine",
    "hostile",
    "tables",
    "corpus",
    "kernels",
)


def record(options):
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(pathlib.Path(options.build).resolve(), out, options)
    try:
        for part in options.only.split(",") if options.only else PARTS:
            print(part, flush=True)
            getattr(recorder, part)()
    finally:
        shutil.rmtree(recorder.scratch, ignore_errors=True)
    return 0


def files_of(folder):
    return {str(path.relative_to(folder)): path for path in pathlib.Path(folder).rglob("*") if path.is_file()}


def differences(name, before, after):
    """Lines that only one of the files has."""
    lines = [collections.Counter(path.read_text(encoding="utf-8").splitlines()) for path in (before, after)]
    if name == "table-diagnosis.txt":
        return worse_rows(*lines)
    gone, come = lines[0] - lines[1], lines[1] - lines[0]
    found = [f"- {line}" for line in gone.elements()] + [f"+ {line}" for line in come.elements()]
    return found or (["the order of lines"] if before.read_bytes() != after.read_bytes() else [])


def worse_rows(before, after):
    """Rows of the diagnosis that are gone, are wrong now, or need more groups."""
    rows = {row.split(" | ")[0]: row.strip("| ").split(" | ") for row in after}
    found = []
    for row in sorted(before):
        cells, now = row.strip("| ").split(" | "), rows.get(row.split(" | ")[0])
        if not cells[-2].isdigit():
            continue
        worse = now is None or (cells[-1] == "yes" and (now[-1] != "yes" or int(now[-2]) > int(cells[-2])))
        if worse:
            found += [f"- {row}", f"+ {' | '.join(now or ['gone'])}"]
    return found


def compare(options):
    before, after = files_of(options.before), files_of(options.after)
    different = 0
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            found = [f"only in {options.before if name in before else options.after}"]
        else:
            found = differences(name, before[name], after[name])
        different += bool(found)
        for line in found[: options.lines]:
            print(f"{name}: {line[:400]}")
        if len(found) > options.lines:
            print(f"{name}: and {len(found) - options.lines} more lines")
    print(f"{len(before.keys() | after.keys())} files, {different} different")
    return 1 if different else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    recording = commands.add_parser("record")
    recording.add_argument("build")
    recording.add_argument("out")
    recording.add_argument("--quick", action="store_true")
    recording.add_argument("--like")
    recording.add_argument("--only", help=", ".join(PARTS))
    recording.add_argument("--jobs", type=int, default=2)
    recording.set_defaults(run=record)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.add_argument("--lines", type=int, default=20, help="lines to show of each file")
    comparing.set_defaults(run=compare)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
