"""`conformance reproduce --as`: a case as a program of somebody else's, which runs without poolproof."""

import functools
import importlib.util
import os
import re
import subprocess
import sys

from harness import PROGRAM, ROOT, Program, main, text_of

FORMS = ("torch", "onnx", "benchdnn", "c")
# One case of each form whose text is in testdata/as.
GOLDEN = {
    "torch": "AvgPool-1 f32 in=1x1x3x3 k=2 s=1 pb=1 pe=1 exclude_pad=true rounding=floor"
    " data=1,2,nan,-0.0,5,-inf,7,8,0.1",
    "onnx": "MaxPool-8 f32 in=1x1x2x3 k=2 s=1 pb=0x1 pe=1x0 data=1,2,3,4,-inf,0",
    "benchdnn": "MaxPool-8 f32 in=1x2x5x6 k=3x2 s=2 d=1x2 pb=1x0 pe=1 fill=distinct seed=1",
    "c": "AvgPool-14 f16 in=1x1x3 k=2 s=1 pb=0 pe=0 exclude_pad=true rounding=floor data=1,2,0.5",
}
REFUSED = {
    "MaxPool-8 f32 in=1x1x3x3 k=2 s=1 pb=1x0 pe=0 data=1,2,3,4,5,6,7,8,9": {
        "torch": "pads both ends of an axis alike, and MaxPool-8 pads axis 0 by 1 and 0"
    },
    "AvgPool-14 f32 in=1x1x4 k=3 s=2 pb=0 pe=0 exclude_pad=false rounding=ceil data=1,2,3,4": {
        "torch": "leave open what a mean is divided by where a window hangs over the padding",
        "benchdnn": "its last window hangs over the padding, and oneDNN would count that as padding",
    },
    "MaxPool-8 u16 in=1x1x3 k=2 s=1 pb=0 pe=0 data=1,2,3": {
        "torch": "torch.MaxPool takes no u16",
        "onnx": "onnx.MaxPool-22 takes no u16",
        "benchdnn": "oneDNN pools no u16",
    },
    "MaxPool-8 bf16 in=1x1x3 k=2 s=1 pb=0 pe=0 data=1,2,3": {"onnx": "has no such type"},
    "MaxPool-8 f32 in=1x2x2 k=2 s=1 pb=0 pe=0 data=1,2,3,4": {
        "torch": "torch.MaxPool counts indices in another way by its documents"
    },
    "AdaptiveAvgPool-8 f32 in=1x1x3 sizes=2 data=1,2,3": {
        "onnx": "no operator of onnx computes what AdaptiveAvgPool-8 does",
        "benchdnn": "oneDNN has no such pooling",
    },
    "MaxPool-8 f32 in=1x1x3 k=2 s=0 pb=0 pe=0 data=1,2,3": {
        "torch": "the call is invalid",
        "onnx": "the call is invalid",
        "benchdnn": "the call is invalid",
    },
    "onnx.LpPool-22 f32 in=1x1x3 k=2 p=3 data=1,-2,3": {"torch": "torch.LPPool computes other values by its documents"},
    "onnx.LpPool-22 f32 in=1x1x3 k=2 pb=1 pe=1 data=1,2,3": {"torch": "torch.LPPool has no padding"},
    "onnx.LpPool-22 f32 in=1x1x4 k=2 d=2 data=1,2,3,4": {"torch": "torch.LPPool has no dilation"},
    "MaxPool-8 f32 in=1x1x100x100 k=2 s=1 pb=0 pe=0 fill=distinct seed=1": dict.fromkeys(FORMS, "10000 values"),
    "MaxPool-8 f32 in=1x1x3 k=2 s=1 pb=0 pe=0 fill=none": dict.fromkeys(FORMS, "the case has no values"),
}


@functools.cache
def sample():
    """Documented cases of every operator, and some of each section of the quick level."""
    done = subprocess.run([PROGRAM, "list", "--level=quick"], capture_output=True, text=True, check=True)
    ids = [line[12:].split("  ")[0] for line in done.stdout.splitlines()]
    return ids[::150]


class Printed(Program):
    def printed(self, case, form):
        """The text of a case; empty where the form cannot say it, for which there is one sentence."""
        done = self.run_program("reproduce", case, f"--as={form}")
        if done.returncode != 0:
            self.assertEqual((done.returncode, done.stdout), (2, ""), case)
            self.one_sentence(done, f"--as={form} cannot say ")
        return done.stdout

    def test_texts(self):
        for form, case in GOLDEN.items():
            with self.subTest(form):
                text = self.printed(case, form)
                path = os.path.join(ROOT, "conformance", "gate", "testdata", "as", form + ".txt")
                if os.environ.get("POOLPROOF_WRITE_AS"):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
                self.assertEqual(text, text_of("conformance", "gate", "testdata", "as", form + ".txt"))

    def test_what_cannot_be_said_is_refused_with_the_reason(self):
        for case, reasons in REFUSED.items():
            for form, reason in reasons.items():
                done = self.run_program("reproduce", case, f"--as={form}", code=2)
                self.one_sentence(done, f"--as={form}", case.split()[0], reason)

    def test_a_backend_is_needed_without_it(self):
        self.one_sentence(self.run_program("reproduce", GOLDEN["c"], code=2), "--backend")
        self.assertIn("cobol", self.run_program("reproduce", GOLDEN["c"], "--as=cobol", code=2).stderr)

    def test_python_is_python(self):
        for form, package in (("torch", "torch"), ("onnx", "onnxruntime")):
            texts = {case: text for case in [GOLDEN[form], *sample()] if (text := self.printed(case, form))}
            self.assertGreater(len(texts), len(sample()) // 4)
            for case, text in texts.items():
                compile(text, case, "exec")
            if importlib.util.find_spec(package) is not None:
                done = subprocess.run([sys.executable, "-c", texts[GOLDEN[form]]], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "as expected"), done.stderr)

    def test_python_compares_as_the_judge_does(self):
        """The comparison at the end of the program, with results that are put in its place."""
        text = self.printed(GOLDEN["torch"], "torch")
        head, tail = text.split("\nx = torch.tensor(")[0], text[text.index("wrong = 0\n") :]
        head = re.sub(r"^(import torch|from torch.*)$", "", head, flags=re.MULTILINE)
        want = re.search(r"\n        \[\n(.*?)\n        \],", tail, re.DOTALL)[1]
        fake = (
            "class Got:\n    shape = (1, 1, 4, 4)\n    def flatten(self):\n        return self\n"
            f"    def tolist(self):\n        return change([{want}])\nresults = [Got()]\n"
        )
        for change, code in (
            ("lambda all: all", 0),
            ("lambda all: [all[0] * (1 + 1e-9), *all[1:]]", 0),
            ("lambda all: [all[0] * 1.01, *all[1:]]", 1),
            ("lambda all: [nan, *all[1:]]", 1),
            ("lambda all: [0 if a != a else a for a in all]", 1),
        ):
            program = f"{head}\nchange = {change}\n{fake}{tail}"
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)

    def run_c(self, text):
        with open(self.path("case.c"), "w", encoding="utf-8") as file:
            file.write(text)
        strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-overflow", "-O0"]
        subprocess.run(["cc", *strict, "case.c", "-o", "case", "-lm"], cwd=self.folder, check=True)
        return subprocess.run([self.path("case")], capture_output=True, text=True)

    def test_c_runs(self):
        for case in [GOLDEN["c"], *sample()[::3]]:
            with self.subTest(case):
                text = self.printed(case, "c")
                if not text:
                    continue
                names = re.findall(r"^static \w+ (output_\w+)\[", text, re.MULTILINE)
                right = "".join(
                    f"memcpy({name}, expected_{name.removeprefix('output_')}, sizeof {name}); " for name in names
                )
                refused = "" if names else "return 1; "
                self.assertEqual(
                    self.run_c(text.replace("return -1; /* FILL IN */", f"{right}{refused}return 0;")).returncode, 0
                )

    def test_c_tells_wrong_from_right(self):
        text = self.printed(GOLDEN["c"], "c")
        done = self.run_c(text)
        self.assertEqual((done.returncode, done.stderr), (2, "fill in pool()\n"))
        fill = "memcpy(output_mean, expected_mean, sizeof output_mean);"
        wrong = self.run_c(text.replace("return -1; /* FILL IN */", f"{fill} output_mean[1] = 0x3c00; return 0;"))
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("mean, element 1: expected 1.25, got 1, difference -0.25", wrong.stdout)
        refuses = self.run_c(text.replace("return -1; /* FILL IN */", "return 1;"))
        self.assertEqual(refuses.returncode, 1)
        self.assertIn("the call was refused, expected that it is computed", refuses.stdout)

    def test_benchdnn_lines_have_every_number(self):
        found = 0
        for case in sample():
            text = self.printed(case, "benchdnn")
            for line in [line for line in text.splitlines() if not line.startswith("#")]:
                found += 1
                self.assertRegex(
                    line, r"^--pool --dir=FWD_[DI] --dt=\w+ --tag=abx --alg=(max|avg_n?p) mb\d+ic\d+(_\w+){6}$"
                )
        self.assertGreater(found, 10)


if __name__ == "__main__":
    main()
