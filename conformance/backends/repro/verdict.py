"""What the reproductions in Python share: a line for each case, and the exit code."""

import sys

differs = []


def case(name, expected, compute, equal=lambda expected, got: repr(expected) == repr(got), errors=(RuntimeError,)):
    """Prints whether what `compute()` returns is `expected`. An error is printed as what came."""
    try:
        got = compute()
    except errors as error:
        got = f"error: {' '.join(str(error).split())[-90:]}"
    good = equal(expected, got)
    if not good:
        differs.append(name)
    print(f"{'agrees' if good else 'differs'}: {name}: expected {expected}, got {got}")


def end():
    """Exits with 1 if one of the cases differs."""
    sys.exit(1 if differs else 0)
