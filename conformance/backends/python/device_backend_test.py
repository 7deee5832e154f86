"""What the adapters for devices say to wrong options and without their library, which stand-ins take the place of."""

import os
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, os.pardir, os.pardir, "gate"))
import device_backend
import harness
import numpy as np
import pool_call
import poolproof
import torch_device_backend

MISSING = 'raise ImportError("planted")'
# As much of each library as knows no device.
NO_DEVICE = {
    "torch": """
__version__ = "0"
set_num_threads = set_grad_enabled = use_deterministic_algorithms = lambda value: None
def empty(size, device):
    raise RuntimeError("no device\\n" + device)
""",
    "jax": """
__version__ = "0"
class config:
    update = lambda name, value: None
def devices(name):
    raise RuntimeError("no device\\n" + name)
""",
}


class OptionsTest(harness.Program):
    """The gate ends with 3 and one sentence, whatever is installed here."""

    def refused(self, library, module, *options):
        with open(self.path(f"{library}.py"), "w", encoding="utf-8") as file:
            file.write(module)
        backend = f"process:{sys.executable} -B {os.path.join(FOLDER, library)}_device_backend.py"
        words = [f"--backend={backend}", *(f"--backend-option={option}" for option in options)]
        variables = {"PYTHONPATH": self.folder}
        done = self.run_program(*words, "--level=documented", f"--allow-read={sys.prefix}", code=3, env=variables)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_unknown_options_are_named_before_the_library_is_loaded(self):
        for library in NO_DEVICE:
            self.assertIn("unknown option colour", self.refused(library, MISSING, "colour=red"))

    def test_values_are_of_a_list(self):
        for library, option, words in (
            ("torch", "memory_format=channels_first", "contiguous, channels_last"),
            ("torch", "compile=yes", "0, 1"),
            ("torch", "deterministic=", "0, 1"),
            ("jax", "jit=2", "0, 1"),
        ):
            key, _, value = option.partition("=")
            self.assertIn(f"option {key} is {value}, not one of {words}", self.refused(library, MISSING, option))

    def test_a_missing_library_is_named(self):
        for library in NO_DEVICE:
            self.assertIn(f"this Python cannot import {library}: planted", self.refused(library, MISSING))

    def test_an_unknown_device_is_named_and_the_library_cited_in_one_line(self):
        for library, module in NO_DEVICE.items():
            said = self.refused(library, module, "device=abacus")
            self.assertIn("option device is abacus: no device abacus", said)


class PoolCallTest(unittest.TestCase):
    def test_indices_count_from_the_documented_axis(self):
        positions = np.arange(12).reshape(2, 2, 3) % 3  # of planes of three
        expected = {0: np.arange(12), 1: np.arange(12) % 6, 2: np.arange(12) % 3}
        for axis, indices in expected.items():
            pool = pool_call.Pool("MaxPool-8", "f32", (2, 2, 3), index_axis=axis, index_type="i32")
            with self.subTest(axis=axis):
                found = pool.documented_indices(positions, 2)
                self.assertEqual((found.dtype, found.ravel().tolist()), (np.int32, indices.tolist()))

    def test_positions_outside_are_passed_on(self):
        pool = pool_call.Pool("MaxPool-8", "f32", (2, 1, 3))
        self.assertEqual(pool.documented_indices(np.array([[[-1]], [[3]]]), 2).ravel().tolist(), [-1, 3])

    def test_bytes_of_another_size_are_no_answer(self):
        described = poolproof.Tensor("bf16", (3,))
        self.assertEqual(poolproof._raw(bytes(6), described, 1), bytes(6))
        with self.assertRaisesRegex(TypeError, "output 1 has 4 bytes, described are 6"):
            poolproof._raw(bytes(4), described, 1)


class Planned(device_backend.DeviceBackend):
    read = staticmethod(torch_device_backend.read_layer)

    def plan(self, pool):
        return None, (1, 1, 2)


class LayerTest(unittest.TestCase):
    def call(self, op, outputs, *sizes, shape=(1, 1, 4), **attributes):
        inputs = [poolproof.Tensor("f32", shape), *(poolproof.Tensor("i64", (1,), data=np.array(s)) for s in sizes)]
        return poolproof.Call(op, attributes, inputs, outputs, [], [])

    def test_arguments_are_those_of_the_call(self):
        layer = torch_device_backend.read_layer(self.call("torch.MaxPool", 2, kernel_size=[2, 2], ceil_mode=True))
        expected = {"kernel_size": [2, 2], "ceil_mode": True, "return_indices": True}
        self.assertEqual((layer.name, layer.arguments), ("MaxPool1d", expected))
        layer = torch_device_backend.read_layer(self.call("torch.AdaptiveAvgPool", 1, [3]))
        self.assertEqual((layer.name, layer.arguments), ("AdaptiveAvgPool1d", {"output_size": (3,)}))

    def test_one_axis_of_a_norm_has_numbers(self):
        layer = torch_device_backend.read_layer(self.call("torch.LPPool", 1, kernel_size=[2], stride=[1], norm_type=3))
        self.assertEqual((layer.name, layer.arguments), ("LPPool1d", {"kernel_size": 2, "stride": 1, "norm_type": 3}))

    def test_without_a_batch_all_dimensions_but_the_first_are_axes(self):
        for op, shape, expected in (
            ("torch.MaxPool.unbatched", (1, 4), "MaxPool1d"),
            ("torch.MaxPool.unbatched", (1, 4, 4), "MaxPool2d"),
            ("torch.MaxPool", (1, 4, 4), "MaxPool1d"),
            ("torch.LPPool.unbatched", (1, 4, 4, 4), "LPPool3d"),
        ):
            layer = torch_device_backend.read_layer(self.call(op, 1, shape=shape, kernel_size=[2]))
            self.assertEqual(layer.name, expected)
        layer = torch_device_backend.read_layer(self.call("torch.LPPool.unbatched", 1, shape=(2, 4), kernel_size=[2]))
        self.assertEqual(layer.arguments, {"kernel_size": 2})

    def test_there_is_no_layer_over_no_axis_or_four(self):
        for op, shape in (("torch.MaxPool", (1, 4)), ("torch.MaxPool.unbatched", (1, 2, 2, 2, 2))):
            with self.assertRaisesRegex(poolproof.InvalidArgument, "there is no layer MaxPool[04]d"):
                torch_device_backend.read_layer(self.call(op, 1, shape=shape, kernel_size=[2]))

    def test_calls_with_and_without_indices_are_planned_apart(self):
        backend = Planned({})
        counts = [len(backend.infer_shapes(self.call("torch.MaxPool", n, kernel_size=[2]))) for n in (2, 1, 2)]
        self.assertEqual(counts, [2, 1, 2])


if __name__ == "__main__":
    unittest.main()
