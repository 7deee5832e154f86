"""Where the documents are silent every listed reading conforms, by itself and beside others."""

import random

from harness import REFERENCE, Program, families_with, ledger, main

SHARDS = 40  # of the gate's fixed problems, of which each reading has one


def silences():
    """The readings of each silence that the reference can be told to follow, the default first."""
    return {
        entry["id"]: [reading["name"] for reading in entry["readings"] if reading["name"] != "other"]
        for entry in ledger()
        if entry["kind"] == "silence" and entry["computed"]
    }


class Silences(Program):
    def check(self, readings, *more):
        """Conforms under these readings; returns which readings of each silence the run says it follows."""
        with self.subTest(readings=readings):
            options = [f"--backend-option=reading.{entry}={reading}" for entry, reading in readings.items()]
            # Small numbers are rare.
            some = 20000 if "subnormals" in readings else 10000
            _, results = self.gate(REFERENCE, *options, *more, "--level=quick", f"--random={some}", code=0)
            self.assertEqual(results.verdicts(), {"pass"})
            return results.footer["readings"]

    def check_sizes(self, reading, shard, *more):
        """Conforms in a part of what only the gate has: sums that lose digits, divisors, specials without pads."""
        with self.subTest(reading=reading, shard=shard):
            part = ("--level=gate", "--random=0", f"--shard={shard}/{SHARDS}", "--filter=section in {sizes, specials}")
            _, results = self.gate(REFERENCE, f"--backend-option=reading.{reading}", *part, *more, code=0)
            self.assertEqual(results.verdicts(), {"pass"})

    def test_every_reading_conforms(self):
        open_points = silences()
        self.assertGreater(len(open_points), 12)
        shard = 0
        for entry, readings in open_points.items():
            for reading in readings[1:]:
                shard = shard % SHARDS + 1
                self.check_sizes(f"{entry}={reading}", shard, families_with(entry))
                told = self.check({entry: reading}, families_with(entry)).get(entry, {})
                self.assertTrue(any(reading in seen.split("|") for seen in told), (entry, reading))

    def test_readings_conform_beside_each_other(self):
        draw = random.Random(1)
        for _ in range(8):
            self.check({entry: draw.choice(readings) for entry, readings in silences().items()})


if __name__ == "__main__":
    main()
