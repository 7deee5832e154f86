"""What the mapping to ONNX refuses, for all backends that use it, and how ONNX's own calls are run; what they compute
of other documents is adapter/smoke_test.py's.

Run by the Python that has the libraries: build/pypi/bin/python -m unittest discover -p '*_test.py'
-s conformance/backends/python.
"""

import unittest

import numpy as np
import onnx_model
import onnx_reference_backend
import pool_call
import poolproof

PADDED = {"strides": [1, 1], "pads_begin": [1, 1], "pads_end": [1, 1], "kernel": [2, 2], "exclude-pad": True}


def build(op, kind="f32", **changed):
    data = np.zeros((1, 1, 3, 3), poolproof.DTYPES[kind])
    features, outputs = poolproof.Tensor(kind, data.shape, 0, data), 2 if op == "MaxPool-8" else 1
    call = poolproof.Call(op, PADDED | changed, [features], outputs, [], [])
    return onnx_model.build(pool_call.read(call, onnx_model.HAS))


class RulesTest(unittest.TestCase):
    def test_unsupported_calls_name_condition_and_reason(self):
        for op, kind, what in (
            ("AdaptiveAvgPool-8", "f32", "AdaptiveAvgPool-8"),
            ("MaxPool-8", "u64", ": "),
            ("AvgPool-1", "i8", ": "),
        ):
            with self.assertRaisesRegex(poolproof.Unsupported, what):
                build(op, kind)

    def test_attributes_that_break_a_rule_are_invalid(self):
        build("MaxPool-8")
        for wrong in (
            {"strides": [0, 1]},
            {"kernel": [2]},
            {"rounding_type": "ceil_torch"},
            {"axis": 4},
            {"pads_begin": [-1, 0]},
        ):
            with self.subTest(wrong=wrong), self.assertRaises(poolproof.InvalidArgument):
                build("MaxPool-8", **wrong)


class NativeTest(unittest.TestCase):
    """ONNX's own calls, by the evaluator."""

    def setUp(self):
        data = np.arange(1, 26, dtype=np.float32).reshape(1, 1, 5, 5)
        self.features = poolproof.Tensor("f32", data.shape, 0, data)
        self.backend = onnx_reference_backend.OnnxReferenceBackend({})

    def call(self, op, **attributes):
        return poolproof.Call(op, attributes, [self.features], 1, [], [])

    def test_node_test_has_its_printed_output(self):
        call = self.call("onnx.MaxPool-22", kernel_shape=[2, 2], strides=[2, 2])
        (described,), (values,) = self.backend.infer_shapes(call), self.backend.run(call)
        self.assertEqual((described.type, described.shape), ("f32", (1, 1, 2, 2)))
        self.assertEqual(values.tolist(), [[[[7, 9], [17, 19]]]])

    def test_operator_without_an_implementation_is_unsupported(self):
        with self.assertRaisesRegex(poolproof.Unsupported, "GlobalLpPool"):
            self.backend.infer_shapes(self.call("onnx.GlobalLpPool-22"))


if __name__ == "__main__":
    unittest.main()
