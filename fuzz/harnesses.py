#!/usr/bin/env python3
"""What each harness starts from, in one place for campaigns, coverage and OSS-Fuzz.

    fuzz/harnesses.py --out FOLDER

writes what OSS-Fuzz and ClusterFuzzLite want beside each harness: NAME_seed_corpus.zip, NAME.dict and NAME.options.
"""

import argparse
import dataclasses
import pathlib
import shutil
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass
class Harness:
    name: str
    seeds: list
    dictionary: str
    problems: bool = False  # inputs are problems: findings become problem lines
    weight: int = 1  # share of the time

    def flags(self):
        return PROBLEM_FLAGS if self.problems else TEXT_FLAGS

    def seed_folders(self):
        return [ROOT / seed for seed in self.seeds if (ROOT / seed).exists()]


HARNESSES = [
    Harness("differential", ["fuzz/corpus/problems"], "problem.dict", problems=True, weight=4),
    Harness("backend", ["fuzz/corpus/problems"], "problem.dict", problems=True, weight=2),
    Harness("shape_rules", ["fuzz/corpus/problems"], "problem.dict", problems=True),
    Harness("broken_calls", ["fuzz/corpus/problems"], "problem.dict", problems=True),
    Harness("readings", ["fuzz/corpus/problems"], "problem.dict", problems=True),
    Harness("judge", ["fuzz/corpus/problems"], "problem.dict", problems=True),
    Harness("threads", ["fuzz/corpus/problems"], "problem.dict", problems=True),
    Harness("options", ["fuzz/corpus/options"], "options.dict"),
    Harness("problem_line", ["fuzz/corpus/problems", "fuzz/corpus/problem_line"], "problem.dict"),
    Harness("spec_reader", ["fuzz/corpus/spec_reader", "specs"], "json.dict"),
    Harness("worker_protocol", ["fuzz/corpus/worker_protocol"], "json.dict"),
    Harness("results_reader", ["fuzz/corpus/results_reader"], "json.dict"),
    Harness("baseline_reader", ["fuzz/corpus/baseline_reader"], "json.dict"),
]


# Problems come by in such numbers that weighing corpus entries by rare features, counting loops and looking for shorter
# lines cost more executions than they find anything with. Changes of one input in a row run much of the same code,
# which then is in the caches.
PROBLEM_FLAGS = ["-entropic=0", "-use_counters=0", "-reduce_inputs=0", "-mutate_depth=20", "-max_len=2048"]
TEXT_FLAGS = ["-max_len=4096"]


def write_seeds(harness, path):
    """One archive of all files below the seed folders, named by their path, which is unique."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in harness.seed_folders():
            for file in sorted(p for p in folder.rglob("*") if p.is_file()):
                archive.write(file, str(file.relative_to(ROOT)).replace("/", "_"))


def write_options(harness, path):
    flags = [flag.lstrip("-").split("=") for flag in (*harness.flags(), "-timeout=20")]
    path.write_text("[libfuzzer]\n" + "".join(f"{name} = {value}\n" for name, value in flags))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    if not out.is_dir():
        print(f"fuzz/harnesses.py: --out: {out} is not a folder", file=sys.stderr)
        return 2
    for harness in HARNESSES:
        name = f"fuzz_{harness.name}"
        write_seeds(harness, out / f"{name}_seed_corpus.zip")
        write_options(harness, out / f"{name}.options")
        shutil.copy(ROOT / "fuzz/dictionaries" / harness.dictionary, out / f"{name}.dict")
    return 0


if __name__ == "__main__":
    sys.exit(main())
