"""Decides whether a neural-network library pools correctly.

Here are the places of what was installed, and the gate for tests in Python:

    test_pooling = poolproof.gate_test("./libmine.so")   # pytest: one test per operator

And, with NumPy, what a backend in Python is made of: Backend, Tensor, serve and all else of backend.py.
"""

import importlib

from poolproof.gate import Gate, GateError, gate_test
from poolproof.places import cmake_prefix, include, optimized_backend, program

__all__ = ["Gate", "GateError", "cmake_prefix", "gate_test", "include", "optimized_backend", "program"]


def __getattr__(name):
    # The gate has no use for NumPy, so it is asked for when a backend is written.
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        backend = importlib.import_module("poolproof.backend")
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError(f"poolproof.{name} needs NumPy: pip install 'poolproof[backend]'") from None
    return getattr(backend, name)
