"""ONNX Runtime: where its pooling differs from the text of ONNX, or from itself.

    python onnxruntime_pool.py

Every line is one case: what was done, what is expected, what came. Exits with 1 if one of them differs.
"""

import numpy as np
import onnxruntime
from onnx import shape_inference
from onnx_node import model
from onnxruntime.capi import onnxruntime_pybind11_state as errors
from verdict import case, end

NAN, INF = np.nan, np.inf
onnxruntime.set_default_logger_severity(4)


def pool(values, outputs=1, **attributes):
    """The values of a MaxPool of one channel."""
    values = np.array(values, np.float32)[None, None]
    whole = model("MaxPool", values, outputs, **attributes).SerializeToString()
    try:
        session = onnxruntime.InferenceSession(whole)
        return session.run(None, {"x": values})[0][0, 0].tolist()
    except (errors.Fail, errors.InvalidArgument, errors.RuntimeException) as error:
        return "error: " + " ".join(str(error).split())[-100:]


def same(name, *answers):
    """A case of answers that have to be equal."""
    good = all(repr(answer) == repr(answers[0]) for answer in answers)
    case(name, "all equal", lambda: "all equal" if good else ", ".join(map(str, answers)))


print("ONNX Runtime", onnxruntime.__version__)
same(
    "NaN at the first and at the last tap, with indices",
    pool([NAN, 1], 2, kernel_shape=[2]),
    pool([1, NAN], 2, kernel_shape=[2]),
)
same(
    "NaN at the first and at the last tap, two axes",
    pool([[NAN, 1], [1, 1]], kernel_shape=[2, 2]),
    pool([[1, 1], [1, NAN]], kernel_shape=[2, 2]),
)
for name, values, attributes in (
    ("NaN at the first tap, without and with indices", [NAN, 1], {"kernel_shape": [2]}),
    ("NaN alone, without and with indices", [NAN, NAN], {"kernel_shape": [2]}),
    ("-inf alone, without and with indices", [-INF, -INF], {"kernel_shape": [2]}),
    (
        "SAME_UPPER with strides above the kernel, without and with indices",
        [1, 5, 2],
        {"kernel_shape": [1], "strides": [3], "auto_pad": "SAME_UPPER"},
    ),
):
    same(name, *(pool(values, outputs, **attributes) for outputs in (1, 2)))
dilated = {"kernel_shape": [2], "dilations": [2]}
beyond = {"kernel_shape": [6], "strides": [2]}
case(
    "SAME_UPPER with dilation 2: ceil(3 / 1) positions",
    [5.0, 2.0, 5.0],
    lambda: pool([1, 5, 2], **dilated, auto_pad="SAME_UPPER"),
)
case("kernel 6 on 5 elements, stride 2: floor((5 - 6) / 2) + 1 positions", [], lambda: pool([1, 2, 3, 4, 5], **beyond))
inferred = shape_inference.infer_shapes(model("MaxPool", np.zeros([1, 1, 5], np.float32), **beyond)).graph.output[0]
case("the same in ONNX's shape inference", 0, lambda: inferred.type.tensor_type.shape.dim[2].dim_value)
case(
    "pad 2 beside a kernel of 2 that dilation makes 3",
    [2.0, 3.0, 2.0, 3.0],
    lambda: pool([1, 2, 3], **dilated, pads=[1, 2]),
)
end()
