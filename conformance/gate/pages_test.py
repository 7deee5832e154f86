"""The pages of docs/ say what the program and its data say: nothing in them can go out of date unseen."""

import glob
import json
import os
import re
import subprocess
import unittest

import operator_tables
from harness import PROGRAM, ROOT, Program, ledger, main, text_of


def section_of(page, title):
    """The text below a heading, up to the next one of any level."""
    return re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", page, re.DOTALL | re.MULTILINE)[1]


class Glossary(unittest.TestCase):
    def test_it_holds_what_the_report_says(self):
        page = text_of("docs", "glossary.md")
        report = json.loads(text_of("reports", "templates", "glossary.json"))
        terms = re.compile(r"^- \*\*(.+?)\*\*: (.+)$", re.MULTILINE)
        self.assertEqual(dict(terms.findall(section_of(page, "What the report says"))), report)
        ours = [term for term, _ in terms.findall(section_of(page, "What the code and these pages say besides"))]
        self.assertEqual(ours, sorted(set(ours) - set(report)))


class Report(unittest.TestCase):
    def test_what_it_explains_takes_one_sentence(self):
        for path in glob.glob(os.path.join(ROOT, "reports", "templates", "*.html")):
            for prose in re.findall(r"<p>(.*?)</p>", text_of(path), re.DOTALL):
                said = re.sub(r"<[^>]*>|{{[^}]*}}", "", prose)
                self.assertIsNone(re.search(r"[.!?]\s+\S", said), f"{path}: {said}")


def table(page, title):
    """First and second column of the table below a heading."""
    rows = re.findall(r"^\| `(.+?)` \| (.+?) \|", section_of(page, title), re.MULTILINE)
    return {key: value.replace("\\|", "|").strip("`") for key, value in rows}


def help_of(*command):
    """Options and positionals that --help lists, with their text."""
    how = "--help" if command else "--help-all"
    text = subprocess.run([PROGRAM, *command, how], capture_output=True, text=True, check=True).stdout
    found, name = {}, None
    for line in text.split("\nSubcommands:")[0].splitlines():
        start = re.match(r"  (\S+)(.*?)(?:\s{2,}(\S.*))?$", line)
        if re.fullmatch(r"[\w ]+:", line):
            name = ""
        elif name is not None and line.startswith(" " * 20):
            found[name] = (found[name] + " " + line.strip()).strip()
        elif name is not None and start and not line.startswith("   "):
            name = start[1]
            found[name] = start[3] or ""
    del found["-h,--help"]
    return found


class Commands(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.page = text_of("docs", "commands.md")

    def test_options(self):
        shared = table(self.page, "Options of every command that runs a backend")
        probe = help_of("probe")
        self.assertEqual(shared, {key: text for key, text in probe.items() if key != "--write"})
        top = subprocess.run([PROGRAM, "--help-all"], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"^([a-z-]+)$", top.split("\nSubcommands:\n")[1], re.MULTILINE)
        self.assertEqual(re.findall(r"^### (.*)$", self.page.split("\n## Commands\n")[1], re.MULTILINE), commands)
        for command in [[], *([command] for command in commands)]:
            want = help_of(*command)
            if "--backend" in want:
                want = {key: text for key, text in want.items() if key not in shared}
            self.assertEqual(table(self.page, command[0] if command else "conformance"), want, command)

    def test_what_a_newcomer_needs_is_one_screen(self):
        text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
        self.assertLessEqual(len(text.splitlines()), 30)
        self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])
        options, commands = (re.findall(r"^  (\S+)", part, re.MULTILINE) for part in text.split("\nCommands:\n"))
        listed = subprocess.run([PROGRAM, "complete"], capture_output=True, text=True, check=True).stdout.split()
        self.assertLess({option.split(",")[-1] for option in options if option.startswith("-")}, set(listed))
        self.assertLess(set(commands), set(listed))

    def test_every_number_says_its_range(self):
        text = subprocess.run([PROGRAM, "--help-all"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"^ +(--[a-z-]+ (?:UINT|FLOAT)\b.*)$", text, re.MULTILINE), [])

    def test_completion_says_what_there_is(self):
        def words(*before):
            done = subprocess.run([PROGRAM, "complete", "--", *before], capture_output=True, text=True, check=True)
            return done.stdout.split()

        self.assertEqual(words("--level"), ["documented", "quick", "gate", "full", "properties"])
        self.assertEqual(words("list", "--level"), ["documented", "quick", "gate", "full"])
        self.assertEqual(words("--isolation"), ["full", "standard", "none"])
        self.assertEqual(words("--family"), sorted(words("--family")))
        self.assertIn("onnxruntime", words("show", "--profile"))
        self.assertIn("MaxPool-8", words("--filter"))
        self.assertIn("ties=last", words("reproduce", "--reading"))
        self.assertEqual(words("--out"), [])
        found = set(words("probe")) - {"--help", "--help-all"}
        self.assertEqual(found, {key for key in help_of("probe") if key != "--help-all"})

    def test_exit_codes_and_verdicts(self):
        codes = re.search(r"enum ExitCode \{(.*?)\}", text_of("conformance", "results", "run_result.h"), re.DOTALL)[1]
        documented = re.findall(r"^\| (\d+) \|", section_of(self.page, "Exit codes"), re.MULTILINE)
        self.assertEqual(documented, re.findall(r"= (\d+)", codes))
        rows = re.findall(r'^    \{"([\w-]+)", ', text_of("conformance", "format", "verdict.cc"), re.MULTILINE)
        self.assertEqual(list(table(self.page, "Verdicts")), rows)

    def test_attributes_of_a_problem_line(self):
        attributes = {"openvino": {}, "embarc_mli": {}, "pytorch": {}}
        for path in glob.glob(os.path.join(ROOT, "specs", "*", "*.json")):
            folder = os.path.basename(os.path.dirname(path))
            if folder not in attributes or not operator_tables.is_operator(path):
                continue
            with open(path, encoding="utf-8") as written:
                operator = json.load(written)["id"]
            done = subprocess.run([PROGRAM, "show", "--spec", operator], capture_output=True, text=True, check=True)
            family = attributes[folder]
            for attribute in json.loads(done.stdout)["attributes"]:
                name, words = family.get(attribute["key"], (attribute["name"], set()))
                family[attribute["key"]] = (name, words | set(attribute.get("words", [])) - {"true", "false"})
        for family, title in (
            ("openvino", "Attributes of the OpenVINO operators"),
            ("embarc_mli", "Attributes of the embARC MLI functions"),
            ("pytorch", "Attributes of the PyTorch operators"),
        ):
            documented = re.findall(
                r"^\| `(\w+)` \| `([\w-]+)` \| (.*) \|$", section_of(self.page, title), re.MULTILINE
            )
            words = {
                key: (name, set(re.findall(r"`(\w+)`", values)) - {"true", "false"}) for key, name, values in documented
            }
            self.assertEqual(words, attributes[family])

    def test_words_and_fills_of_a_problem_line(self):
        done = subprocess.run(
            [PROGRAM, "show", "AdaptiveAvgPool-8 f32 in=1x1x1 x=1"], capture_output=True, text=True, check=False
        )
        keys = re.search(r"allowed are (.*?)\W*$", done.stderr)[1].split()
        self.assertEqual(set(table(self.page, "Words of every line")), {"in", *keys})
        done = subprocess.run(
            [PROGRAM, "show", "MaxPool-8 f32 in=1x1x1 fill=x"], capture_output=True, text=True, check=False
        )
        fills = re.search(r"one of (.*), or none", done.stderr)[1].split()
        self.assertEqual(list(table(self.page, "Fills")), [*fills, "none"])


class Architecture(unittest.TestCase):
    def setUp(self):
        self.page = text_of("docs", "architecture.md")

    def test_every_folder_has_a_paragraph(self):
        folders = re.findall(r"^\| `([\w/]+/)` \|", text_of("CONTRIBUTING.md"), re.MULTILINE)
        self.assertEqual(sorted(re.findall(r"^- \*\*`(.*?)`\*\*", self.page, re.MULTILINE)), sorted(folders))

    def test_the_way_of_a_problem_names_files_and_their_functions(self):
        steps = re.findall(r"^\| \d+ \| `(.*?)` \| `(.*?)` \|", self.page, re.MULTILINE)
        self.assertIn(len(steps), range(10, 21))
        self.assertEqual(len({path for path, _ in steps}), len(steps), "a file is passed once")
        for path, function in steps:
            self.assertIsNotNone(
                re.search(rf"(?m)^( *[\w:<>]+.*)?\b{function}\(", text_of(path)), f"{path}: {function}"
            )


class Consoles(Program):
    """The commands of ```console blocks, run one after another; they print what the page shows but for times."""

    maxDiff = None

    def without_times(self, text):
        text = re.sub(r" in \d[\d.]* s( \(\d+ per second\))?", " in TIME", text)
        lines = [line.rstrip() for line in text.splitlines() if not line.startswith("isolation ")]
        return "\n".join(lines).rstrip()

    def run_page(self, *page):
        blocks = re.findall(r"^```console\n(.*?)^```", text_of(*page), re.DOTALL | re.MULTILINE)
        self.assertTrue(blocks)
        self.make_checkout()
        for block in blocks:
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                printed = self.run_printed(command, (0, 1))
                self.assertEqual(self.without_times(printed), self.without_times(shown), command)

    def test_first_ten_minutes(self):
        self.run_page("docs", "first-ten-minutes.md")

    def test_a_gate_in_ci(self):
        self.run_page("docs", "ci.md")
        shown = text_of("docs", "ci.md").split("\nNEW: ")[1].split("\n```")[0]
        self.assertLessEqual(shown.count("\n"), 9)  # ten lines


class Operators(unittest.TestCase):
    def test_the_page_is_what_the_specs_say(self):
        self.assertEqual(text_of("docs", "operators.md"), operator_tables.page())


class Version(unittest.TestCase):
    def test_it_stands_in_one_place(self):
        version = re.search(r"^project\(poolproof VERSION (\S+) ", text_of("CMakeLists.txt"), re.MULTILINE)[1]
        self.assertEqual(re.findall(r"^## (\S+)", text_of("CHANGELOG.md"), re.MULTILINE)[0], version)
        said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(said, rf"^poolproof {re.escape(version)}\nspecs [0-9a-f]{{16}}\nplan [0-9a-f]{{32}}\n$")


class Markdown(unittest.TestCase):
    def test_the_failure_in_the_readme_is_one_that_a_page_runs(self):
        shown = re.search(r"^```text\n(.*?)^```", text_of("README.md"), re.DOTALL | re.MULTILINE)[1]
        self.assertIn(shown, text_of("docs", "first-ten-minutes.md"))

    def test_every_command_and_option_exists(self):
        top = subprocess.run([PROGRAM, "--help-all"], capture_output=True, text=True, check=True).stdout
        options = set(re.findall(r"--[a-z][a-z-]*", top)) | {"--help"}
        commands = set(re.findall(r"^  ([a-z-]+) ", top.split("\nSubcommands:\n")[1], re.MULTILINE))
        commands |= set(re.findall(r"^([a-z-]+)$", top.split("\nSubcommands:\n")[1], re.MULTILINE))
        pages = [
            *glob.glob(os.path.join(ROOT, "*.md")),
            *glob.glob(os.path.join(ROOT, "[!b.]*", "**", "*.md"), recursive=True),
        ]
        for path in pages:
            for call in re.findall(r"(?:^|[/ `$])conformance ([^`\n#]+)", text_of(path), re.MULTILINE):
                word = call.split()[0]
                if word[0].isalpha() and "`conformance " + word in text_of(path):
                    self.assertIn(word, commands, f"{path}: conformance {call}")
                if word.startswith("--") or word in commands:
                    for option in re.findall(r"(?:^| )(--[a-z][a-z-]*)", call):
                        self.assertIn(option, options, f"{path}: conformance {call}")


class Readings(unittest.TestCase):
    def test_every_reading_that_a_page_names_is_in_the_ledger(self):
        readings = {entry["id"]: {reading["name"] for reading in entry["readings"]} for entry in ledger()}
        for path in glob.glob(os.path.join(ROOT, "docs", "*.md")):
            for entry, reading in re.findall(r"([a-z-]+)=([a-z-]+)", text_of(path)):
                self.assertIn(reading, readings.get(entry, {reading}), f"{path}: {entry}={reading}")


if __name__ == "__main__":
    main()
