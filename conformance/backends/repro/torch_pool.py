"""PyTorch: where its pooling differs from its own documents, or from itself, on the CPU.

    python torch_pool.py

Every line is one case: what was done, what is expected, what came. Exits with 1 if one of them differs.
"""

import sys

import torch
from torch.nn import functional

shown = []


def case(name, expected, compute):
    try:
        got = compute()
    except RuntimeError as error:
        got = "error: " + str(error)
    if got != expected:
        shown.append(name)
    print(f"{'agrees' if got == expected else 'differs'}: {name}: expected {expected}, got {got}")


def mean(kind, size):
    """The first of the adaptive means of ones, 4,096 in each of two planes."""
    ones = torch.ones((1, 1, 2, 64, 64), dtype=kind)
    return functional.adaptive_avg_pool3d(ones, size).flatten()[0].item()


def index(kind):
    plane = torch.zeros(1, 1, 10, 27)
    plane[0, 0, 9, 20] = 1
    return functional.adaptive_max_pool2d(plane.to(kind), 1, return_indices=True)[1].item()


print("PyTorch", torch.__version__)
for kind in (torch.float16, torch.bfloat16):
    case(f"adaptive_avg_pool3d to 1x1x1, 8,192 ones of {kind}", 1, lambda k=kind: mean(k, (1, 1, 1)))
    case(f"adaptive_avg_pool3d to 2x1x1, 8,192 ones of {kind}", 1, lambda k=kind: mean(k, (2, 1, 1)))
case("adaptive_max_pool2d, maximum at 263 of 270 of bfloat16", 263, lambda: index(torch.bfloat16))
case(
    "avg_pool2d, kernel 2 and padding 1 on 1 element",
    [1, 1, 2, 2],
    lambda: list(functional.avg_pool2d(torch.zeros(1, 1, 1, 1), 2, 1, 1).shape),
)
case(
    "avg_pool3d, kernel 2 and padding 1 on 1 element",
    [1, 1, 2, 2, 2],
    lambda: list(functional.avg_pool3d(torch.zeros(1, 1, 1, 1, 1), 2, 1, 1).shape),
)
case(
    "max_pool1d, 1 element between the taps of a window: index inside the input",
    True,
    lambda: functional.max_pool1d(torch.zeros(1, 1, 1), 2, 1, 1, 2, return_indices=True)[1].item() < 1,
)
sys.exit(1 if shown else 0)
