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


def norm(pool, axes):
    """The shape of a norm over one element, by a window of two of which one is past the end."""
    return list(pool(torch.zeros([1] * (2 + axes)), 2, 2, ceil_mode=True).shape)


def dilated_index():
    return functional.max_pool1d(torch.zeros(1, 1, 1), 2, 1, 1, 2, return_indices=True)[1].item()


def lowest_indices(layout):
    """Of one channel of two, in a volume of two planes of two elements, all minus infinity."""
    volume = torch.full((1, 2, 2, 1, 2), -torch.inf).contiguous(memory_format=layout)
    return functional.max_pool3d(volume, 1, return_indices=True)[1][0, 0].flatten().tolist()


def bytes_shape(size, layout):
    """The shape of the maxima of a square plane of int8."""
    plane = torch.zeros((1, 2, size, size), dtype=torch.int8).contiguous(memory_format=layout)
    return list(functional.max_pool2d(plane, 2).shape)


def padded_indices(value, wrap):
    """Of one element and the padding in front of it, and of it and the padding behind it."""
    pool = wrap(lambda x: functional.max_pool2d(x, (2, 1), 1, (1, 0), return_indices=True)[1])
    return pool(torch.full((1, 1, 1, 1), value)).flatten().tolist()


print("PyTorch", torch.__version__)
for kind in (torch.float16, torch.bfloat16):
    for size in ((1, 1, 1), (2, 1, 1)):
        name = f"adaptive_avg_pool3d to {'x'.join(map(str, size))}, 8,192 ones of {kind}"
        case(name, 1.0, lambda k=kind, s=size: mean(k, s))
case("adaptive_max_pool2d, maximum at 263 of 270 of bfloat16", 263, lambda: index(torch.bfloat16))
case("avg_pool2d, kernel 2 and padding 1 on 1 element", [1, 1, 2, 2], lambda: padded(functional.avg_pool2d, 2))
case("avg_pool3d, kernel 2 and padding 1 on 1 element", [1, 1, 2, 2, 2], lambda: padded(functional.avg_pool3d, 3))
case("lp_pool2d, kernel 2 and ceil_mode on 1 element", [1, 1, 1, 1], lambda: norm(functional.lp_pool2d, 2))
case("lp_pool3d, kernel 2 and ceil_mode on 1 element", [1, 1, 1, 1, 1], lambda: norm(functional.lp_pool3d, 3))
case("max_pool1d, 1 element between the taps of a window: index inside the input", True, lambda: dilated_index() < 1)
for layout in (torch.contiguous_format, torch.channels_last_3d):
    case(f"max_pool3d of -inf alone, {layout}: indices", [0, 1, 2, 3], lambda f=layout: lowest_indices(f))
for layout in (torch.contiguous_format, torch.channels_last):
    for size in (11, 12):
        name = f"max_pool2d of int8, {size}x{size}, {layout}: shape"
        case(name, [1, 2, size // 2, size // 2], lambda s=size, f=layout: bytes_shape(s, f))
for value in (0.0, -torch.inf):
    case(f"max_pool2d of {value} and padding: indices", [0, 0], lambda v=value: padded_indices(v, lambda pool: pool))
    case(f"torch.compile, max_pool2d of {value}: indices", [0, 0], lambda v=value: padded_indices(v, torch.compile))
end()
