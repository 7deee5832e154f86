"""The numeric examples of MaxPool-8 through the mapping to ONNX, for both backends that use it.

Run by the Python that has the libraries: build/pypi/bin/python -m unittest discover -p '*_test.py'
-s conformance/backends/python. Expected values are those of the document, example 1 corrected.
"""

import unittest

import numpy as np
import onnx_model
import onnx_reference_backend
import onnxruntime_backend
import poolproof

SIGNED = [[[[-1, 2, 3], [4, 5, -6], [-7, 8, 9]]]]
COUNTING = np.arange(1, 19).reshape(1, 2, 3, 3).tolist()
EXAMPLES = (
    (
        SIGNED,
        {
            "strides": [1, 1],
            "pads_begin": [1, 1],
            "pads_end": [1, 1],
            "kernel": [2, 2],
            "rounding_type": "floor",
            "auto_pad": "explicit",
        },
        [[[[-1, 2, 3, 3], [4, 5, 5, 3], [4, 8, 9, 9], [-7, 8, 9, 9]]]],
        [[[[0, 1, 2, 2], [3, 4, 4, 2], [3, 7, 8, 8], [6, 7, 8, 8]]]],
    ),
    (
        [[[-1, 2, 3, 5, -7, 9, 1]]],
        {"strides": [1], "kernel": [3], "rounding_type": "floor", "auto_pad": "valid"},
        [[[3, 5, 5, 9, 9]]],
        [[[2, 3, 3, 5, 5]]],
    ),
    (
        SIGNED,
        {"strides": [1, 1], "kernel": [2, 2], "auto_pad": "same_lower"},
        [[[[-1, 2, 3], [4, 5, 5], [4, 8, 9]]]],
        [[[[0, 1, 2], [3, 4, 4], [3, 7, 8]]]],
    ),
    (
        [[SIGNED[0][0], [[2, -1, 5], [6, -7, 1], [8, 2, -3]]]],
        {"strides": [1, 1], "kernel": [2, 2], "auto_pad": "same_upper"},
        [[[[5, 5, 3], [8, 9, 9], [8, 9, 9]], [[6, 5, 5], [8, 2, 1], [8, 2, -3]]]],
        [[[[4, 4, 2], [7, 8, 8], [7, 8, 8]], [[12, 11, 11], [15, 16, 14], [15, 16, 17]]]],
    ),
    (
        SIGNED,
        {"strides": [2, 2], "kernel": [2, 2], "rounding_type": "ceil", "auto_pad": "valid"},
        [[[[5, 3], [8, 9]]]],
        [[[[4, 2], [7, 8]]]],
    ),
    (
        [[COUNTING[0][0]]],
        {
            "strides": [1, 1],
            "kernel": [2, 2],
            "dilations": [2, 2],
            "auto_pad": "explicit",
            "pads_begin": [1, 1],
            "pads_end": [1, 1],
        },
        [[[[5, 6, 5], [8, 9, 8], [5, 6, 5]]]],
        [[[[4, 5, 4], [7, 8, 7], [4, 5, 4]]]],
    ),
    (
        COUNTING,
        {
            "strides": [1, 1],
            "kernel": [2, 2],
            "dilations": [1, 1],
            "auto_pad": "explicit",
            "pads_begin": [0, 0],
            "pads_end": [0, 0],
            "axis": 2,
        },
        [[[[5, 6], [8, 9]], [[14, 15], [17, 18]]]],
        [[[[4, 5], [7, 8]], [[4, 5], [7, 8]]]],
    ),
)

BACKENDS = (onnxruntime_backend.OnnxRuntimeBackend, onnx_reference_backend.OnnxReferenceBackend)

# Examples that a backend is known to compute differently, so that a version that does not shows:
# indices under padding (1, 3, 4), and the size under valid with rounding up (5).
DIFFERENT = {"onnxruntime": (), "onnx-reference": (1, 3, 4, 5)}


def make_call(op, kind, features, attributes, outputs):
    data = np.array(features, poolproof.DTYPES[kind])
    return poolproof.Call(op, attributes, [poolproof.Tensor(kind, data.shape, 0, data)], outputs, [], [])


class ExamplesTest(unittest.TestCase):
    def test_come_out_as_printed_or_as_known(self):
        for make in BACKENDS:
            backend = make({})
            for number, (features, attributes, values, indices) in enumerate(EXAMPLES, 1):
                with self.subTest(backend=backend.name, example=number):
                    call = make_call("MaxPool-8", "f32", features, attributes, 2)
                    shapes = [tensor.shape for tensor in backend.infer_shapes(call)]
                    got = backend.run(call)
                    self.assertEqual(shapes, [g.shape for g in got])
                    same = got[0].tolist() == values and got[1].tolist() == indices
                    self.assertEqual(same, number not in DIFFERENT[backend.name], got)


class RulesTest(unittest.TestCase):
    def test_unsupported_calls_name_condition_and_reason(self):
        for op, kind in (("AdaptiveMaxPool-8", "f32"), ("MaxPool-8", "u64"), ("AvgPool-1", "i8")):
            with self.assertRaisesRegex(poolproof.Unsupported, ": "):
                onnx_model.check_rules(op, kind)

    def test_attributes_that_break_a_rule_are_invalid(self):
        for wrong in (
            {"strides": [0, 1]},
            {"kernel": [2]},
            {"rounding_type": "ceil_torch"},
            {"axis": 4},
            {"pads_begin": [-1, 0]},
        ):
            call = make_call("MaxPool-8", "f32", SIGNED, EXAMPLES[0][1] | wrong, 2)
            with self.subTest(wrong=wrong), self.assertRaises(poolproof.InvalidArgument):
                onnx_model.build(call)


if __name__ == "__main__":
    unittest.main()
