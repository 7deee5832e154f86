"""OpenCV's dnn module: where its pooling of ONNX models differs from the text of ONNX.

    python opencv_pool.py

Every line is one case: what was done, what is expected, what came. Exits with 1 if one of them differs. What ends the
process is done in one of its own.
"""

import subprocess
import sys

import cv2
import numpy as np
from onnx_node import model
from verdict import case, end

INF = np.inf
ENDS = {
    "3x3 taps of dilation 2 on 5x5": {"kernel_shape": [3, 3], "dilations": [2, 2]},
    "3x3 taps of dilation 3 on 5x5": {"kernel_shape": [3, 3], "dilations": [3, 3]},
    "strides of 0": {"kernel_shape": [1, 1], "strides": [1, 0]},
}


def pool(values, outputs=1, op="MaxPool", **attributes):
    """The outputs of a node of one channel; `values` are a batch of rows, or of planes."""
    values = np.array(values, np.float32)
    values = values[:, None, None] if values.ndim == 2 else values[:, None]
    whole = model(op, values, outputs, **attributes).SerializeToString()
    try:
        net = cv2.dnn.readNetFromONNX(np.frombuffer(whole, np.uint8))
        net.setInput(values, "x")
        return [np.array(each)[:, 0, 0].tolist() for each in net.forward(net.getUnconnectedOutLayersNames())]
    except cv2.error:
        return "refused"


def ending(name):
    """How a process ends that pools ones."""
    done = subprocess.run([sys.executable, __file__, name], check=False, capture_output=True)
    return "an answer" if done.returncode == 0 else "the end of the process"


def check(name, expected, got):
    case(name, expected, lambda: got)


if len(sys.argv) > 1:
    pool(np.ones((1, 5, 5)), **ENDS[sys.argv[1]])
    sys.exit(0)
print("OpenCV", cv2.__version__)
row = {"kernel_shape": [1, 2]}
check("SAME_UPPER, kernel 2", [[[2.0, 3.0, 3.0]]], pool([[1, 2, 3]], auto_pad="SAME_UPPER", **row))
check("SAME_LOWER, kernel 2", [[[1.0, 2.0, 3.0]]], pool([[1, 2, 3]], auto_pad="SAME_LOWER", **row))
wide = {"kernel_shape": [1, 4], "strides": [1, 3]}
check("pads 0 and 1, kernel 4, stride 3", [[[4.0, 6.0]]], pool([[1, 2, 3, 4, 5, 6]], pads=[0, 0, 0, 1], **wide))
check("SAME_UPPER, kernel 4, stride 3", [[[4.0, 6.0]]], pool([[1, 2, 3, 4, 5, 6]], auto_pad="SAME_UPPER", **wide))
check("-5 alone, with indices", [[[-5.0]], [[0]]], pool([[-5, -5]], 2, **row))
check("-inf alone, with indices", [[[-INF]], [[0]]], pool([[-INF, -INF]], 2, **row))
check("indices, batch of 2", [[[2.0], [4.0]], [[1], [3]]], pool([[1, 2], [3, 4]], 2, **row))
tall = [[[0, 1], [2, 3], [4, 5]]]
check("storage_order 0 of 3x2", [[0, 1]], pool(tall, 2, kernel_shape=[1, 1])[1])
check("storage_order 1 of 3x2", [[0, 3]], pool(tall, 2, kernel_shape=[1, 1], storage_order=1)[1])
one = {"kernel_shape": [1, 1], "strides": [1, 2]}
check("stride 2 on 2 elements", [[[1.0]]], pool([[1, 2]], **one))
check("maximum, stride 2 on 2 elements, ceil_mode", [[[1.0]]], pool([[1, 2]], ceil_mode=1, **one))
check("mean, stride 2 on 2 elements, ceil_mode", [[[1.0]]], pool([[1, 2]], op="AveragePool", ceil_mode=1, **one))
check("kernel 5 on 5 elements", [[[5.0]]], pool([[1, 2, 3, 4, 5]], kernel_shape=[1, 5]))
check("kernel 6 on 5 elements, stride 2", "refused", pool([[1, 2, 3, 4, 5]], kernel_shape=[1, 6], strides=[1, 2]))
check("auto_pad of no known word", "refused", pool([[1, 2]], auto_pad="val", **row))
for name in ENDS:
    check(name, "an answer", ending(name))
end()
