"""OpenVINO: pooling in f64, i64, u32 and u64 on the CPU, which carries them as f32 and i32.

A window of one element has that element as its maximum and its mean. Exits with 1 if one has not.
"""

import sys

import numpy as np
import openvino
from openvino import opset1

failed = False
for kind, value in (("f64", 1e300), ("i64", -2**32), ("u32", 3809749232), ("u64", 2**63)):
    for make in (opset1.max_pool, opset1.avg_pool):
        data = opset1.parameter([1, 1, 1], getattr(openvino.Type, kind))
        more = [True] if make is opset1.avg_pool else []
        model = openvino.Model([make(data, [1], [0], [0], [1], *more)], [data], "m")
        source = np.full((1, 1, 1), value, getattr(openvino.Type, kind).to_dtype())
        try:
            got = list(openvino.Core().compile_model(model, "CPU")([source]).values())[0].item()
        except RuntimeError as error:
            got = " ".join(str(error).split())[-100:]
        failed |= got != value
        print(f"{make.__name__} {kind} of {{{value}}}: {got}")
sys.exit(1 if failed else 0)
