"""What the mapping to ONNX refuses, for both backends that use it; what they compute is adapter/smoke_test.py's.

Run by the Python that has the libraries: build/pypi/bin/python -m unittest discover -p '*_test.py'
-s conformance/backends/python.
"""

import unittest

import numpy as np
import onnx_model
import poolproof

PADDED = {"strides": [1, 1], "pads_begin": [1, 1], "pads_end": [1, 1], "kernel": [2, 2]}


class RulesTest(unittest.TestCase):
    def test_unsupported_calls_name_condition_and_reason(self):
        for op, kind in (("AdaptiveMaxPool-8", "f32"), ("MaxPool-8", "u64"), ("AvgPool-1", "i8")):
            with self.assertRaisesRegex(poolproof.Unsupported, ": "):
                onnx_model.check_rules(op, kind)

    def test_attributes_that_break_a_rule_are_invalid(self):
        data = np.zeros((1, 1, 3, 3), np.float32)
        features = poolproof.Tensor("f32", data.shape, 0, data)
        onnx_model.build(poolproof.Call("MaxPool-8", PADDED, [features], 2, [], []))
        for wrong in (
            {"strides": [0, 1]},
            {"kernel": [2]},
            {"rounding_type": "ceil_torch"},
            {"axis": 4},
            {"pads_begin": [-1, 0]},
        ):
            call = poolproof.Call("MaxPool-8", PADDED | wrong, [features], 2, [], [])
            with self.subTest(wrong=wrong), self.assertRaises(poolproof.InvalidArgument):
                onnx_model.build(call)


if __name__ == "__main__":
    unittest.main()
