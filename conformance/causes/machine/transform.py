"""Copies C++ sources with every operator and constant replaced by a call that can do something else (mutate.h),
and writes the table of these places.

  transform.py --out FOLDER --list PLACES.inc --leave left_out.txt FILE...

Files are named from the current folder on and keep their names in FOLDER. What has to be known when compiling stays
as it is: template arguments, array bounds, case labels, constexpr variables. left_out.txt holds lines "FILE FUNCTION
REASON" and "FILE /TEXT/ REASON": functions (* for all), and lines of the source with such a text in them, that are
copied as they are. File and function may be patterns."""

import argparse
import fnmatch
import os
import re

import tokens as t

RELATIONS = {
    "<": ("less", "less_equal", "greater", "greater_equal"),
    "<=": ("less_equal", "less", "greater_equal", "greater"),
    ">": ("greater", "greater_equal", "less", "less_equal"),
    ">=": ("greater_equal", "greater", "less_equal", "less"),
    "==": ("equal_to", "not_equal_to"),
    "!=": ("not_equal_to", "equal_to"),
}
SIGNS = {
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal_to": "==",
    "not_equal_to": "!=",
    "plus": "+",
    "minus": "-",
    "multiplies": "*",
    "divides": "/",
    "modulus": "%",
    "bit_and": "&",
    "bit_or": "|",
    "ShiftLeft": "<<",
    "ShiftRight": ">>",
    "First": "drop",
}
ARITHMETIC = {
    "+": ("plus", "minus", "First"),
    "-": ("minus", "plus", "First"),
    "*": ("multiplies", "divides", "First"),
    "/": ("divides", "multiplies", "modulus"),
    "%": ("modulus", "divides", "First"),
    "&": ("bit_and", "bit_or"),
    "|": ("bit_or", "bit_and"),
    "<<": ("ShiftLeft", "ShiftRight"),
    ">>": ("ShiftRight", "ShiftLeft"),
}
BINARY = {**RELATIONS, **ARITHMETIC}
ASSIGNMENTS = {op + "=": ways for op, ways in ARITHMETIC.items()}
CONSTANTS = {"More": "+1", "Less": "-1", "Zero": "0", "Opposite": "!"}
# Names in front of brackets whose contents are known when compiling, are never computed, or are part of no answer.
COMPILED = {"assert", "static_assert", "sizeof", "decltype", "alignas", "alignof", "noexcept", "requires"}
CONSTEXPR_NUMBER = re.compile(
    r"\bconstexpr (?:int|unsigned|size_t|u?int\d+_t|float|double|long double) (k[A-Z]\w*)(?= =|\{)"
)


def functor(way):
    return f"std::{way}<>" if way.islower() else f"::poolproof::machine::{way}"


class Place:
    def __init__(self, token, was, ways):
        self.token, self.was, self.ways = token, was, ways


class File:
    """One source: finds its places and writes the copy."""

    def __init__(self, path, source, first_place, constants, left_out):
        self.path, self.source = path, source
        self.tokens = t.tokenize(source)
        self.first_place, self.constants, self.left_out = first_place, constants, left_out
        self.texts_left_out = [pattern[1:-1] for pattern in left_out if pattern.startswith("/")]
        self.places = []
        self.inserts = []  # (at, order, text)
        self.replaced = {}  # index of a token -> text
        self.fixed = self.find_fixed()

    # What has to stay.

    def find_fixed(self):
        fixed = ["*" in self.left_out] * len(self.tokens)
        for i, token in enumerate(self.tokens):
            end = self.end_of_fixed(i, token)
            if end is not None:
                fixed[i:end] = [True] * (end - i)
            if any(text in self.line_of(token) for text in self.texts_left_out):
                fixed[i] = True
        return fixed

    def end_of_fixed(self, i, token):
        following = self.tokens[i + 1] if i + 1 < len(self.tokens) else token
        if token.angle and t.is_open(token):
            return token.match
        if token.text in COMPILED or (token.text == "if" and following.text == "constexpr"):
            opening = i + (2 if token.text == "if" else 1)
            match = self.tokens[opening].match
            return match if match else None
        if token.text in ("using", "namespace", "template", "enum", "friend"):
            return self.end_of_statement(i)
        if token.text == "case":
            return next(j for j in range(i, len(self.tokens)) if self.tokens[j].text == ":")
        if token.text == "constexpr" and self.is_variable(i):
            return self.end_of_statement(i)
        if token.text == "[" and (self.is_bound(i) or self.is_capture(i)):
            return token.match
        if self.is_left_out(i, token):
            return token.match
        return None

    def end_of_statement(self, i):
        """Up to the ; or, for a template or enum, into nothing but its head."""
        j = i
        while self.tokens[j].text != ";":
            if self.tokens[i].text == "template" and j > i and t.is_close(self.tokens[j]):
                return j
            if self.tokens[i].text == "namespace" and self.tokens[j].text == "{":
                return j
            j = self.tokens[j].match if t.is_open(self.tokens[j]) and self.tokens[i].text != "template" else j
            j += 1
        return j

    def is_variable(self, i):
        """A constexpr that is no function: = or { comes before any (."""
        while self.tokens[i].text not in ("=", "{", "(", ";"):
            i = self.tokens[i].match if self.tokens[i].angle and t.is_open(self.tokens[i]) else i
            i += 1
        return self.tokens[i].text != "("

    def is_bound(self, i):
        """int64_t sizes[3]: a name that follows a type, or another one with a bound."""
        name, kind = self.tokens[i - 1], self.tokens[i - 2]
        if kind.text == "," and self.tokens[i - 3].text == "]":
            return self.is_bound(self.tokens[i - 3].match)
        return name.kind == "name" and (
            (kind.kind == "name" and kind.text not in t.KEYWORDS - {"const", "auto"})
            or (kind.angle and t.is_close(kind))
            or (kind.text in "*&" and not kind.binds and kind.spaced_after)
        )

    def is_capture(self, i):
        following = self.tokens[self.tokens[i].match + 1]
        return self.tokens[i - 1].text in ("(", ",", "=", "return", "[") and following.text in ("(", "{", "[", "]")

    def is_left_out(self, i, token):
        if token.text != "{" or token.match is None:
            return False
        name = self.function_before(i)
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.left_out) and name != ""

    def line_of(self, token):
        return self.source[self.source.rfind("\n", 0, token.at) + 1 : self.source.find("\n", token.at)]

    # Names.

    def function_before(self, i):
        """The name of the function whose body begins with the bracket at `i`; "" where it is no function."""
        j = i - 1
        while self.tokens[j].text in ("const", "noexcept", "override"):
            j -= 1
        if self.tokens[j].text != ")":
            return ""
        name = self.tokens[self.tokens[j].match - 1]
        known = name.kind == "name" and name.text not in ("if", "for", "while", "switch", "catch", "constexpr")
        return name.text if known else ""

    def function_of(self, i):
        """The outermost function around token `i`."""
        for j, token in enumerate(self.tokens[:i]):
            if token.text == "{" and token.match is not None and j < i < token.match:
                name = self.function_before(j)
                if name:
                    return name
        return ""

    # Places.

    def add(self, token, was, ways):
        self.places.append(Place(token, was, ways))
        return self.first_place + len(self.places) - 1

    def call(self, name, place, *arguments):
        return f"::poolproof::machine::{name}<{', '.join([str(place), *arguments])}>"

    def wrap(self, begin, end, before, after=")"):
        """Text around the tokens [begin, end); of wraps with one edge in common the longer is outside."""
        width = end - begin
        self.inserts.append((self.tokens[begin].at, (1, -width, len(self.inserts)), before))
        self.inserts.append((self.tokens[end - 1].end, (0, width, len(self.inserts)), after))

    def find_places(self):
        for i, token in enumerate(self.tokens):
            if self.fixed[i]:
                continue
            if token.binds and token.text in BINARY:
                self.binary(i, token)
            elif token.binds in (1, 2):
                self.logical(i, token)
            elif token.kind == "mark" and token.text in ASSIGNMENTS and token.text != ">=":
                self.assignment(i, token)
            elif token.text in ("-", "!") and not token.spaced_after:
                self.sign(i, token)
            elif token.text in ("++", "--") and self.tokens[i - 1].text in (";", "{", "}", ")") and token.spaced:
                self.step(i, token)
            elif (
                token.kind == "number"
                or token.text in ("true", "false")
                or token.text in self.constants
                and not self.is_part(i)
            ):
                self.constant(i, token)
            elif token.text in ("min", "max") and self.tokens[i - 1].text == "::":
                self.extreme(i, token)
            if token.text in ("if", "while", "?"):
                self.condition(i, token)

    def is_part(self, i):
        """Of a longer name, or what an address is taken of."""
        before = self.tokens[i - 1]
        return before.text in ("::", ".", "->") or (before.text == "&" and not before.binds)

    def operands(self, i, binds):
        return t.left_begin(self.tokens, i - 1, binds), t.right_end(self.tokens, i + 1, binds)

    def binary(self, i, token):
        ways = BINARY[token.text]
        begin, end = self.operands(i, token.binds)
        place = self.add(token, token.text, [SIGNS[w] for w in ways[1:]])
        self.wrap(begin, end, self.call("Binary", place, *map(functor, ways)) + "(")
        self.replaced[i] = ","

    def logical(self, i, token):
        is_and = token.text == "&&"
        begin, end = self.operands(i, token.binds)
        kind = "true" if is_and else "false"
        place = self.add(token, token.text, ["||" if is_and else "&&", "left", "right"])
        left, right, short = (self.call(name, place, kind) for name in ("Left", "Right", "Short"))
        self.wrap(begin, end, f"({left}(", f") : {short}())")
        self.replaced[i] = f") ? {right}("

    def assignment(self, i, token):
        ways = ASSIGNMENTS[token.text]
        begin, end = self.operands(i, 0)
        place = self.add(token, token.text, [SIGNS[w] + ("" if w == "First" else "=") for w in ways[1:]])
        self.wrap(begin, end, self.call("Assign", place, *map(functor, ways)) + "(")
        self.replaced[i] = ","

    def sign(self, i, token):
        end = t.right_end(self.tokens, i + 1, 99)
        name = "Minus" if token.text == "-" else "Not"
        place = self.add(token, token.text, ["drop"])
        self.wrap(i, end, self.call(name, place) + "(")
        self.replaced[i] = ""

    def step(self, i, token):
        if self.in_for_head(i):
            return
        end = t.right_end(self.tokens, i + 1, 99)
        up = token.text == "++"
        place = self.add(token, token.text, ["--" if up else "++", "drop"])
        self.wrap(i, end, self.call("Step", place, "1" if up else "-1") + "(")
        self.replaced[i] = ""

    def in_for_head(self, i):
        return any(
            token.text == "(" and j < i < token.match and self.tokens[j - 1].text == "for"
            for j, token in enumerate(self.tokens)
            if token.match is not None
        )

    def constant(self, i, token):
        if token.kind == "number":
            small = re.fullmatch(r"[01](\.0)?[uUlLfF]*", token.text)
            ways = ("More", "Less") if small else ("More", "Less", "Zero")
        else:
            ways = ("Opposite",) if token.text in ("true", "false") else ("More", "Less", "Zero")
        place = self.add(token, token.text, [CONSTANTS[w] for w in ways])
        self.wrap(i, i + 1, self.call("Constant", place, *map(functor, ways)) + "(")

    def extreme(self, i, token):
        smallest = token.text == "min"
        following = self.tokens[i + 1]
        if self.tokens[i - 2].text != "std" or following.text not in ("(", "<"):
            return
        place = self.add(token, token.text, ["max" if smallest else "min"])
        call = self.call("Extreme", place, "true" if smallest else "false")
        self.replaced[i - 2] = self.replaced[i - 1] = ""
        self.replaced[i] = call[:-1] + ", " if following.text == "<" else call
        if following.text == "<":
            self.replaced[i + 1] = ""

    def condition(self, i, token):
        """Of if, while and ?, unless it is made of operators that have places of their own."""
        if token.text == "?":
            begin, end = t.left_begin(self.tokens, i - 1, 1), i
        elif self.tokens[i + 1].text == "(":
            end = self.tokens[i + 1].match
            begin = max([i + 2] + [j + 1 for j in range(i + 2, end) if self.tokens[j].text == ";"])
        else:
            return
        inside = self.tokens[begin:end]
        if any(x.text in RELATIONS and x.binds or x.text in ("&&", "||", "=", "!") for x in self.at_top(begin, end)):
            return
        if not inside or all(x.text in ("true", "false") for x in inside):
            return
        place = self.add(inside[0], "", ["!"])
        self.wrap(begin, end, self.call("Condition", place) + "(")

    def at_top(self, begin, end):
        while begin < end:
            yield self.tokens[begin]
            begin = self.tokens[begin].match + 1 if t.is_open(self.tokens[begin]) else begin + 1

    # Output.

    def copy(self):
        pieces, at = [], 0
        edits = [(where, order, where, text) for where, order, text in self.inserts]
        edits += [(self.tokens[i].at, (2,), self.tokens[i].end, text) for i, text in self.replaced.items()]
        for where, _, end, text in sorted(edits, key=lambda edit: edit[:2]):
            pieces += [self.source[at:where], text]
            at = end
        head = '#include "conformance/causes/machine/mutate.h"\n' + f'#line 1 "{self.path}"\n'
        return head + "".join(pieces) + self.source[at:]

    def rows(self):
        """Of the table: file, line, column, function, what was, code before and behind, ways."""
        for number, place in enumerate(self.places, self.first_place):
            at = place.token.at
            begin = self.source.rfind("\n", 0, at) + 1
            end = self.source.find("\n", at)
            line = self.source.count("\n", 0, at) + 1
            function = self.function_of(self.tokens.index(place.token))
            texts = [
                self.path,
                function,
                place.was,
                self.source[begin:at].lstrip(),
                self.source[at + len(place.was) : end],
                *place.ways,
            ]
            quoted = [c_string(text) for text in texts]
            yield (f"{{{number}, {line}, {at - begin + 1}, {', '.join(quoted[:5])}, {{{', '.join(quoted[5:])}}}}},\n")


def c_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def left_out_rows(path):
    """(file, function or /text/) of each line."""
    return [
        re.fullmatch(r"(\S+) +(/.*/|\S+) +.+", line).groups()
        for line in read(path).splitlines()
        if line.strip() and not line.startswith("#")
    ]


def left_out_of(path, files):
    """By file, what is left out of it."""
    out = {}
    for name, pattern in left_out_rows(path):
        for file in fnmatch.filter(files, name):
            out.setdefault(file, []).append(pattern)
    return out


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
    left_out = left_out_of(options.leave, options.files)
    sources = {path: read(path) for path in options.files}
    constants = {name for source in sources.values() for name in CONSTEXPR_NUMBER.findall(source)}
    rows, place = [], 1
    for path, source in sources.items():
        file = File(path, source, place, constants, left_out.get(path, []))
        file.find_places()
        write(os.path.join(options.out, path), file.copy())
        rows += file.rows()
        place += len(file.places)
    write(options.list, "".join(rows))


if __name__ == "__main__":
    main()
