"""OpenVINO's reader of ONNX models: where pooling on the CPU differs from the text of ONNX.

    python openvino_onnx_pool.py

Every line is one case: what was done, what is expected, what came. Exits with 1 if one of them differs. What ends the
process is done in one of its own.
"""

import io
import os
import subprocess
import sys

import numpy as np
from onnx_node import model
from verdict import case, end

os.environ["CI"] = "true"  # or it writes of its use

import openvino

CORE = openvino.Core()


def pool(values, outputs=1, op="MaxPool", **attributes):
    """The outputs of a node of one channel."""
    values = np.array(values, np.float32)[None, None]
    whole = io.BytesIO(model(op, values, outputs, **attributes).SerializeToString())
    try:
        return [each[0, 0].tolist() for each in CORE.compile_model(CORE.read_model(whole), "CPU")(values).values()]
    except RuntimeError:
        return "refused"


def accepted(got):
    return got if got == "refused" else "an answer"


def check(name, expected, got):
    case(name, expected, lambda: got)


def norm_of_channels(count):
    values = np.ones((1, count, 1, 1), np.float32)
    CORE.compile_model(CORE.read_model(io.BytesIO(model("GlobalLpPool", values).SerializeToString())), "CPU")(values)


if len(sys.argv) > 1:
    norm_of_channels(int(sys.argv[1]))
    sys.exit(0)
print("OpenVINO", openvino.get_version())
large = {"kernel_shape": [4], "strides": [2], "ceil_mode": 1}
check("kernel 4 on 3 elements and 1 of padding", [[7.0]], pool([3, 5, 7], pads=[0, 1], **large))
check("kernel 4 on 3 elements", [[7.0]], pool([3, 5, 7], **large))
last = {"kernel_shape": [1], "strides": [2], "ceil_mode": 1}
check("norm, stride 2 on 2 elements, ceil_mode", [[1.0]], pool([1, 2], op="LpPool", **last))
check("maximum, stride 2 on 2 elements, ceil_mode", [[1.0]], pool([1, 2], **last))
tall = [[0, 1], [2, 3], [4, 5], [6, 7]]
check("storage_order 0 of 4x2", [[0, 1], [2, 3], [4, 5], [6, 7]], pool(tall, 2, kernel_shape=[1, 1])[1])
got = pool(tall, 2, kernel_shape=[1, 1], storage_order=1)[1]
check("storage_order 1 of 4x2", [[0, 4], [1, 5], [2, 6], [3, 7]], got)
dense = {"op": "AveragePool", "kernel_shape": [1, 1]}
check("dilations of 2 entries", [[[0.0, 1.0]]], pool(tall[:1], dilations=[1, 1], **dense))
check("dilations of 3 entries", "refused", pool(tall[:1], dilations=[1, 1, 1], **dense))
check("pads of 2 entries", "refused", pool(tall[:1], kernel_shape=[1, 2], pads=[0, 1]))
check("maximum, pad 1 beside kernel 1", "an answer", accepted(pool([1], kernel_shape=[1], pads=[0, 1])))
check("mean, pad 1 beside kernel 1", "an answer", accepted(pool([1], op="AveragePool", kernel_shape=[1], pads=[0, 1])))
at_end, at_start = (pool(values, op="GlobalMaxPool") for values in ([1, np.nan], [np.nan, 1]))
check("NaN at the last and at the first place of a channel", str(at_end), str(at_start))
for name, count in (("norm of one channel", 1), ("norm of no channels", 0)):
    done = subprocess.run([sys.executable, __file__, str(count)], check=False, capture_output=True)
    check(name, "an answer", "an answer" if done.returncode == 0 else "the end of the process")
end()
