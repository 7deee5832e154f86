"""A reading that is chosen is demanded; what is left open passes either way."""

from harness import MUTANTS, REFERENCE, Program, library, main

# The last window has one tap past the end of the input.
OVERHANG = "AvgPool-14 f32 in=1x1x1x5 k=1x3 s=1x2 pb=0x1 pe=0 exclude_pad=false rounding=ceil data=1,2,5,3,4"


class ChosenReadings(Program):
    def reproduce(self, *arguments, code):
        return self.run_program("reproduce", OVERHANG, f"--backend={library(REFERENCE)}", *arguments, code=code).stdout

    def test_open_silence_passes_either_way(self):
        for reading in ("counted", "not-counted"):
            out = self.reproduce(f"--backend-option=reading.avg-overhang={reading}", code=0)
            self.assertIn("\npass", out)

    def test_chosen_silence_is_demanded_both_ways(self):
        for chosen, other in (("counted", "not-counted"), ("not-counted", "counted")):
            own = f"--backend-option=reading.avg-overhang={other}"
            out = self.reproduce(own, f"--reading=avg-overhang={chosen}", code=1)
            self.assertIn(f"avg-overhang={other} (selected: {chosen})", out)
            own = f"--backend-option=reading.avg-overhang={chosen}"
            self.reproduce(own, f"--reading=avg-overhang={chosen}", code=0)

    def test_what_a_profile_says_is_demanded(self):
        out = self.reproduce("--profile=pytorch", code=1)
        self.assertIn("avg-overhang=counted (selected: not-counted)", out)
        self.reproduce("--profile=openvino", code=0)

    def test_gate_demands_it_too(self):
        self.gate(REFERENCE, "--level=quick", "--random=3000", code=0)
        _, results = self.gate(
            REFERENCE, "--level=quick", "--random=3000", "--reading=ties=last", "--filter=MaxPool-8 !invalid", code=1
        )
        self.assertEqual(results.header["readings"], {"ties": "last"})
        deviating = [case for case in results.cases if case["verdict"] != "pass"]
        self.assertGreater(len(deviating), 20)
        self.assertEqual({case["verdict"] for case in deviating}, {"deviates"})
        self.assertEqual({str(case["deviates"]) for case in deviating}, {"{'ties': 'first'}"})

    # f16 and bf16 means of the reference, summed in their own type: allowed, and said.
    def test_a_reading_that_few_libraries_follow_is_said_at_the_end(self):
        backend = (REFERENCE, "--level=quick", "--random=2000", "--filter=type = bf16 and is_mean")
        done, _ = self.gate(*backend, "--backend-option=reading.mean-accumulation=type", code=0)
        self.assertRegex(
            done.stdout,
            r"few libraries read mean-accumulation=type: [\d,]+ cases pass by it alone, results up to [\d.]+ ulp from "
            r"exact, such as .* bf16 .*; --reading=mean-accumulation=wide makes them fail",
        )
        self.assertNotIn("in two ways", done.stdout)  # wherever it shows
        done, _ = self.gate(*backend, code=0)
        self.assertNotIn("few libraries", done.stdout)
        own = "--backend-option=reading.mean-accumulation=type"
        self.gate(*backend, own, "--reading=mean-accumulation=wide", code=1)

    # Pads are required by one reading, but this backend takes most calls without them.
    def test_a_refusal_is_not_excused_by_a_reading_that_the_backend_does_not_follow(self):
        mutant = (MUTANTS, "--backend-option=mutant=large-kernels-need-explicit-padding")
        mutant += ("--level=quick", "--random=9000", "--filter=MaxPool-1")
        _, results = self.gate(*mutant, code=1)
        self.assertEqual(results.verdicts(), {"pass", "wrongly-rejected"})
        _, results = self.gate(REFERENCE, "--backend-option=reading.pads-required=required", *mutant[2:], code=1)
        self.assertEqual(results.verdicts(), {"pass", "deviates"})


if __name__ == "__main__":
    main()
