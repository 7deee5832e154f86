"""ONNX Runtime: four MaxPool models whose answers differ from the documents, or from each other.

Exits with 1 if one of them still does.
"""

import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

onnxruntime.set_default_logger_severity(4)


def pool(values, outputs=1, **attributes):
    names = ["y", "i"][:outputs]
    types = [TensorProto.FLOAT, TensorProto.INT64]
    graph = helper.make_graph(
        [helper.make_node("MaxPool", ["x"], names, **attributes)], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, list(values.shape))],
        [helper.make_tensor_value_info(n, t, None) for n, t in zip(names, types)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString())
        return session.run(None, {"x": values})[0]
    except Exception as error:  # one class per status, none of them public
        return " ".join(str(error).split())[:160]


row = np.array([[[1, 5, 2]]], np.float32)
failed = []


def check(name, got, good):
    print(f"{name}: {got.tolist() if isinstance(got, np.ndarray) else got}")
    if not good:
        failed.append(name)


nan = np.array([[[np.nan, 1, 2, 3, np.nan, 4, 5]]], np.float32)
plain, indexed = pool(nan, 1, kernel_shape=[3]), pool(nan, 2, kernel_shape=[3])
check("NaN, values only", plain, True)
check("NaN, with indices", indexed, np.array_equal(plain, indexed, equal_nan=True))

same = pool(row, 1, kernel_shape=[2], dilations=[2], auto_pad="SAME_UPPER")
check("SAME_UPPER with dilation 2 keeps the size 3", same, getattr(same, "shape", 0) == (1, 1, 3))

large = pool(np.ones((1, 1, 1, 5), np.float32), 1, kernel_shape=[1, 6])
check("a kernel of 6 on 5 elements is an error", large, isinstance(large, str))

pads = pool(row, 1, kernel_shape=[1], pads=[0, 1])
check("a pad as large as the kernel is no error", pads, not isinstance(pads, str))
sys.exit(1 if failed else 0)
