"""C++ sources as tokens, with what the spacing of the house style tells: an operator between two operands
has blanks on both sides; angle brackets of templates, pointers, references and signs do not."""

import re

TOKEN = re.compile(
    r"""
  (?P<comment>//[^\n]*|/\*.*?\*/)
 |(?P<directive>^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)
 |(?P<string>(?:u8|[uUL])?(?:R"(?P<delimiter>[^(\s]*)\(.*?\)(?P=delimiter)"|"(?:[^"\\\n]|\\.)*")|'(?:[^'\\\n]|\\.)*')
 |(?P<number>0[xX][0-9a-fA-F.']+(?:[pP][+-]?\d+)?[fFlLuUzZ]*|\.?\d(?:[eE][+-]\d|[\w.'])*)
 |(?P<name>[A-Za-z_]\w*)
 |(?P<blank>\s)
 |(?P<mark><<=|<=>|->\*|\.\.\.|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|.)
""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

OPEN = {"(": ")", "[": "]", "{": "}"}
KEYWORDS = {
    "return",
    "if",
    "while",
    "for",
    "else",
    "do",
    "case",
    "throw",
    "switch",
    "new",
    "delete",
    "constexpr",
    "const",
    "auto",
    "goto",
    "template",
    "typename",
    "struct",
    "class",
    "enum",
    "static",
    "inline",
}
# How tightly an operator between two operands binds.
BINDS = {
    "*": 10,
    "/": 10,
    "%": 10,
    "+": 9,
    "-": 9,
    "<<": 8,
    ">>": 8,
    "<=>": 8,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "==": 6,
    "!=": 6,
    "&": 5,
    "^": 4,
    "|": 3,
    "&&": 2,
    "||": 1,
}
ENDS = {",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "..."}


class Token:
    def __init__(self, kind, text, at, spaced):
        self.kind, self.text, self.at = kind, text, at
        self.spaced = spaced  # blank before it
        self.spaced_after = True
        self.match = None  # index of the bracket that belongs to it
        self.angle = False  # < or > of a template
        self.binds = 0  # of an operator between two operands

    @property
    def end(self):
        return self.at + len(self.text)


def raw(source):
    tokens, last = [], 0
    for found in TOKEN.finditer(source):
        kind = found.lastgroup if found.lastgroup != "delimiter" else "string"
        if kind in ("blank", "comment"):
            continue
        text, at = found.group(), found.start()
        tokens.append(Token(kind, text, at, at != last))
        last = found.end()
    return joined(tokens)


def joined(tokens):
    """>> and >>= are one token only where they stand apart."""
    out = []
    for token in tokens:
        before = out[-1] if out else None
        shift = before and before.text == ">" and before.spaced and token.text in (">", ">=") and not token.spaced
        if shift:
            before.text += token.text
        else:
            out.append(token)
    for here, following in zip(out, out[1:]):
        here.spaced_after = following.spaced
    return out


def match_brackets(tokens):
    stack = []
    for i, token in enumerate(tokens):
        if token.kind != "mark":
            continue
        opens_template = (
            token.text == "<"
            and i > 0
            and not token.spaced_after
            and (tokens[i - 1].text == "template" or (tokens[i - 1].kind == "name" and not token.spaced))
        )
        if token.text in OPEN or opens_template:
            token.angle = opens_template
            stack.append(i)
        elif token.text == ">" and stack and tokens[stack[-1]].angle and not token.spaced:
            token.angle = True
            pair(tokens, stack.pop(), i)
        elif token.text in OPEN.values():
            opening = stack.pop()
            if OPEN.get(tokens[opening].text) != token.text:
                raise ValueError(f'no bracket fits "{token.text}" at {token.at}')
            pair(tokens, opening, i)
    if stack:
        raise ValueError(f"bracket at {tokens[stack[-1]].at} is not closed")


def pair(tokens, opening, closing):
    tokens[opening].match, tokens[closing].match = closing, opening


def tokenize(source):
    tokens = raw(source)
    match_brackets(tokens)
    for i, token in enumerate(tokens):
        between = token.spaced and token.spaced_after and 0 < i < len(tokens) - 1
        if token.kind == "mark" and between and token.match is None and tokens[i - 1].text != "operator":
            token.binds = BINDS.get(token.text, 0)
    return tokens


def is_open(token):
    return token.match is not None and (token.text in OPEN or (token.angle and token.text == "<"))


def is_close(token):
    return token.match is not None and not is_open(token)


def right_end(tokens, i, binds):
    """One past the operand that begins at `i`, of an operator that binds so (0: an assignment): up to one that
    binds no tighter."""
    while i < len(tokens):
        token = tokens[i]
        choice = binds == 0 and token.text in "?:"
        if is_close(token) or (token.text in ENDS and not choice) or 0 < token.binds <= binds:
            return i
        i = token.match + 1 if is_open(token) else i + 1
    return i


def left_begin(tokens, i, binds):
    """The first token of the operand that ends at `i`: up to an operator that binds less, or to where two
    operands would stand side by side."""
    begin = None
    while i >= 0:
        token = tokens[i]
        ends_operand = token.kind != "mark" or is_close(token)
        if (
            is_open(token)
            or token.text in ENDS
            or token.text in KEYWORDS
            or 0 < token.binds < binds
            or (begin is not None and ends_operand and starts_operand(tokens[begin]))
        ):
            break
        begin = token.match if is_close(token) else i
        i = begin - 1
    return begin


def starts_operand(token):
    """Whether nothing that belongs to the same operand can stand before it but an operator."""
    if token.text in ("++", "--"):
        return token.spaced
    return token.kind != "mark" or (token.text in "-!*&~" and not token.binds)
