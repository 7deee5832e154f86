"""One noun, one home: what the suite has once is not written a second time elsewhere."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("conformance", "fuzz", "optimized", "reference", "reports", "specs")

# What there is one of: how a second one is recognized (every expression has to be found), the files that are its home,
# and samples of a second one. Tests and harnesses may read with other means than what they test.
HOMES = {
    "strict reader of JSON": (
        [r"\bsax_parse\b|\bbool start_object\(|json::(?:parse|accept)\("],
        {"conformance/format/strict_json.cc"},
        ["const auto value = nlohmann::json::parse(text);", "if (!Json::sax_parse(text, &mine)) return {};"],
    ),
    "matcher of names with wildcards": (
        [r"\bfnmatch\b|[!=]= '\*'|ends_with\('\*'\)"],
        {"conformance/format/glob.cc"},
        ["return fnmatch(pattern, name, 0) == 0;", "if (pattern[i] == '*') ++i;"],
    ),
    "list of verdicts": (
        [r"\benum (?:class )?Verdict\b[^;]*\{"],
        {"conformance/format/verdict.h"},
        ["enum class Verdict : uint8_t { kGood, kBad };"],
    ),
    "reader of the cases of a results file": (
        [r'"section\b', r'"verdict\b'],
        {"conformance/format/case_line.cc", "conformance/format/case_line.h"},
        ['const std::string section = StringOr(*value, "section"), verdict = StringOr(*value, "verdict");'],
    ),
    "parser of conditions": (
        [r"\b(?:Parse|Read)(?:Condition|Comparison|Expression|Predicate)\w*\("],
        {"conformance/expression/parse.cc"},
        ["bool ParseCondition(std::string_view text, Condition* condition);"],
    ),
    "table of the C interface": (
        [r"\bsizeof\(poolproof_backend\),"],
        {"conformance/backend_helper.h", "conformance/worker/testdata/bad_table.cc"},
        ["const poolproof_backend kMine = {sizeof(poolproof_backend), 1, Create};"],
    ),
    "type of errors": (
        [r"\bstruct Error\b[^;]*\{"],
        {"conformance/format/error.h"},
        ["struct Error {\n  int code;\n};"],
    ),
}


def sources():
    """Each source file that is no test or harness, as path and text."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in (".cc", ".h") and not re.search(r"_test\.cc$|/test_[^/]*$|^fuzz/fuzz_", name):
                yield name, path.read_text(encoding="utf-8")


def faults(texts):
    """One sentence for each file that has for itself what lives elsewhere."""
    for path, text in texts:
        code = re.sub(r"//[^\n]*", "", text)
        for what, (expressions, homes, _) in HOMES.items():
            if path not in homes and all(re.search(expression, code, re.I) for expression in expressions):
                yield f"{path} has a second {what}: it lives in {', '.join(sorted(homes))}"


class House(unittest.TestCase):
    def test_nothing_has_a_second_home(self):
        self.assertEqual(list(faults(sources())), [])

    def test_a_home_is_where_it_is_said_to_be(self):
        texts = dict(sources())
        for what, (expressions, homes, _) in HOMES.items():
            for home in homes:
                for expression in expressions:
                    self.assertRegex(texts[home], re.compile(expression, re.I), f"{home} is no home of a {what}")

    def test_a_second_one_is_found(self):
        for what, (_, _, samples) in HOMES.items():
            for sample in samples:
                found = list(faults([("reports/planted.cc", f"namespace poolproof {{\n{sample}\n}}\n")]))
                self.assertEqual(len(found), 1, f"{sample}: {found}")
                self.assertIn(f"reports/planted.cc has a second {what}", found[0])

    def test_a_comment_is_no_second_one(self):
        self.assertEqual(list(faults([("reports/planted.cc", "// As json::parse( would, or fnmatch.\n")])), [])


if __name__ == "__main__":
    unittest.main()
