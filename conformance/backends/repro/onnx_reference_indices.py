"""ONNX reference evaluator: the indices of a MaxPool with padding, against ONNX Runtime.

Exits with 1 where the two differ. Input and expected indices are example 1 of MaxPool-8.
"""

import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

node = helper.make_node("MaxPool", ["x"], ["y", "i"], kernel_shape=[2, 2], strides=[1, 1],
                        pads=[1, 1, 1, 1])
graph = helper.make_graph(
    [node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 3, 3])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, None),
     helper.make_tensor_value_info("i", TensorProto.INT64, None)])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
source = {"x": np.array([[[[-1, 2, 3], [4, 5, -6], [-7, 8, 9]]]], np.float32)}
runtime = onnxruntime.InferenceSession(model.SerializeToString()).run(None, source)
evaluated = ReferenceEvaluator(model).run(None, source)
print("values equal:", (runtime[0] == evaluated[0]).all())
print("ONNX Runtime:", runtime[1].ravel().tolist())
print("evaluator:   ", evaluated[1].ravel().tolist())
sys.exit(0 if (runtime[1] == evaluated[1]).all() else 1)
