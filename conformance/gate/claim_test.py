"""Claims: one is made, holds, and is refused with one sentence after each of twenty forgeries, with all digests
renewed that the forger can renew."""

import copy
import json
import os
import pathlib
import re

from claim_parts import Parts, count, passed
from harness import MUTANTS, OPTIMIZED, Program, Results, blocks_of, digest_of, library, main, text_of

CLAIM = ["claim", "--product=x", "--product-version=1"]
OPTIONS = ["--backend-option=mutant=index-counts-from-one", "--level=documented", "--random=300", "--no-shrink"]


class Claims(Program):
    parts = None  # those of an honest claim, made once
    told = None  # what its shards say of each case

    def setUp(self):
        super().setUp()
        if Claims.parts is None:
            Claims.parts = self.make()
        self.claim = Parts(copy.deepcopy(dict(Claims.parts)))

    def make(self):
        for index in (1, 2):
            self.gate(MUTANTS, *OPTIONS, f"--shard={index}/2", out=f"parts/{index}")
        self.gate(MUTANTS, *OPTIONS, out="whole")
        self.run_program("baseline", f"--results={self.path('whole/results.jsonl')}", "--write=b.txt", code=0)
        self.explain("b.txt", "indices count from one, as the old API did")
        self.results = [self.path(f"parts/{index}/results.jsonl") for index in (1, 2)]
        Claims.told = [Results(path).cases for path in self.results]
        product = ["--product=libmine", "--product-version=1.2"]
        self.run_program("claim", *product, "--baseline=b.txt", "--results", *self.results, code=0)
        return Parts.read(self.path("claim.tar"))

    def explain(self, name, reason):
        """Writes a reason, and keys below it, for each block of a baseline."""
        text = text_of(self.path(name))
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(re.sub("^# reason: .*", f"# reason: {reason}", text, flags=re.MULTILINE))

    def check(self, code=2, names=None):
        self.claim.write(self.path("forged.tar"), names)
        return self.run_program("verify-claim", "forged.tar", code=code)

    def renewed(self, lines, shard=1, drop=None):
        """The lines with planned and digest as they would be if their verdicts were true, `drop` being a place that is
        no longer there."""
        verdicts = {line["n"]: line["verdict"] for line in map(json.loads, lines) if "n" in line}
        told = [{**case, "verdict": verdicts.get(case["n"], case["verdict"])} for case in Claims.told[shard - 1]]
        told = [case for case in told if case["n"] != drop]
        planned, footer = json.loads(lines[1]), json.loads(lines[-1])
        planned.update(planned=len(told), digest=digest_of(told))
        footer["footer"]["planned"] = len(told)
        return [lines[0], json.dumps(planned) + "\n", *lines[2:-1], json.dumps(footer) + "\n"]

    def refused(self, *parts, names=None, renew=True):
        if renew:
            self.claim.renew()
        self.one_sentence(self.check(names=names), "forged.tar: ", *parts)


class Forged(Claims):
    def test_a_claim_holds_and_says_what_it_is(self):
        done = self.check(code=0)
        self.assertIn("libmine 1.2", done.stdout)
        self.assertIn("as the old API did", done.stdout)
        statement = json.loads(self.claim["statement.json"])
        self.assertEqual(len(statement["exceptions"]), 2)
        badge = json.loads(self.claim["badge.json"])["message"]
        excused = sum(exception["cases"] for exception in statement["exceptions"])
        self.assertGreater(excused, 2)
        self.assertRegex(badge, rf"^documented \d+\.\d+\.\d+: all but {excused} cases, a part of the plan$")
        self.assertIn(badge.split(",")[0].encode(), self.claim["badge.svg"])
        self.claim.renew()
        self.check(code=0)  # so that what follows is refused for what was forged

    # Twenty forgeries.

    def passing(self):
        """Lines, and the place of a case that passes."""
        lines = self.claim.lines()
        return lines, next(i for i, line in enumerate(lines) if line.endswith('"verdict":"pass"}\n'))

    def failing(self):
        """Lines, and the place of a case that fails."""
        lines = self.claim.lines()
        return lines, next(i for i, line in enumerate(lines) if '"verdict":"fail"' in line)

    def test_01_case_removed(self):
        lines, at = self.passing()
        self.claim.put_lines(lines[:at] + lines[at + 1 :])
        self.refused("results-1.jsonl:", "were planned")

    def test_02_case_removed_and_counts_renewed(self):
        lines, at = self.passing()
        footer, place = json.loads(lines[-1]), json.loads(lines[at])["n"]
        count(footer, "pass", -1)
        lines[-1] = json.dumps(footer) + "\n"
        self.claim.put_lines(self.renewed(lines[:at] + lines[at + 1 :], drop=place))
        self.refused("results-1.jsonl:", "the digest of its cases is ")

    def test_03_case_doubled(self):
        lines, at = self.passing()
        self.claim.put_lines(lines[: at + 1] + lines[at:])
        self.refused("results-1.jsonl:", "follows")

    def with_failure_passed(self):
        """The lines with one failure passed, in counts and groups as well."""
        lines, at = self.failing()
        number, footer = json.loads(lines[at])["group"], json.loads(lines[-1])
        lines[at] = passed(lines[at])
        count(footer, "fail", -1)
        count(footer, "pass", 1)
        for i, line in enumerate(lines):
            if line.startswith('{"group":%d,' % number):
                group = json.loads(line)
                group["cases"] -= 1
                lines[i] = json.dumps(group) + "\n"
        lines[-1] = json.dumps(footer) + "\n"
        return lines

    def test_04_verdict_edited(self):
        with_counts = self.with_failure_passed()
        lines, at = self.failing()
        lines[at] = passed(lines[at])
        self.claim.put_lines(lines)
        self.refused("results-1.jsonl:", "counts")
        self.claim.put_lines(with_counts)
        self.refused("results-1.jsonl:", "the digest of its cases")

    def test_05_verdict_edited_and_counts_renewed(self):
        self.claim.put_lines(self.renewed(self.with_failure_passed()))
        self.refused("improved")

    def test_06_answer_edited(self):
        lines, at = self.failing()
        lines[at] = re.sub('"answer":"[0-9a-f]{4}', '"answer":"beef', lines[at])
        self.claim.put_lines(lines)
        self.refused("against baseline.txt", "answer")

    def test_07_exception_without_reason(self):
        text = self.claim["baseline.txt"]
        blank = "\u00a0\u200b\u2060\ufeff\u3164".encode()
        for none in (b"# reason: ", b"# reason: " + blank, b"# owner: me", b"# reason: to be explained: wrong values"):
            self.claim["baseline.txt"] = re.sub(b"# reason: .*", none, text, count=1)
            line = text[: text.index(b"# reason: ")].count(b"\n") + 1
            self.refused(f"baseline.txt:{line}: ", "reason")

    def test_08_other_plan(self):
        self.claim.edit("statement.json", lambda statement: statement.update(plan="0" * 32))
        self.refused('statement.json: "plan"', "0" * 32)

    def test_09_other_specs(self):
        self.claim.edit("statement.json", lambda statement: statement.update(specs="0" * 16))
        self.refused('statement.json: "specs"', "0" * 16)

    def test_10_other_profile(self):
        self.claim.edit("statement.json", lambda statement: statement.update(profile="openvino"))
        self.refused("statement.json: /profile", "openvino", "documented")

    def test_11_probe_missing(self):
        del self.claim["probe.json"]
        self.refused("probe.json is missing")

    def test_12_shard_missing(self):
        del self.claim["results-2.jsonl"]
        self.refused("shard 2 of the 2")

    def test_13_shard_twice(self):
        self.claim["results-2.jsonl"] = self.claim["results-1.jsonl"]
        self.refused("results-2.jsonl: shard 1 is given twice")

    def test_14_badge_edited(self):
        self.claim["badge.json"] = re.sub(b"all but [0-9]+ cases", b"conforms", self.claim["badge.json"])
        self.refused("badge.json: byte")

    def test_15_baseline_block_removed(self):
        self.claim["baseline.txt"] = b"\n\n".join(self.claim["baseline.txt"].split(b"\n\n")[:-1])
        self.refused("do not conform", "new")

    def test_16_results_of_another_backend(self):
        self.claim.edit_header(2, lambda header: header["backend"].update(digest="0" * 32))
        self.refused("results-2.jsonl: is of another run: backend")

    def test_17_truncated(self):
        self.claim.write(self.path("whole.tar"))
        data = pathlib.Path(self.path("whole.tar")).read_bytes()
        end = data.rindex(b"results-2.jsonl\0")
        for length in (0, 100, len(data) // 3, end, end + 1000, len(data.rstrip(b"\0"))):
            pathlib.Path(self.path("forged.tar")).write_bytes(data[:length])
            self.one_sentence(self.run_program("verify-claim", "forged.tar", code=2), "forged.tar: ", "cut off")

    def edit_headers(self, **changes):
        for shard in (1, 2):
            self.claim.edit_header(shard, lambda header: header.update(changes))
        self.claim.edit("statement.json", lambda statement: statement.update(changes))

    def test_18_seed_changed_everywhere(self):
        self.edit_headers(seed=2)
        self.refused(".jsonl:", "the plan")

    def test_19_supported_enlarged(self):
        self.claim.edit("probe.json", lambda probe: probe.update(lacks={}))
        lacks = json.loads(Claims.parts["probe.json"])["lacks"]
        if lacks:
            self.refused("probe.json", "differs")
        self.claim = Parts(Claims.parts)
        self.claim.edit("statement.json", lambda statement: statement["supported"].update({"MaxPool-9": {"f32": []}}))
        self.refused("statement.json: /supported", "MaxPool-9")

    def test_20_level_raised_and_part_hidden(self):
        self.claim.edit("statement.json", lambda statement: statement.update(part=""))
        self.refused("statement.json: /part")
        self.claim = Parts(Claims.parts)
        self.edit_headers(level="gate")
        self.refused(".jsonl:", "the plan")

    def test_21_file_added_twice_or_edited_without_its_digest(self):
        self.claim["extra.json"] = b"{}"
        self.refused("extra.json is no file", renew=False)
        del self.claim["extra.json"]
        self.refused("baseline.txt is in it twice", names=[*self.claim, "baseline.txt"])
        self.claim["baseline.txt"] += b" "
        self.refused("baseline.txt: its digest", renew=False)

    def test_22_counts_of_the_statement(self):
        self.claim.edit("statement.json", lambda statement: statement["counts"].update({"pass": 1012502}))
        self.refused("statement.json: /counts/pass is 1012502")
        self.claim = Parts(Claims.parts)
        self.claim.edit("statement.json", lambda statement: statement.update(exceptions=[]))
        self.refused("statement.json: /exceptions")

    def test_filter_hidden(self):
        _, part = self.gate(OPTIMIZED, "--level=documented", "--filter=MaxPool-8", "--random=0", out="filtered")
        self.run_program("probe", f"--backend={library(OPTIMIZED)}", "--write=p.json", code=0)
        self.run_program(*CLAIM, "--results", part.path, "--probe=p.json", "--write=f.tar", code=0)
        self.claim = Parts.read(self.path("f.tar"))
        self.check(code=0)
        self.claim.edit_header(1, lambda header: header.update(filter=""))
        self.claim.edit("statement.json", lambda statement: statement.update(filter="", part="level documented"))
        self.refused("results-1.jsonl:", "the plan has")


class RunAgain(Claims):
    """With the backend at hand."""

    BACKEND = f"--backend={library(MUTANTS)}"

    def again(self, *arguments, code=0):
        return self.run_program("verify-claim", "forged.tar", self.BACKEND, *arguments, code=code)

    def with_all_failures_passed(self):
        """Results in which nothing is left of what fails: no case, no group, no count."""
        for shard in (1, 2):
            *lines, footer = self.claim.lines(shard)
            last = json.loads(footer)
            kept = [line for line in lines if not line.startswith('{"group":')]
            for i, line in enumerate(kept):
                verdict = json.loads(line).get("verdict", "pass")
                if verdict not in ("pass", "unsupported"):
                    kept[i] = passed(line)
                    count(last, verdict, -1)
                    count(last, "pass", 1)
            last["footer"]["conforms"] = True
            path = self.path(f"forged-{shard}.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(self.renewed([*kept, json.dumps(last) + "\n"], shard))
            yield path

    def test_a_claim_holds_case_by_case(self):
        self.check(code=0)
        cases = json.loads(self.claim["statement.json"])["cases"]
        self.assertIn(f"{cases} cases run again by --seed=", self.again("--share=100%").stdout)
        self.assertIn("\n7 cases run again by --seed=5, ", self.again("--share=7", "--seed=5").stdout)
        self.assertIn(f"\n{-(-cases // 100)} cases run again by ", self.again().stdout)

    def test_23_failure_written_as_a_pass_everywhere(self):
        forged = list(self.with_all_failures_passed())
        self.run_program(*CLAIM, "--write=forged.tar", "--results", *forged, code=0)
        self.assertNotIn("exception", self.run_program("verify-claim", "forged.tar", code=0).stdout)
        done = self.again("--share=20%", "--seed=1", code=2)
        # The first one that is run again is wrong, or has the printed result of an erratum.
        self.one_sentence(done, 'forged.tar: case "', "is claimed to be pass and is ", " with answer ")

    def test_another_build(self):
        self.check(code=0)
        other = ["verify-claim", "forged.tar", f"--backend={library(OPTIMIZED)}"]
        digest = json.loads(self.claim["statement.json"])["backend"]["digest"]
        sentence = f'forged.tar: "{library(OPTIMIZED)}" is not the build of the claim'
        self.one_sentence(self.run_program(*other, code=2), sentence, f"claimed is {digest}")
        # One that does not know the options of the claim.
        self.one_sentence(self.run_program(*other, "--any-build", code=3), "unknown option mutant")

    def test_what_may_vary_may_pass(self):
        self.gate(MUTANTS, "--device-option=mutant=cudnn-f16-lowest", *OPTIONS[1:])
        self.run_program("baseline", "--results=out/results.jsonl", "--write=device.txt", code=0)
        made = [*CLAIM, "--write=forged.tar", "--baseline=device.txt"]
        for varies, code in ("", 2), ("\n# varies: by=cpu within=answers why=r", 0):
            self.explain("device.txt", "the old device" + varies)
            self.run_program(*made, "--results=out/results.jsonl", code=0)
            done = self.again("--share=100%", code=code)
            if code:
                self.one_sentence(done, "is claimed to be fail with answer", " and is pass ")

    def test_wrong_options(self):
        self.check(code=0)
        for share in ("0", "101%", "0%", "-3", "1.5", "%", "many"):
            self.one_sentence(self.again(f"--share={share}", code=2), f'--share: "{share}" is neither')
        for option in ("--profile=openvino", "--reading=ties=last", "--backend-option=x=y"):
            self.one_sentence(self.again(option, code=2), option.split("=")[0], "the claim")
        self.one_sentence(self.run_program("verify-claim", "forged.tar", "--share=9", code=2), "--backend is needed")
        missing = ["verify-claim", "forged.tar", "--backend=none.so", "--any-build"]
        self.one_sentence(self.run_program(*missing, code=3), "none.so")


class Page(Program):
    def test_the_commands_of_the_page(self):
        os.symlink(library(OPTIMIZED), self.path("libmine.so"))
        with open(self.path("pooling-baseline.txt"), "w", encoding="utf-8") as file:
            file.write("# poolproof baseline 3\n")
        for command in dict(blocks_of(text_of("docs", "claims.md")))["sh"].splitlines():
            fewer = ["--level=quick", "--random=500"] if command.startswith("conformance --") else []
            self.run_program(*command.split()[1:], *fewer, code=0)


class Refused(Program):
    """What is not made a claim in the first place."""

    def test_what_does_not_conform(self):
        self.gate(MUTANTS, *OPTIONS, out="out", code=1)
        arguments = [*CLAIM, "--results=out/results.jsonl"]
        self.one_sentence(self.run_program(*arguments, code=2), "do not conform", "new")
        self.run_program("baseline", "--results=out/results.jsonl", "--write=b.txt", code=0)
        self.one_sentence(self.run_program(*arguments, "--baseline=b.txt", code=2), "baseline.txt:", "to be explained")
        self.assertFalse(os.path.exists(self.path("claim.tar")))
        self.one_sentence(self.run_program("verify-claim", "out/results.jsonl", code=2), "no claim")
        self.one_sentence(self.run_program("verify-claim", "none.tar", code=2), "none.tar", "No such file")


if __name__ == "__main__":
    main()
