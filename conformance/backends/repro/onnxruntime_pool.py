"""ONNX Runtime: where its pooling differs from the text of ONNX, or from itself.

    python onnxruntime_pool.py

Every line is one case: what was done, what is expected, what came. Exits with 1 if one of them differs.
"""

import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, shape_inference
from onnxruntime.capi import onnxruntime_pybind11_state as errors

NAN, INF = np.nan, np.inf
shown = []
onnxruntime.set_default_logger_severity(4)


def model(shape, outputs=1, **attributes):
    names, types = ["y", "i"][:outputs], [TensorProto.FLOAT, TensorProto.INT64]
    graph = helper.make_graph(
        [helper.make_node("MaxPool", ["x"], names, **attributes)],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(n, t, None) for n, t in zip(names, types)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)


def pool(values, outputs=1, **attributes):
    """The values of a MaxPool of one channel."""
    values = np.array(values, np.float32)[None, None]
    whole = model(values.shape, outputs, **attributes).SerializeToString()
    try:
        session = onnxruntime.InferenceSession(whole)
        return session.run(None, {"x": values})[0][0, 0].tolist()
    except (errors.Fail, errors.InvalidArgument, errors.RuntimeException) as error:
        return "error: " + " ".join(str(error).split())[-100:]


def case(name, expected, *got):
    """`got` are answers that have to be equal, to `expected` where that is not None."""
    good = all(repr(one) == repr(got[0] if expected is None else expected) for one in got)
    if not good:
        shown.append(name)
    print(
        f"{'agrees' if good else 'differs'}: {name}: expected "
        f"{'all equal' if expected is None else expected}, got {', '.join(map(str, got))}"
    )


print("ONNX Runtime", onnxruntime.__version__)
case(
    "NaN at the first and at the last tap, with indices",
    None,
    pool([NAN, 1], 2, kernel_shape=[2]),
    pool([1, NAN], 2, kernel_shape=[2]),
)
case(
    "NaN at the first and at the last tap, two axes",
    None,
    pool([[NAN, 1], [1, 1]], kernel_shape=[2, 2]),
    pool([[1, 1], [1, NAN]], kernel_shape=[2, 2]),
)
case(
    "NaN at the first tap, without and with indices",
    None,
    pool([NAN, 1], kernel_shape=[2]),
    pool([NAN, 1], 2, kernel_shape=[2]),
)
case(
    "NaN alone, without and with indices",
    None,
    pool([NAN, NAN], kernel_shape=[2]),
    pool([NAN, NAN], 2, kernel_shape=[2]),
)
case(
    "-inf alone, without and with indices",
    None,
    pool([-INF, -INF], kernel_shape=[2]),
    pool([-INF, -INF], 2, kernel_shape=[2]),
)
case(
    "SAME_UPPER with dilation 2: ceil(3 / 1) positions",
    [5.0, 2.0, 5.0],
    pool([1, 5, 2], kernel_shape=[2], dilations=[2], auto_pad="SAME_UPPER"),
)
case(
    "kernel 6 on 5 elements, stride 2: floor((5 - 6) / 2) + 1 positions",
    [],
    pool([1, 2, 3, 4, 5], kernel_shape=[6], strides=[2]),
)
case(
    "the same in ONNX's shape inference",
    0,
    shape_inference.infer_shapes(model([1, 1, 5], kernel_shape=[6], strides=[2]))
    .graph.output[0]
    .type.tensor_type.shape.dim[2]
    .dim_value,
)
case(
    "pad 2 beside a kernel of 2 that dilation makes 3",
    [2.0, 3.0, 2.0, 3.0],
    pool([1, 2, 3], kernel_shape=[2], dilations=[2], pads=[1, 2]),
)
case(
    "SAME_UPPER with strides above the kernel, without and with indices",
    None,
    *(pool([1, 5, 2], outputs, kernel_shape=[1], strides=[3], auto_pad="SAME_UPPER") for outputs in (1, 2)),
)
sys.exit(1 if shown else 0)
