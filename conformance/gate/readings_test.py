"""A reading that is chosen is demanded; what is left open passes either way."""

from harness import REFERENCE, Program, library, main

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


if __name__ == "__main__":
    main()
