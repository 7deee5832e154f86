"""Who may include whom: every #include "..." is one that the table in CONTRIBUTING.md allows, and every one that it
allows is there. No two folders need each other."""

import graphlib
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| `([^`]+)` \|[^|]*\|([^|]*)\|$", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+/[^"]+)"', re.MULTILINE)
LIBRARIES = ("hwy/", "fmt/", "gtest/", "nlohmann/")  # headers that stand in quotes all the same
TESTS = re.compile(r"_test\.(cc|h)$|/test_[^/]*$|/testdata/")


def allowed():
    """Folder or file to two sets: what it may include, and what its tests may include beside."""
    table = {}
    for name, cell in ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        code, _, tests = cell.partition("in tests")
        table[name] = (set(re.findall(r"`([^`]+)`", code)), set(re.findall(r"`([^`]+)`", tests)))
    return table


def sources():
    for folder in ("conformance", "fuzz", "optimized", "reference", "reports", "specs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cc", ".h", ".c"):
                yield path.relative_to(ROOT).as_posix()


def room_of(path, table):
    """The longest entry of the table that the path lies in."""
    rooms = [name for name in table if path == name or (name.endswith("/") and path.startswith(name))]
    return max(rooms, key=len, default=None)


def arrows(table):
    """(including file, its room, room of what it includes, whether it is a test)"""
    for path in sources():
        for included in INCLUDE.findall((ROOT / path).read_text(encoding="utf-8")):
            if included.startswith(LIBRARIES):
                continue
            yield path, room_of(path, table), included, room_of(included, table), bool(TESTS.search(path))


def faults(table):
    """One sentence for each include that the table does not allow."""
    for path, room, included, target, test in arrows(table):
        if room is None or target is None:
            yield f'{path} includes "{included}": one of them lies in no room of CONTRIBUTING.md'
            continue
        code, tests = table[room]
        if target != room and target not in code | (tests if test else set()):
            yield f'{path} includes "{included}": CONTRIBUTING.md allows {room} {", ".join(sorted(code)) or "nothing"}'


class Includes(unittest.TestCase):
    def test_only_what_the_table_allows(self):
        self.assertEqual(list(faults(allowed())), [])

    def test_arrows_go_one_way(self):
        def check(table):
            graphlib.TopologicalSorter({room: code for room, (code, _) in table.items()}).prepare()

        table = allowed()
        check(table)
        table["conformance/cases/"][0].add("conformance/run/")
        self.assertRaises(graphlib.CycleError, check, table)

    def test_an_arrow_less_is_found(self):
        for room in ("reference/", "conformance/results/", "conformance/backend_helper.h"):
            for target in allowed()[room][0]:
                table = allowed()
                table[room][0].remove(target)
                self.assertTrue(any(path.startswith(room) for path in faults(table)), f"{room} {target}")

    def test_the_table_allows_nothing_that_is_not_used(self):
        table = allowed()
        used = {(room, target, test) for _, room, _, target, test in arrows(table)}
        for room, (code, tests) in table.items():
            for target in code:
                self.assertTrue((room, target, False) in used, f"{room} includes nothing of {target}")
            for target in tests:
                self.assertTrue((room, target, True) in used, f"no test of {room} includes anything of {target}")


if __name__ == "__main__":
    unittest.main()
