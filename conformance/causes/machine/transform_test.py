"""Where the transformer finds operators and constants, where it must not, and that what it writes means the same."""

import fnmatch
import glob
import os
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(FOLDER, "..", "..", ".."))
sys.path.insert(0, FOLDER)

import transform


def transformed(source, left_out=()):
    file = transform.File("x.cc", source, 1, set(transform.CONSTEXPR_NUMBER.findall(source)), list(left_out))
    file.find_places()
    return file


def places(source, left_out=()):
    """What was at each place, in the order of the source."""
    return [place.was for place in sorted(transformed(source, left_out).places)]


class Places(unittest.TestCase):
    def test_operators_and_constants(self):
        self.assertEqual(
            places("int F(int a, int b) { return a * b + 3 <= -a ? b % a : ~b; }"), ["*", "+", "3", "<=", "-", "%"]
        )
        self.assertEqual(places("bool F(bool a, bool b) { return !a && b || true; }"), ["!", "&&", "||", "true"])
        self.assertEqual(
            places("void F(int& a) { a += 2; ++a; std::min<int>(a, a << 1); }"), ["+=", "2", "++", "min", "<<", "1"]
        )
        self.assertEqual(places("constexpr int kMost = 4;\nint F() { return kMost; }"), ["kMost"])

    def test_whole_conditions_only_where_nothing_else_is_in_them(self):
        self.assertEqual(places("int F(bool a) { if (a) return a ? F(a) : F(a); while (F(a)) ; }"), ["", "", ""])
        self.assertEqual(places("int F(int a) { if (a < a) return a; }"), ["<"])

    def test_what_is_known_when_compiling_stays(self):
        for source in (
            "static_assert(1 < 2);",
            "void F(int a) { assert(0 < a && a <= 2); }",
            "template <int N = 2> struct A {};",
            "constexpr int kA = 1 + 2;",
            "enum A { kB = 1 << 2 };",
            "using A = std::conditional_t<sizeof(int) == 4, B, C>;",
            "int F() { int a[3], b[4]; }",
            "int F(int a) { switch (a) { case 3: break; } }",
            "void F() { if constexpr (sizeof(int) == 4) G(); }",
            "auto F() { return G<2>(); }",
            "#if A < 2\n#endif\n",
            "// a < b\n",
            'const char* kA = "1 < 2";',
            "A::A(int&& a) {}",
            "void F(const int* a, int& b) {}",
        ):
            self.assertEqual(places(source), [], source)

    def test_steps_of_loops_stay(self):
        self.assertEqual(places("void F(int n) { for (int i = 0; i < n; ++i) G(i); }"), ["0", "<"])

    def test_functions_left_out(self):
        source = "int F() { return 1; }\nint G() { return 2; }"
        self.assertEqual(places(source, ["F"]), ["2"])
        self.assertEqual(places(source, ["*"]), [])

    def test_names_the_function(self):
        file = transformed("struct A { int F() const { return G([&] { return 1; }); } };")
        self.assertEqual(file.function_of(file.places[0].token), "F")

    def test_bracket_without_partner_is_refused(self):
        with self.assertRaisesRegex(ValueError, '"}" at 12'):
            transformed("int F() { ( }")


class LeftOut(unittest.TestCase):
    def test_every_line_leaves_something_out(self):
        for name, pattern in transform.left_out_rows(os.path.join(FOLDER, "left_out.txt")):
            sources = [transform.read(path) for path in glob.glob(os.path.join(ROOT, name)) if os.path.isfile(path)]
            self.assertTrue(any(self.leaves_out(source, pattern) for source in sources), f"{name} {pattern}")

    def leaves_out(self, source, pattern):
        if pattern.startswith("/"):
            return pattern[1:-1] in source
        file = transformed(source)
        names = {file.function_before(i) for i, token in enumerate(file.tokens) if token.text == "{"} - {""}
        return pattern == "*" or bool(fnmatch.filter(names, pattern))


# Prints the result of every call; with a number as argument, of that mutant.
PROGRAM = """
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <algorithm>
struct Pair { int a, b; };
constexpr int kThree = 3;
int Mixed(int a, int b) { return a + b * kThree - (a - b) / 2 % 5 + (a << 2 | b & 1); }
bool Lazy(const int* p, int a) { return p != nullptr && *p > a || a == 7; }
std::string Text(int a) { std::string text = "a"; text += a < 0 ? "-" : "+"; return text + std::to_string(a); }
int Loop(int n) { int sum = 0; for (int i = 0; i < n; ++i) sum += i; if (n > 3) ++sum; return sum; }
Pair Braces(int a) { return {-a, std::max(a, 4)}; }
int main(int argc, char** argv) {
  SWITCH
  const int five = 5;
  std::printf("%d %d %d %d %d %s %d %d %d\\n", Mixed(9, 4), Lazy(nullptr, 1), Lazy(&five, 4), Lazy(&five, 7),
              Lazy(&five, 6), Text(3).c_str(), Loop(4), Braces(2).a, Braces(2).b);
}
"""
RUNTIME = """
namespace poolproof::machine {
uint32_t chosen = 0;
bool tracing = false;
void Note(uint32_t) {}
bool Enter(uint32_t) { return true; }
}
"""


class Meaning(unittest.TestCase):
    """The copy computes what the source does, and each mutant of an operator what it says."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="poolproof-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def build(self, name, source):
        path = os.path.join(self.folder, name)
        with open(path + ".cc", "w", encoding="utf-8") as file:
            file.write(source)
        subprocess.run(["c++", "-std=c++20", "-w", "-I", ROOT, path + ".cc", "-o", path], check=True)
        return lambda *arguments: subprocess.run(
            [path, *arguments], check=True, capture_output=True, text=True
        ).stdout.strip()

    def test_copy_means_the_same_until_a_mutant_is_chosen(self):
        plain = self.build("plain", PROGRAM.replace("SWITCH", ""))
        file = transformed(PROGRAM.replace("SWITCH", ""), ["main"])
        switch = "if (argc > 1) ::poolproof::machine::chosen = std::atoi(argv[1]);\n  const int five"
        copied = self.build("copied", file.copy().replace("const int five", switch) + RUNTIME)
        self.assertEqual(copied(), plain())
        numbers = {(place.was, file.tokens[place.token].at): number for number, place in enumerate(file.places, 1)}
        for source, was, way, wanted in (
            ("a < 0", "<", 2, " a-3 "),
            ("n > 3", "3", 0, " 6 "),
            ("*p > a ||", "||", 0, " 0 0 0 0 "),
            ("max(a, 4)", "max", 0, " -2 2 "),
            ("{-a", "-", 0, " 2 4 "),
        ):
            at = PROGRAM.replace("SWITCH", "").index(source) + source.index(was)
            answer = copied(str(8 * numbers[was, at] + way))
            self.assertNotEqual(answer, plain(), source)
            self.assertIn(wanted, f" {answer} ", source)


if __name__ == "__main__":
    unittest.main()
