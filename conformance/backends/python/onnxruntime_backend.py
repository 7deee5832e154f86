"""ONNX Runtime as a backend, on the CPU, single-threaded.

conformance --backend='process:build/pypi/bin/python conformance/backends/python/onnxruntime_backend.py'
"""

import contextlib

import onnx_backend
import onnxruntime
import poolproof
from onnxruntime.capi import onnxruntime_pybind11_state as errors


@contextlib.contextmanager
def _refusing(what):
    """Turns errors of ONNX Runtime into answers."""
    try:
        yield
    except errors.NotImplemented as error:
        raise poolproof.Unsupported(f"ONNX Runtime has no kernel: {' '.join(str(error).split())}") from error
    except (errors.InvalidGraph, errors.InvalidArgument, errors.Fail, errors.RuntimeException) as error:
        raise poolproof.InvalidArgument(f"ONNX Runtime rejects the {what}: {' '.join(str(error).split())}") from error


class OnnxRuntimeBackend(onnx_backend.OnnxBackend):
    name, version = "onnxruntime", onnxruntime.__version__

    def __init__(self, options):
        super().__init__(options)
        self._options = onnxruntime.SessionOptions()
        self._options.intra_op_num_threads = 1
        self._options.inter_op_num_threads = 1
        self._options.log_severity_level = 4

    def prepare(self, model):
        with _refusing("model"):
            return onnxruntime.InferenceSession(model, self._options, providers=["CPUExecutionProvider"])

    def execute(self, prepared, features):
        with _refusing("call"):
            return prepared.run(None, {"x": features})


if __name__ == "__main__":
    poolproof.serve(OnnxRuntimeBackend)
