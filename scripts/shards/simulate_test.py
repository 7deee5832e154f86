"""The simulation where what it has to say is known."""

import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
SIMULATE, MEASURE = (os.path.join(HERE, name) for name in ("simulate.py", "measure.py"))
BUILD = os.environ.get("POOLPROOF_BUILD", os.path.join(ROOT, "build"))
PROGRAM = os.path.join(BUILD, "bin", "conformance")
LIBRARY = os.path.join(BUILD, "lib", "libpoolproof_optimized_backend.so")


def simulate(*arguments, code=0):
    done = subprocess.run([sys.executable, "-B", SIMULATE, *arguments], capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def medians(*arguments):
    """Seconds by number of nodes, median and 95th percentile."""
    rows = [line.split("|")[1:-1] for line in simulate(*arguments).stdout.splitlines()[2:]]
    return {int(row[0]): (float(row[2].split()[0]), float(row[3].split()[0])) for row in rows}


class Simulation(unittest.TestCase):
    def test_without_chance(self):
        """Each node runs its shards one after another, and all start once for each."""
        times = medians("--work=9000", "--start=5", "--merge=30", "--nodes=1,10,100", "--per-node=3")
        for nodes, (median, late) in times.items():
            self.assertEqual(median, 9000 / nodes + 3 * 5 + 30)
            self.assertEqual(late, median)

    def test_more_shards_even_out_their_times(self):
        even = {n: medians("--work=9000", "--spread=0.5", "--nodes=100", f"--per-node={n}")[100][0] for n in (1, 16)}
        self.assertGreater(even[1], 1.5 * even[16])
        self.assertGreaterEqual(even[16], 90)

    def test_the_queue_delays_what_waits_in_it(self):
        """The last of 100 shards that start after exponential delays of mean 60 s starts after 60 s times H(100)."""
        median = medians("--work=9000", "--nodes=100", "--per-node=1", "--delay=60", "--repeats=2000")[100][0]
        self.assertAlmostEqual(median, 90 + 60 * 5.0, delta=15)

    def test_failures_cost_repair_and_start_but_no_work(self):
        """A node that fails 2 times an hour in the mean needs about a tenth longer when it is away for 3 minutes."""
        common = ("--work=36000", "--nodes=1", "--per-node=1", "--repeats=2000")
        whole = medians(*common)[1][0]
        failing = medians(*common, "--failures=2", "--repair=180")[1][0]
        self.assertEqual(whole, 36000)
        self.assertAlmostEqual(failing, 36000 * 1.1, delta=360)

    def test_the_page_says_what_it_says(self):
        """The simulations of docs/scale.md, and its measurement on a small run."""
        with open(os.path.join(ROOT, "docs", "scale.md"), encoding="utf-8") as file:
            page = file.read()
        simulated = re.findall(r"```sh\nscripts/shards/simulate.py (.*?)\n```\n\n((?:\|.*\n)+)", page)
        self.assertGreaterEqual(len(simulated), 2)
        for arguments, table in simulated:
            self.assertEqual(simulate(*arguments.split()).stdout, table)
        self.assertIn("scripts/shards/measure.py --backend=", page)

    def test_measure(self):
        small = ("--level=quick", "--random=100", "--some=400", "--shards=2")
        done = subprocess.run(
            [sys.executable, "-B", MEASURE, f"--backend={LIBRARY}", f"--program={PROGRAM}", *small],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        *tables, last = done.stdout.splitlines()
        self.assertEqual(sum(line.startswith("| ") and line[2].isdigit() for line in tables), 3 + 4, done.stdout)
        medians(*last.split())

    def test_refuses(self):
        for arguments in (("--work=-1",), ("--work=1", "--nodes=0"), ("--work=1", "--per-node=x"), ()):
            self.assertIn("error: ", simulate(*arguments, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
