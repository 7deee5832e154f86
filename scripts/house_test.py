"""One noun, one home: what the suite has once is not written a second time elsewhere."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("conformance", "fuzz", "optimized", "reference", "reports", "specs")

# Things that have one home: how a second one is recognized (every expression has to be found), the files that are its
# home, and samples of a second one. Tests and harnesses may read with other means than what they test.
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


# Plain words, and names of our own, that documents use as well.
COMMON = set("kernel axis stride strides dilation dilations padding floor ceil i32 i64 true false".split())


def document_words():
    """Names of operators, functions and attributes, and words of attributes, as the specs have them."""
    found = set()

    def collect(value, key):
        if isinstance(value, dict):
            found.update(v for k, v in value.items() if key == "rename" or (k == "name" and "puts" not in key))
            for inner_key, inner in value.items():
                collect(inner, key if inner_key in ("add", "change") else inner_key)
        elif isinstance(value, list):
            found.update(value if key == "words" else ())
            for inner in value:
                collect(inner, key)

    for path in sorted((ROOT / "specs").glob("*/*.json")):
        if path.parent.name != "schema" and path.name not in ("discrepancies.json", "documents.json"):
            collect(json.loads(path.read_text(encoding="utf-8")), "")
    return {word for word in found if len(word) > 1} - COMMON


def weak_comments(texts):
    """One sentence for each comment that begins with none of its nouns and verbs, or counts without a number."""
    for path, text in texts:
        before = ""
        for line in text.splitlines():
            comment = line.partition("//")[2].strip()
            begins = not before.lstrip().startswith("//")
            if begins and re.match("(?:Of|What) ", comment) or re.search(r"\b(?:so many|anew)\b", comment, re.I):
                yield f"{path} has a comment that a reader stumbles over: {comment}"
            before = line


def strange_words(texts, words):
    """One sentence for each string of the code that has a word of a document in it."""
    for path, text in texts:
        for string in re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)):
            for word in {string} | set(re.findall(r"[\w-]*[_0-9-][\w-]*", string)):
                if word in words and not string.endswith(".json"):
                    yield f"{path} names {word}, which is for the specs to say"


class House(unittest.TestCase):
    def test_words_of_documents_stay_in_their_files(self):
        judging = ((path, text) for path, text in sources() if path.startswith(("conformance/", "fuzz/", "reports/")))
        own = (each for each in judging if "/backends/" not in each[0] and "/testdata/" not in each[0])
        self.assertEqual(list(strange_words(own, document_words())), [])

    def test_a_word_of_a_document_is_found(self):
        for code in (
            'if (name == "pads_begin") return;',
            'x = "MaxPool-8 f32";',
            'y = "all(pads_end = 1)";',
            '"valid"',
        ):
            self.assertEqual(len(list(strange_words([("a.cc", code)], document_words()))), 1, code)
        for code in ('// "pads_begin"', 'x = "no valid pads";', 'y = "openvino/max_pool_8.json";'):
            self.assertEqual(list(strange_words([("a.cc", code)], document_words())), [], code)

    def test_comments_begin_with_a_noun_or_a_verb(self):
        self.assertEqual(list(weak_comments(sources())), [])

    def test_a_weak_comment_is_found(self):
        for code in ("// Of windows.", "int a;  // What is left.", "// Rows of\n// so many windows.", "// Read anew."):
            self.assertEqual(len(list(weak_comments([("a.cc", code)]))), 1, code)
        for code in ("// Rows. Of\n// What is left none.", "// Windows of a row."):
            self.assertEqual(list(weak_comments([("a.cc", code)])), [], code)

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
