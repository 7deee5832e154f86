#!/usr/bin/env python3
"""Seeds, dictionary and flags of each harness, in one place for campaigns, coverage and OSS-Fuzz.

    fuzz/harnesses.py --build FOLDER --out FOLDER

writes the files that OSS-Fuzz and ClusterFuzzLite expect next to each harness of a build: NAME_seed_corpus.zip,
NAME.dict and NAME.options.
"""

import argparse
import dataclasses
import pathlib
import shutil
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Problems come by in such numbers that weighing corpus entries by rare features, counting loops and looking for shorter
# lines cost more executions than they find anything with. Changes of one input in a row run much of the same code,
# which then is in the caches.
PROBLEM_FLAGS = ["-entropic=0", "-use_counters=0", "-reduce_inputs=0", "-mutate_depth=20", "-max_len=2048"]
TEXT_FLAGS = ["-max_len=4096"]


@dataclasses.dataclass(frozen=True)
class Harness:
    name: str
    dictionary: str
    seeds: tuple
    weight: int = 1  # share of the time

    @property
    def problems(self):
        """Whether inputs are problems, so that findings become problem lines."""
        return self.seeds == PROBLEMS

    def flags(self):
        return PROBLEM_FLAGS if self.problems else TEXT_FLAGS

    def seed_folders(self, build):
        folders = [ROOT / seed.format(build=build) for seed in self.seeds]
        return [folder for folder in folders if folder.exists()]

    def dictionary_file(self):
        return ROOT / "fuzz/dictionaries" / f"{self.dictionary}.dict"


PROBLEMS = ("{build}/fuzz/problems",)  # made by make_corpus
HARNESSES = [
    Harness("differential", "problem", PROBLEMS, weight=4),
    Harness("backend", "problem", PROBLEMS, weight=2),
    *(
        Harness(name, "problem", PROBLEMS)
        for name in ("mutator", "shape_rules", "broken_calls", "readings", "judge", "threads")
    ),
    Harness("options", "options", ("fuzz/corpus/options",)),
    Harness("problem_line", "problem", (*PROBLEMS, "fuzz/corpus/problem_line")),
    Harness("expression", "expression", ("fuzz/corpus/expression",)),
    Harness("spec_reader", "json", ("fuzz/corpus/spec_reader", "specs")),
    *(Harness(name, "json", (f"fuzz/corpus/{name}",)) for name in ("worker_protocol", "results_reader")),
    Harness("baseline_reader", "baseline", ("fuzz/corpus/baseline_reader",)),
]


def write_seeds(folders, path):
    """One archive of all files below the folders, named by their path, which is unique."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in folders:
            for file in sorted(p for p in folder.rglob("*") if p.is_file()):
                archive.write(file, str(file.relative_to(folder.parent)).replace("/", "_"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--build", "--out"):
        parser.add_argument(option, type=pathlib.Path, required=True)
    options = parser.parse_args()
    build, out = options.build.resolve(), options.out
    if not out.is_dir():
        print(f"fuzz/harnesses.py: --out: {out} is not a folder", file=sys.stderr)
        return 2
    for harness in HARNESSES:
        name = f"fuzz_{harness.name}"
        write_seeds(harness.seed_folders(build), out / f"{name}_seed_corpus.zip")
        flags = [flag.lstrip("-").replace("=", " = ") for flag in (*harness.flags(), "-timeout=20")]
        (out / f"{name}.options").write_text("\n".join(["[libfuzzer]", *flags, ""]))
        shutil.copy(harness.dictionary_file(), out / f"{name}.dict")
    return 0


if __name__ == "__main__":
    sys.exit(main())
