"""Seeds that the run draws: unknown until the backend is loaded, printed, and enough to repeat the run."""

import json
import os
import re

from harness import OPTIMIZED, Program, Results, digest_of, library, main

FEW = ["--level=documented", "--random=300", "--no-report"]


class Drawn(Program):
    def run_drawn(self, *more, out="out"):
        done, results = self.gate(OPTIMIZED, *FEW, "--seed=random", *more, out=out, code=0)
        self.assertTrue(results.header["seed_drawn"])
        self.assertIn(f", seed {results.header['seed']}, drawn by the run\n", done.stdout)
        return results

    def test_another_one_each_time_which_can_be_given(self):
        first, second = self.run_drawn(), self.run_drawn(out="second")
        self.assertNotEqual(first.header["seed"], second.header["seed"])
        self.assertNotEqual(digest_of(first.cases), digest_of(second.cases))
        done, again = self.gate(OPTIMIZED, *FEW, f"--seed={first.header['seed']}", out="again", code=0)
        self.assertEqual(digest_of(again.cases), digest_of(first.cases))
        self.assertNotIn("seed_drawn", again.header)
        self.assertNotIn("drawn", done.stdout)

    def test_a_run_that_goes_on_keeps_it(self):
        whole = self.run_drawn()
        self.assertGreater(len(whole.cases), 300)
        whole.header["started"] = "2001-02-03T04:05:06Z"
        # As it is while it grows: the header, a line for each case.
        partial = self.path("out", "results.jsonl.partial")
        lines = [json.dumps(whole.header, separators=(",", ":")) + "\n", *whole.case_lines[:200]]
        for cut in (lines, lines[:1]):
            with open(partial, "w", encoding="utf-8") as file:
                file.writelines(cut)
            os.remove(self.path("out", "results.jsonl"))
            resumed = self.run_drawn("--resume")
            self.assertEqual((resumed.header, resumed.cases), (whole.header, whole.cases))
        self.assertEqual(self.run_drawn("--resume").comparable(), resumed.comparable())
        _, given = self.gate(OPTIMIZED, *FEW, f"--seed={whole.header['seed']}", "--resume", code=0)
        self.assertEqual(given.comparable(), resumed.comparable())

    def test_shards_need_one_that_they_share(self):
        done = self.run_program(f"--backend={library(OPTIMIZED)}", "--seed=random", "--shard=1/2", code=2)
        self.one_sentence(done, "--seed", "another seed in each shard", "shuf")
        done = self.run_program(f"--backend={library(OPTIMIZED)}", "--seed=rand", code=2)
        self.one_sentence(done, "--seed", '"rand"', '"random"')

    def test_claims_say_whose_seed_it_is(self):
        seed = self.run_drawn().header["seed"]
        with open(self.path("b.txt"), "w", encoding="utf-8") as file:
            file.write("# poolproof baseline 3\n")
        claim = ["claim", "--product=p", "--product-version=1", "--baseline=b.txt", "--results=out/results.jsonl"]
        self.run_program(*claim, code=0)
        for more in ([], [f"--run-seed={seed}"]):
            done = self.run_program("verify-claim", "claim.tar", *more, code=0)
            self.assertIn(f", seed {seed}, drawn by the run\n", done.stdout)
        done = self.run_program("verify-claim", "claim.tar", "--run-seed=7", code=2)
        self.one_sentence(done, "claim.tar: statement.json: /seed is", str(seed), "--run-seed asks for 7")

    def test_merged_results_keep_it(self):
        self.run_drawn()
        done = self.run_program("merge", "out/results.jsonl", "--out=merged", code=0)
        self.assertRegex(done.stdout, r", seed \d+, drawn by the run\n")
        self.assertTrue(Results(self.path("merged", "results.jsonl")).header["seed_drawn"])

    def test_properties_draw_one_as_well(self):
        seeds = set()
        for _ in range(2):
            done = self.run_program(
                f"--backend={library(OPTIMIZED)}", "--level=properties", "--random=1", "--seed=random", code=0
            )
            seeds.update(re.findall(r"seed (\d+)", done.stdout))
        self.assertEqual(len(seeds), 2)


if __name__ == "__main__":
    main()
