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
 |(?P<mark><<=|<=>|->\*|\.\.\.|::|->|\+\+|--|<<|(?<=\s)>>=?|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|.)
""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

OPEN = {"(": ")", "[": "]", "{": "}"}
KEYWORDS = set(
    "return if while for else do case throw switch new delete constexpr const auto goto template typename struct"
    " class enum static inline".split()
)
# How tightly an operator between two operands binds.
TIERS = ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >> <=>", "+ -", "* / %")
BINDS = {sign: tier for tier, signs in enumerate(TIERS, 1) for sign in signs.split()}
ENDS = {*", ; ? : = += -= *= /= %= &= |= ^= <<= >>= ...".split()}


class Token:
    def __init__(self, kind, text, at, spaced, spaced_after):
        self.kind, self.text, self.at, self.end = kind, text, at, at + len(text)
        self.spaced, self.spaced_after = spaced, spaced_after  # a blank before and behind it
        self.match = None  # index of the bracket that belongs to it
        self.opens = False
        self.angle = False  # < or > of a template
        self.binds = 0  # of an operator between two operands

    @property
    def closes(self):
        return self.match is not None and not self.opens


def tokenize(source):
    tokens = []
    for found in TOKEN.finditer(source):
        if found.lastgroup not in ("blank", "comment"):
            around = source[: found.start()][-1:].isspace(), source[found.end() : found.end() + 1].isspace()
            tokens.append(Token(found.lastgroup, found[0], found.start(), *around))
    match_brackets(tokens)
    for i, token in enumerate(tokens):
        between = token.spaced and token.spaced_after and 0 < i < len(tokens) - 1
        if token.kind == "mark" and between and token.match is None and tokens[i - 1].text != "operator":
            token.binds = BINDS.get(token.text, 0)
    return tokens


def match_brackets(tokens):
    stack = []
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else token
        after_name = before.text == "template" or (before.kind == "name" and not token.spaced)
        token.angle = token.text == "<" and not token.spaced_after and after_name
        if token.text in OPEN or token.angle:
            stack.append(i)
            continue
        token.angle = token.text == ">" and bool(stack) and tokens[stack[-1]].angle and not token.spaced
        if token.text in OPEN.values() or token.angle:
            opening = tokens[stack[-1]] if stack else token
            if not token.angle and OPEN.get(opening.text) != token.text:
                raise ValueError(f'no bracket fits "{token.text}" at {token.at}')
            opening.match, token.match, opening.opens = i, stack.pop(), True
    if stack:
        raise ValueError(f"bracket at {tokens[stack[-1]].at} is not closed")


def right_end(tokens, i, binds):
    """One past the operand that begins at `i`, of an operator that binds so (0: an assignment): up to one that
    binds no tighter."""
    while i < len(tokens):
        token = tokens[i]
        choice = binds == 0 and token.text in "?:"
        if token.closes or (token.text in ENDS and not choice) or 0 < token.binds <= binds:
            break
        i = token.match + 1 if token.opens else i + 1
    return i


def left_begin(tokens, i, binds):
    """The first token of the operand that ends at `i`: up to an operator that binds less, or to where two
    operands would stand side by side."""
    begin = None
    while i >= 0:
        token = tokens[i]
        stops = token.opens or token.text in ENDS or token.text in KEYWORDS or 0 < token.binds < binds
        ends_operand = token.kind != "mark" or token.closes
        if stops or (begin is not None and ends_operand and starts_operand(tokens[begin])):
            break
        begin = token.match if token.closes else i
        i = begin - 1
    return begin


def starts_operand(token):
    """Whether nothing that belongs to the same operand can stand before it but an operator."""
    if token.text in ("++", "--"):
        return token.spaced
    return token.kind != "mark" or (token.text in "-!*&~" and not token.binds)
