"""Copies C++ sources with every operator and constant replaced by a call that can do something else (mutate.h),
and writes the table of the mutants that these are.

  transform.py --out FOLDER --list PLACES.inc --leave left_out.txt FILE...

Files are named from the current folder on and keep their names in FOLDER. Code that is needed when compiling stays
as it is: template arguments, array bounds, case labels, constexpr variables. left_out.txt holds lines "FILE FUNCTIONS
REASON" and "FILE /TEXT/ REASON": functions, with commas between them (* for all), and lines of the source with such a
text in them, that are copied as they are. File and functions may be patterns."""

import argparse
import collections
import fnmatch
import json
import os
import re

import tokens as t

FUNCTORS = dict(
    zip(
        "< <= > >= == != + - * / % & | << >> drop min max +1 -1 0".split(),
        "std::less<> std::less_equal<> std::greater<> std::greater_equal<> std::equal_to<> std::not_equal_to<>"
        " std::plus<> std::minus<> std::multiplies<> std::divides<> std::modulus<> std::bit_and<> std::bit_or<>"
        " ShiftLeft ShiftRight First Min Max More Less Zero".split(),
        strict=True,
    )
)
RELATIONS = {"<": "<= > >=", "<=": "< >= >", ">": ">= < <=", ">=": "> <= <", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "- drop", "-": "+ drop", "*": "/ drop", "/": "* %", "%": "/ drop"}
ARITHMETIC |= {"&": "|", "|": "&", "<<": ">>", ">>": "<<"}
BINARY = {**RELATIONS, **ARITHMETIC}
# Names in front of brackets whose contents are known when compiling, are never computed, or are part of no answer.
COMPILED = {"assert", "static_assert", "sizeof", "decltype", "alignas", "alignof", "noexcept", "requires"}
CONSTEXPR_NUMBER = re.compile(
    r"\bconstexpr (?:int|unsigned|size_t|u?int\d+_t|float|double|long double) (k[A-Z]\w*)(?= =|\{)"
)

Place = collections.namedtuple("Place", "token was ways")  # index of a token, what it says, what it becomes


class File:
    """One source: finds its places and writes the copy."""

    def __init__(self, path, source, first_place, constants, left_out):
        self.path, self.source = path, source
        self.tokens = t.tokenize(source)
        self.first_place, self.constants, self.left_out = first_place, constants, left_out
        self.texts_left_out = [pattern[1:-1] for pattern in left_out if pattern.startswith("/")]
        self.places = []
        self.edits = []  # (at, order, up to where the source is replaced, text)
        self.fixed = self.find_fixed()

    def text(self, i):
        return self.tokens[i].text

    # Code that stays.

    def find_fixed(self):
        fixed = ["*" in self.left_out] * len(self.tokens)
        for i, token in enumerate(self.tokens):
            end = self.end_of_fixed(i, token) or i
            fixed[i:end] = [True] * (end - i)
            if any(text in "".join(self.line_around(token.at)) for text in self.texts_left_out):
                fixed[i] = True
        return fixed

    def end_of_fixed(self, i, token):
        if token.angle and token.opens:
            return token.match
        if token.text in COMPILED:
            return self.tokens[i + 1].match
        if token.text == "if" and self.text(i + 1) == "constexpr":
            return self.tokens[i + 2].match
        statement = token.text in ("using", "namespace", "template", "enum", "friend")
        if statement or (token.text == "constexpr" and self.is_variable(i)):
            return self.end_of_statement(i)
        if token.text == "case":
            return next(j for j in range(i, len(self.tokens)) if self.text(j) == ":")
        if token.text == "[" and (self.is_bound(i) or self.is_capture(i)):
            return token.match
        function = self.function_before(i) if token.text == "{" else ""
        left_out = any(fnmatch.fnmatchcase(function, pattern) for pattern in self.left_out)
        return token.match if function and left_out else None

    def end_of_statement(self, i):
        """Up to the ;, for a template its head, for a namespace its bracket."""
        what = self.text(i)
        j = i
        while self.text(j) != ";":
            token = self.tokens[j]
            if (what == "template" and j > i and token.closes) or (what == "namespace" and token.text == "{"):
                break
            j = (token.match if token.opens and what != "template" else j) + 1
        return j

    def is_variable(self, i):
        """A constexpr that is no function: = or { comes before any (."""
        while self.text(i) not in ("=", "{", "(", ";"):
            i = (self.tokens[i].match if self.tokens[i].angle else i) + 1
        return self.text(i) != "("

    def is_bound(self, i):
        """int64_t sizes[3]: a name that follows a type, or another one with a bound."""
        name, kind = self.tokens[i - 1], self.tokens[i - 2]
        if kind.text == "," and self.text(i - 3) == "]":
            return self.is_bound(self.tokens[i - 3].match)
        return name.kind == "name" and (
            (kind.kind == "name" and kind.text not in t.KEYWORDS - {"const", "auto"})
            or (kind.angle and kind.closes)
            or (kind.text in "*&" and not kind.binds and kind.spaced_after)
        )

    def is_capture(self, i):
        following = self.text(self.tokens[i].match + 1)
        return self.text(i - 1) in ("(", ",", "=", "return", "[") and following in ("(", "{", "[", "]")

    # Names.

    def line_around(self, at):
        """The line of the source with `at` in it, as the parts before and behind that."""
        return self.source[self.source.rfind("\n", 0, at) + 1 : at], self.source[at : self.source.find("\n", at)]

    def function_before(self, i):
        """The name of the function whose body begins with the bracket at `i`; "" where it is no function."""
        i -= 1
        while self.text(i) in ("const", "noexcept", "override"):
            i -= 1
        if self.text(i) != ")":
            return ""
        name = self.tokens[self.tokens[i].match - 1]
        known = name.kind == "name" and name.text not in ("if", "for", "while", "switch", "catch", "constexpr")
        return name.text if known else ""

    def function_of(self, i):
        """The outermost function around token `i`."""
        around = (j for j in range(i) if self.text(j) == "{" and i < self.tokens[j].match)
        return next(filter(None, map(self.function_before, around)), "")

    # Places.

    def change(self, i, was, ways, functors, span, mark="", call="Change", after=")"):
        """Makes a place of what token `i` says: a call around the tokens of `span`, and `mark` instead of the token.
        The longer of two calls with one edge in common is outside."""
        number = self.first_place + len(self.places)
        self.places.append(Place(i, was, ways))
        begin, end = span
        names = [
            name if ":" in name or name in ("true", "false") else "::poolproof::machine::" + name for name in functors
        ]
        before = f"::poolproof::machine::{call}<{', '.join([str(number), *names])}>("
        first, last, width = self.tokens[begin].at, self.tokens[end - 1].end, end - begin
        self.edits.append((first, (1, -width, number), first, before))
        self.edits.append((last, (0, width, -number), last, after))
        if mark is not None:
            self.replace(i, i + 1, mark)

    def replace(self, begin, end, text):
        self.edits.append((self.tokens[begin].at, (2,), self.tokens[end - 1].end, text))

    def find_places(self):
        for i, token in enumerate(self.tokens):
            if self.fixed[i]:
                continue
            if token.binds and token.text in BINARY:
                self.operator(i, token)
            elif token.text in ("&&", "||") and token.binds:
                self.logical(i, token)
            elif token.kind == "mark" and token.text[:-1] in ARITHMETIC and token.text[-1] == "=":
                self.assignment(i, token)
            elif token.text in ("-", "!") and not token.spaced_after:
                self.sign(i, token)
            elif token.text in ("++", "--") and self.text(i - 1) in (";", "{", "}", ")") and token.spaced:
                self.step(i, token)
            elif (
                token.kind == "number"
                or token.text in ("true", "false")
                or (token.text in self.constants and not self.is_part(i))
            ):
                self.constant(i, token)
            elif token.text in ("min", "max") and self.text(i - 1) == "::":
                self.extreme(i, token)
            if token.text in ("if", "while", "?"):
                self.condition(i, token)

    def is_part(self, i):
        """Whether it is the end of a longer name, or what an address is taken of."""
        before = self.tokens[i - 1]
        return before.text in ("::", ".", "->") or (before.text == "&" and not before.binds)

    def operands(self, i, binds):
        return t.left_begin(self.tokens, i - 1, binds), t.right_end(self.tokens, i + 1, binds)

    def operator(self, i, token):
        ways = BINARY[token.text].split()
        functors = [FUNCTORS[way] for way in (token.text, *ways)]
        self.change(i, token.text, ways, functors, self.operands(i, token.binds), ",")

    def logical(self, i, token):
        is_and = token.text == "&&"
        ways = ["||" if is_and else "&&", "left", "right"]
        span = self.operands(i, token.binds)
        self.change(i, token.text, ways, ["true" if is_and else "false"], span, ", [&] { return ", "Logical", "; })")

    def assignment(self, i, token):
        ways = ARITHMETIC[token.text[:-1]].split()
        functors = [FUNCTORS[way] for way in (token.text[:-1], *ways)]
        ways = [way if way == "drop" else way + "=" for way in ways]
        self.change(i, token.text, ways, functors, self.operands(i, 0), ",", "Assign")

    def sign(self, i, token):
        functors = ("std::negate<>", "std::identity") if token.text == "-" else ("std::logical_not<>", "Truth")
        self.change(i, token.text, ["drop"], functors, (i, t.right_end(self.tokens, i + 1, 99)))

    def step(self, i, token):
        heads = (j for j in range(1, i) if self.text(j) == "(" and self.text(j - 1) == "for")
        if any(i < self.tokens[j].match for j in heads):
            return
        other = "--" if token.text == "++" else "++"
        functors = [FUNCTORS[token.text[0]], FUNCTORS[other[0]], "First"]
        span = i, t.right_end(self.tokens, i + 1, 99)
        self.change(i, token.text, [other, "drop"], functors, span, "", "Assign", ", 1)")

    def constant(self, i, token):
        ways, functors = ["+1", "-1", "0"], ("std::identity", "More", "Less", "Zero")
        if token.text in ("true", "false"):
            ways, functors = ["!"], ("std::identity", "std::logical_not<>")
        elif re.fullmatch(r"[01](\.0)?[uUlLfF]*", token.text):
            ways, functors = ways[:2], functors[:3]
        self.change(i, token.text, ways, functors, (i, i + 1), None)

    def extreme(self, i, token):
        opening = self.tokens[i + 1].match + 1 if self.tokens[i + 1].angle else i + 1
        if self.text(i - 2) != "std" or self.text(opening) != "(":
            return
        of = "".join(self.source[x.at : x.end] for x in self.tokens[i + 1 : opening]) or "<>"
        ways = ["max" if token.text == "min" else "min"]
        functors = [FUNCTORS[way] + of for way in (token.text, *ways)]
        self.change(i, token.text, ways, functors, (i - 2, self.tokens[opening].match), None, after="")
        self.replace(i - 2, opening + 1, "")

    def condition(self, i, token):
        """Makes a place of what if, while and ? ask, unless it is made of operators that have places of their own."""
        if token.text == "?":
            begin, end = t.left_begin(self.tokens, i - 1, 1), i
        elif self.text(i + 1) == "(":
            end = self.tokens[i + 1].match
            begin = max([i + 2] + [j + 1 for j in range(i + 2, end) if self.text(j) == ";"])
        else:
            return
        if any(x.text in RELATIONS and x.binds or x.text in ("&&", "||", "=", "!") for x in self.at_top(begin, end)):
            return
        if any(x.text not in ("true", "false") for x in self.tokens[begin:end]):
            self.change(begin, "", ["!"], ("Truth", "std::logical_not<>"), (begin, end), None)

    def at_top(self, begin, end):
        while begin < end:
            yield self.tokens[begin]
            begin = self.tokens[begin].match + 1 if self.tokens[begin].opens else begin + 1

    # Output.

    def copy(self):
        pieces, at = [], 0
        for where, _, end, text in sorted(self.edits):
            pieces += [self.source[at:where], text]
            at = end
        head = f'#include "conformance/causes/machine/mutate.h"\n#line 1 "{self.path}"\n'
        return head + "".join(pieces) + self.source[at:]

    def rows(self):
        """The mutants as machine.h has them."""
        for number, place in enumerate(self.places, self.first_place):
            at = self.tokens[place.token].at
            before, rest = self.line_around(at)
            line, function = self.source.count("\n", 0, at) + 1, self.function_of(place.token)
            for i, way in enumerate(place.ways):
                texts = [self.path, function, place.was, way, before.lstrip(), rest[len(place.was) :]]
                quoted = ", ".join(json.dumps(text, ensure_ascii=False) for text in texts)
                yield f"{{{number} * kWays + {i}, {line}, {len(before) + 1}, {quoted}}},\n"


def left_out_rows(path):
    """(file, function or /text/) of each."""
    for line in read(path).splitlines():
        if line.strip() and not line.startswith("#"):
            file, patterns = re.fullmatch(r"(\S+) +(/.*/|\S+) +.+", line).groups()
            for pattern in [patterns] if patterns.startswith("/") else patterns.split(","):
                yield file, pattern


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--list", required=True)
    parser.add_argument("--leave", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    left_out = list(left_out_rows(options.leave))
    sources = {path: read(path) for path in options.files}
    constants = {name for source in sources.values() for name in CONSTEXPR_NUMBER.findall(source)}
    rows, place = [], 1
    for path, source in sources.items():
        patterns = [pattern for name, pattern in left_out if fnmatch.fnmatch(path, name)]
        file = File(path, source, place, constants, patterns)
        file.find_places()
        write(os.path.join(options.out, path), file.copy())
        rows += file.rows()
        place += len(file.places)
    write(options.list, "".join(rows))


if __name__ == "__main__":
    main()
