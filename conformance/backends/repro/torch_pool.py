"""PyTorch: where its pooling differs from its own documents, or from itself, on the CPU.

    python torch_pool.py

Every line is one case: what was done, what is expected, what came. Exits with 1 if one of them differs.
"""

import torch
from torch.nn import functional
from verdict import case, end


def mean(kind, size):
    """The first of the adaptive means of ones, 4,096 in each of two planes."""
    ones = torch.ones((1, 1, 2, 64, 64), dtype=kind)
    return functional.adaptive_avg_pool3d(ones, size).flatten()[0].item()


def index(kind):
    plane = torch.zeros(1, 1, 10, 27)
    plane[0, 0, 9, 20] = 1
    return functional.adaptive_max_pool2d(plane.to(kind), 1, return_indices=True)[1].item()


def padded(pool, axes):
    """The shape of a mean over one element."""
    return list(pool(torch.zeros([1] * (2 + axes)), 2, 1, 1).shape)


def dilated_index():
    return functional.max_pool1d(torch.zeros(1, 1, 1), 2, 1, 1, 2, return_indices=True)[1].item()


print("PyTorch", torch.__version__)
for kind in (torch.float16, torch.bfloat16):
    for size in ((1, 1, 1), (2, 1, 1)):
        name = f"adaptive_avg_pool3d to {'x'.join(map(str, size))}, 8,192 ones of {kind}"
        case(name, 1.0, lambda k=kind, s=size: mean(k, s))
case("adaptive_max_pool2d, maximum at 263 of 270 of bfloat16", 263, lambda: index(torch.bfloat16))
case("avg_pool2d, kernel 2 and padding 1 on 1 element", [1, 1, 2, 2], lambda: padded(functional.avg_pool2d, 2))
case("avg_pool3d, kernel 2 and padding 1 on 1 element", [1, 1, 2, 2, 2], lambda: padded(functional.avg_pool3d, 3))
case("max_pool1d, 1 element between the taps of a window: index inside the input", True, lambda: dilated_index() < 1)
end()
