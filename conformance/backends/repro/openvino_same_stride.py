"""OpenVINO: the size of the output under auto_pad=same_upper with strides above 1.

The documents: H_out = H, and a first layer example of 32x32 -> 32x32 with strides 2,2. OpenVINO
divides by the stride: 16x16. Exits with 1 where OpenVINO differs from the documents.
"""

import sys

import numpy as np
from openvino import opset8

data = opset8.parameter([1, 3, 32, 32], np.float32)
pool = opset8.max_pool(data, [2, 2], [1, 1], [1, 1], [1, 1], [2, 2], auto_pad="same_upper")
shape = list(pool.output(0).get_shape())
print("documented [1, 3, 32, 32], OpenVINO", shape)
sys.exit(0 if shape == [1, 3, 32, 32] else 1)
