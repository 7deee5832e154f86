"""OpenVINO: AvgPool-14 that excludes padding, with a pad as large as the kernel.

The documents give pads no upper bound. OpenVINO rejects the node while it infers its shape; a
maximum of the same attributes it accepts. Exits with 1 where OpenVINO differs from the documents.
"""

import sys

import numpy as np
from openvino import opset8, opset14

data = opset14.parameter([1, 1, 7], np.float32)
print("MaxPool-8:", opset8.max_pool(data, [2], [1], [0], [3], [2]).output(0).get_shape())
try:
    print("AvgPool-14:", opset14.avg_pool(data, [2], [0], [3], [2], True).output(0).get_shape())
except RuntimeError as error:
    print("AvgPool-14 is rejected:", " ".join(str(error).split())[:200])
    sys.exit(1)
