"""ONNX reference evaluator: pooling nodes that it computes wrongly or not at all.

Expected values follow from ONNX's own text: SAME gives ceil(size / stride) positions. Exits with 1
if one still differs.
"""

import sys

import numpy as np
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

NUMPY = {TensorProto.FLOAT: np.float32, TensorProto.INT8: np.int8}


def pool(op, values, kind=TensorProto.FLOAT, **attributes):
    graph = helper.make_graph(
        [helper.make_node(op, ["x"], ["y"], **attributes)], "g",
        [helper.make_tensor_value_info("x", kind, None)],
        [helper.make_tensor_value_info("y", kind, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
    try:
        return ReferenceEvaluator(model).run(None, {"x": np.array(values, NUMPY[kind])})[0].tolist()
    except Exception as error:  # whatever NumPy says
        return f"{type(error).__name__}: {error}"


CASES = (
    ("stride above the input, same_lower", [[[3]]],
     pool("MaxPool", [[[3]]], kernel_shape=[1], strides=[2], auto_pad="SAME_LOWER")),
    ("mean, same_lower, stride 2, kernel 1", [[[1, 3, 5]]],
     pool("AveragePool", [[[1, 2, 3, 4, 5, 6]]], kernel_shape=[1], strides=[2],
          auto_pad="SAME_LOWER")),
    ("i8, padding 1", [[[1, 2, 2]]],
     pool("MaxPool", [[[1, 2]]], TensorProto.INT8, kernel_shape=[2], pads=[1, 1])),
)
failed = False
for name, expected, got in CASES:
    failed |= got != expected
    print(f"{name}: expected {expected}, got {got}")
sys.exit(1 if failed else 0)
