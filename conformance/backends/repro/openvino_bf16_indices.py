"""OpenVINO: MaxPool-8 with indices, for every element type of the document, on the CPU.

Exits with 1 if one of them does not compile.
"""

import sys

import openvino
from openvino import opset8

failed = []
for kind in ("f64", "f32", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"):
    data = opset8.parameter([1, 1, 3, 3], getattr(openvino.Type, kind))
    pool = opset8.max_pool(data, [1, 1], [1, 1], [0, 0], [0, 0], [2, 2])
    model = openvino.Model([pool.output(0), pool.output(1)], [data], "m")
    try:
        openvino.Core().compile_model(model, "CPU")
        print(kind, "compiles")
    except RuntimeError as error:
        failed.append(kind)
        print(kind, "does not compile:", " ".join(str(error).split())[-200:])
sys.exit(1 if failed else 0)
