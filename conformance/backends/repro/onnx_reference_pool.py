"""ONNX reference evaluator: pooling nodes that it computes wrongly or not at all.

    python onnx_reference_pool.py

Every line is one case: what was done, what the text of ONNX asks for, what came. Exits with 1 if one
of them differs.

The evaluator has two ways to compute a MaxPool. Where all strides and dilations are 1, explicit pads
are read as [top, bottom, left, right], padding is marked by NaN, and taps are turned to indices by the
shape of the output; else pads and indices are right, but not the sizes under auto_pad.
"""

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from onnx_node import model
from verdict import case, end

NAN = np.nan
SIGNED = [[-1, 2, 3], [4, 5, -6], [-7, 8, 9]]


def pool(values, kind=np.float32, output=0, op="MaxPool", **attributes):
    """One output of a node of one channel. Lists of three levels are channels."""
    values = np.array(values, kind)
    values = values[None] if values.ndim == 3 else values[None, None]
    try:
        return (
            ReferenceEvaluator(model(op, values, output + 1, **attributes)).run(None, {"x": values})[output][0].tolist()
        )
    except (IndexError, RuntimeError, ValueError) as error:  # what NumPy says
        return f"{type(error).__name__}: {error}"[:90]


def check(name, expected, got):
    case(name, expected, lambda: got)


print("onnx", onnx.__version__)
check("pads [0, 0, 1, 1]", [[[3.0]]], pool([[3]], kernel_shape=[2, 2], pads=[0, 0, 1, 1]))
check("one axis, pads [1, 1]", [[3.0, 5.0, 5.0]], pool([3, 5], kernel_shape=[2], pads=[1, 1]))
check("i8, pads [1, 1, 1, 1]", [[[1, 1], [1, 1]]], pool([[1]], np.int8, kernel_shape=[2, 2], pads=[1, 1, 1, 1]))
check("indices, kernel 1x2 on 0 and 1", [[[1]]], pool([[0, 1]], output=1, kernel_shape=[1, 2]))
check(
    "indices, pads [1, 1, 1, 1]",
    [[[0, 1, 2, 2], [3, 4, 4, 2], [3, 7, 8, 8], [6, 7, 8, 8]]],
    pool(SIGNED, output=1, kernel_shape=[2, 2], pads=[1, 1, 1, 1]),
)
check("indices, two channels", [[[0]], [[1]]], pool([[[5]], [[5]]], output=1, kernel_shape=[1, 1]))
check("one axis, SAME_UPPER", [[1.0, 2.0]], pool([1, 2], kernel_shape=[1], auto_pad="SAME_UPPER"))
check(
    "stride 2, SAME_LOWER: ceil(3 / 2) positions",
    [[1.0, 5.0]],
    pool([1, 2, 5], kernel_shape=[1], strides=[2], auto_pad="SAME_LOWER"),
)
check(
    "stride 2, SAME_LOWER: the odd pad comes first",
    [[2.0, 5.0]],
    pool([1, 2, 5, 4], kernel_shape=[3], strides=[2], auto_pad="SAME_LOWER"),
)
check(
    "stride 2, VALID, ceil_mode: ceil((5 - 2) / 2) + 1 positions",
    [[2.0, 4.0, 5.0]],
    pool([1, 2, 3, 4, 5], kernel_shape=[2], strides=[2], auto_pad="VALID", ceil_mode=1),
)
check("NaN alone", [[NAN]], pool([NAN, NAN], kernel_shape=[2]))
first, last = (pool(values, kernel_shape=[2], strides=[2]) for values in ([NAN, 1], [1, NAN]))
check("stride 2, NaN first and last", "equal", "equal" if repr(first) == repr(last) else "NaN first only")
check("mean of NaN and 1", [[NAN]], pool([NAN, 1], op="AveragePool", kernel_shape=[2]))
check("norm of NaN and 1", [[NAN]], pool([NAN, 1], op="LpPool", kernel_shape=[2]))
check("maximum of a channel, one axis", [[2.0]], pool([1, 2], op="GlobalMaxPool"))
check("maximum of a channel, two axes", [[[2.0]]], pool([[1, 2]], op="GlobalMaxPool"))
dilated = {"op": "AveragePool", "kernel_shape": [3], "dilations": [2]}
check("mean, dilation 2", [[3.0]], pool([1, 2, 3, 4, 5], **dilated))
check("mean, dilation 2, VALID", [[3.0]], pool([1, 2, 3, 4, 5], auto_pad="VALID", **dilated))
check(
    "mean, dilation 2, SAME_UPPER", [[2.0, 3.0, 3.0, 3.0, 4.0]], pool([1, 2, 3, 4, 5], auto_pad="SAME_UPPER", **dilated)
)
check(
    "mean, stride 3, ceil_mode: windows of 1..3 and of 4",
    [[2.0, 4.0]],
    pool([1, 2, 3, 4], op="AveragePool", kernel_shape=[3], strides=[3], ceil_mode=1),
)
check(
    "mean, SAME_LOWER with strides above the kernel",
    [[1.0, 3.0, 5.0]],
    pool([1, 2, 3, 4, 5, 6], op="AveragePool", kernel_shape=[1], strides=[2], auto_pad="SAME_LOWER"),
)
end()
