"""The pages of docs/ say what the program and its data say: nothing in them can go out of date unseen."""

import json
import os
import re
import unittest

from harness import main

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


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


if __name__ == "__main__":
    main()
