#!/usr/bin/env python3
"""Makes the manual page poolproof(1) of docs/commands.md, which a test compares with --help.

    scripts/package/manual.py VERSION docs/commands.md poolproof.1

It knows as much of Markdown as that page uses: headings, paragraphs, tables, and blocks of code.
"""

import pathlib
import re
import sys

HEAD = r""".TH POOLPROOF 1 "" "poolproof {version}" "User Commands"
.SH NAME
poolproof \- decide whether a neural-network library pools correctly
.SH SYNOPSIS
.B poolproof
.B \-\-backend=\fIFILE\fR
[\fIOPTION\fR...]
.br
.B poolproof
\fICOMMAND\fR
[\fIOPTION\fR...]
.SH DESCRIPTION
"""
IN_A_BUILD = "build/bin/conformance"


def escaped(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def inline(text):
    """A line of prose: code in bold, of links what they say."""
    text = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text.replace(r"\|", "|").replace(IN_A_BUILD, "poolproof"))
    pieces = re.split(r"`(.*?)`", re.sub(r"`conformance\b", "`poolproof", text))
    return "".join(rf"\fB{escaped(piece)}\fR" if i % 2 else escaped(piece) for i, piece in enumerate(pieces))


def heading(line):
    marks, title = line.split(" ", 1)
    return f".SH {title.upper()}" if marks == "##" else f".SS {inline(title.replace('conformance', 'poolproof'))}"


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def table(lines):
    """One entry per row: the first cell, below it the others."""
    rows = [cells(line) for line in lines[2:]]
    return [part for first, *rest in rows for part in (".TP", inline(first), inline("; ".join(filter(None, rest))))]


def code(lines):
    return [
        ".PP",
        ".RS 4",
        ".nf",
        *(escaped(line.replace(IN_A_BUILD, "poolproof")) for line in lines[1:-1]),
        ".fi",
        ".RE",
    ]


def blocks(text):
    """Pieces of the page: a block of code, a table, a heading, or a paragraph."""
    return re.findall(
        r"^```.*?^```$|^\|.*?(?=\n\n|\n?\Z)|^#[^\n]*$|^[^\n`|#].*?(?=\n\n|\n?\Z)", text, re.DOTALL | re.MULTILINE
    )


def page(version, text):
    lines = [HEAD.format(version=version).rstrip()]
    for block in blocks(text.split("\n", 1)[1]):
        own = block.splitlines()
        if block.startswith("```"):
            lines += code(own)
        elif block.startswith("|"):
            lines += table(own)
        elif block.startswith("#"):
            lines.append(heading(block))
        else:
            lines += [".PP", inline(block)]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 4:
        sys.exit("manual.py: three arguments are needed: VERSION docs/commands.md poolproof.1")
    version, source, target = sys.argv[1:]
    pathlib.Path(target).write_text(page(version, pathlib.Path(source).read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
