"""OpenVINO: AdaptiveMaxPool-8 with index_element_type i64, its documented default, on the CPU.

It does not compile; with i32 it does. Exits with 1 where OpenVINO differs from the document.
"""

import sys

import numpy as np
import openvino
from openvino import opset8


def indices(index_type):
    data = opset8.parameter([1, 2, 4], np.float32)
    pool = opset8.adaptive_max_pool(data, opset8.constant(np.array([2], np.int64)), index_type)
    model = openvino.Model([pool.output(0), pool.output(1)], [data], "m")
    source = np.arange(8, dtype=np.float32).reshape(1, 2, 4)
    return list(openvino.Core().compile_model(model, "CPU")([source]).values())[1].tolist()


failed = False
for index_type in ("i32", "i64"):
    try:
        print(index_type, indices(index_type))
    except RuntimeError as error:
        failed = True
        print(index_type, "does not compile:", str(error).strip().splitlines()[-1])
sys.exit(1 if failed else 0)
