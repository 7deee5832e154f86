"""Vectors: what a team writes beside them is judged whole, and nothing of the folder can be lost or changed."""

import json
import os
import re
import shutil
import subprocess

from harness import PROGRAM, Program, Results, main

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "worker", "VECTORS.md")


def answer_as_expected(folder):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if ".expected" in name:
            shutil.copy(path, path.replace(".expected", ".output"))
        elif name.endswith(".json") and name != "manifest.json":
            with open(path, encoding="utf-8") as file:
                status = json.load(file)["expected_status"]
            if status != "OK":
                with open(path.replace(".json", ".status"), "w", encoding="utf-8") as file:
                    file.write(status)


class Page(Program):
    """The commands of VECTORS.md as printed, but for fewer random problems."""

    def test_commands(self):
        with open(PAGE, encoding="utf-8") as file:
            commands = re.findall(r"^    (conformance (?:vectors|judge) .*?)(?: +#.*)?$", file.read(), re.MULTILINE)
        self.assertEqual([command.split()[1] for command in commands], ["vectors", "vectors", "judge"])
        path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
        for command in commands:
            if "judge" in command:
                answer_as_expected(self.path("vectors"))
            subprocess.run(
                command.replace("--level=gate --random=5000", "--level=quick --random=500"),
                shell=True,
                check=True,
                cwd=self.folder,
                env={**os.environ, "PATH": path},
                stdout=subprocess.DEVNULL,
            )
        self.assertTrue(os.path.exists(self.path("more", "manifest.json")))
        self.assertEqual(Results(self.path("results", "results.jsonl")).verdicts(), {"pass"})


class Vectors(Program):
    @classmethod
    def setUpClass(cls):
        cls.made = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"poolproof-vectors-{os.getpid()}")
        subprocess.run(
            [PROGRAM, "vectors", f"--out={cls.made}", "--filter=MaxPool-8"], check=True, stdout=subprocess.DEVNULL
        )

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.path("v"))
        answer_as_expected(self.path("v"))

    def write(self, name, text):
        with open(self.path("v", name), "w", encoding="utf-8") as file:
            file.write(text)

    def judge(self, code):
        done = self.run_program("judge", "v", "--out=judged", code=code, timeout=60)
        if code == 2:
            self.assertFalse(os.path.exists(self.path("judged", "results.jsonl")))
            self.assertFalse(os.path.exists(self.path("judged", "results.jsonl.partial")))
            return done
        return done, Results(self.path("judged", "results.jsonl"))

    def first(self, part):
        return next(name for name in sorted(os.listdir(self.path("v"))) if part in name)

    def test_right_outputs_conform(self):
        done, results = self.judge(0)
        self.assertEqual(results.verdicts(), {"pass"})
        self.assertIn('CONFORMS in a part of the plan: level documented, filter "MaxPool-8"', done.stdout)
        self.run_program("report", "judged/results.jsonl", "--out=again", code=0)

    def test_wrong_output_fails(self):
        with open(self.path("v", self.first(".output0")), "r+b") as file:
            file.seek(-1, os.SEEK_END)
            last = file.read(1)[0]
            file.seek(-1, os.SEEK_END)
            file.write(bytes([last ^ 0x40]))
        _, results = self.judge(1)
        self.assertIn("fail", results.verdicts())

    def test_what_is_not_there_is_missing(self):
        for name in (
            self.first(".json"),
            self.first("2.input0"),
            self.first("3.expected0"),
            self.first("4.output0"),
            self.first(".status"),
        ):
            os.remove(self.path("v", name))
        _, results = self.judge(1)
        self.assertEqual(results.footer["counts"]["missing"], 5)
        missing = [case["message"] for case in results.cases if case["verdict"] == "missing"]
        self.assertIn("000001.json is missing.", missing)

    def test_all_of_a_vector_gone_is_missing(self):
        for name in os.listdir(self.path("v")):
            if name.startswith(("000002.", "000003.")):
                os.remove(self.path("v", name))
        _, results = self.judge(1)
        self.assertEqual(results.footer["counts"]["missing"], 2)

    def test_changed_vectors_are_refused(self):
        for name in (self.first(".json"), self.first(".input0"), self.first(".expected0")):
            path = self.path("v", name)
            shutil.copy(path, self.path("kept"))
            with open(path, "ab") as file:
                file.write(b"\n")
            self.one_sentence(self.judge(2), name, "not as it was written")
            shutil.copy(self.path("kept"), path)

    def test_changed_manifest_is_refused(self):
        with open(self.path("v", "manifest.json"), encoding="utf-8") as file:
            text = file.read()
        value = json.loads(text)
        for key, bad in (
            ("count", value["count"] - 1),
            ("digest", "0" * 64),
            ("filter", "MaxPool-8 f32"),
            ("seed", -1),
            ("random", 1_000_000_000),
            ("poolproof_vectors", 2),
            ("level", "deep"),
        ):
            self.write("manifest.json", json.dumps({**value, key: bad}))
            self.one_sentence(self.judge(2), "v/")
        self.write("manifest.json", "[" * 100000)
        self.one_sentence(self.judge(2), "manifest.json", "nested")
        os.remove(self.path("v", "manifest.json"))
        self.one_sentence(self.judge(2), "manifest.json")
        self.write("manifest.json", text)
        self.judge(0)

    def test_changed_profile_is_refused(self):
        """Also where both expect the same."""
        made = ["vectors", "--out=same", "--filter=MaxPool-8 invalid"]
        self.run_program(*made, "--profile=openvino", code=0)
        manifest = self.path("same", "manifest.json")
        with open(manifest, encoding="utf-8") as file:
            text = file.read()
        with open(manifest, "w", encoding="utf-8") as file:
            file.write(text.replace('"openvino"', '"documented"'))
        answer_as_expected(self.path("same"))
        done = self.run_program("judge", "same", "--out=judged", code=2)
        self.one_sentence(done, "same/manifest.json: its count or digest is that of other vectors")

    def test_vectors_of_nobody_are_refused(self):
        self.write("009999.output0.npy", "x")
        self.one_sentence(self.judge(2), "009999.output0.npy", "no vector 9999")

    def test_files_that_are_none_are_refused(self):
        for name in (self.first(".output0"), self.first(".status"), self.first(".input0"), "manifest.json"):
            path = self.path("v", name)
            os.rename(path, self.path("kept"))
            os.mkfifo(path)
            self.one_sentence(self.judge(2), name, "FIFO")
            os.remove(path)
            os.symlink("/dev/zero", path)
            self.one_sentence(self.judge(2), name, "device")
            os.remove(path)
            os.rename(self.path("kept"), path)

    def test_status_files(self):
        stem = self.first(".output0").split(".")[0]
        self.write(f"{stem}.status", "UNSUPPORTED")
        self.one_sentence(self.judge(2), "beside outputs")
        for name in os.listdir(self.path("v")):
            if name.startswith(f"{stem}.output"):
                os.remove(self.path("v", name))
        for word, verdict in (
            ("UNSUPPORTED no such layout", "unsupported"),
            ("CRASH signal 11", "crash"),
            ("TIMEOUT", "timeout"),
            ("INTERNAL_ERROR", "fail"),
            ("INVALID_ARGUMENT\n", "wrongly-rejected"),
        ):
            self.write(f"{stem}.status", word)
            _, results = self.judge(0 if verdict == "unsupported" else 1)
            self.assertIn(verdict, results.verdicts())
        shutil.rmtree(self.path("judged"))
        for word in ("OK", "", "unsupported", "\x1b[2J::error::"):
            self.write(f"{stem}.status", word)
            done = self.judge(2)
            self.one_sentence(done, "is no status")
            self.assertNotIn("\x1b", done.stderr)

    def test_outputs_of_another_type_or_shape_fail(self):
        name = self.first(".output0")
        with open(self.path("v", name), "rb") as file:
            data = file.read()
        end = 10 + int.from_bytes(data[8:10], "little")
        twice = data[10:end].replace(b", }", b", 'descr': '<i4', }")
        for changed, verdict in (
            (data.replace(b"'<f4'", b"'<i4'"), "fail"),
            (data[:-4], "missing"),
            (data.replace(b"'<f4'", b"'>f4'"), "missing"),
            (data.replace(b"shape': (1", b"shape': (-"), "missing"),
            (b"", "missing"),
            (data[:8] + len(twice).to_bytes(2, "little") + twice + data[end:], "missing"),
        ):
            with open(self.path("v", name), "wb") as file:
                file.write(changed)
            _, results = self.judge(1)
            self.assertEqual(results.verdicts(), {"pass", verdict}, changed[:80])

    def test_more_outputs_than_the_case_has(self):
        stem = self.first(".output0").split(".")[0]
        shutil.copy(self.path("v", f"{stem}.output0.npy"), self.path("v", f"{stem}.output3.npy"))
        self.one_sentence(self.judge(2), f"{stem}.output3.npy", "outputs")

    def test_a_folder_of_other_things_is_not_written_to(self):
        self.one_sentence(self.run_program("vectors", "--out=v", code=4), "not empty")

    def test_baseline_of_a_judged_folder(self):
        os.remove(self.path("v", self.first(".output0")))
        self.judge(1)
        self.run_program("baseline", "--results=judged/results.jsonl", "--write=baseline.txt", code=0)
        self.run_program("judge", "v", "--out=again", "--baseline=baseline.txt", code=0)
        with open(self.path("v", self.first("5.output0")), "ab") as file:
            file.write(b"x")
        done = self.run_program("judge", "v", "--out=again", "--baseline=baseline.txt", code=1)
        self.assertIn("NEW: 1 case of 1 cause", done.stdout)


if __name__ == "__main__":
    main()
