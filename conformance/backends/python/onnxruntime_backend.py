"""ONNX Runtime as a backend, on the CPU, single-threaded.

conformance --backend='process:build/pypi/bin/python conformance/backends/python/onnxruntime_backend.py'
"""

import onnx_backend
import onnxruntime
import poolproof
from onnxruntime.capi import onnxruntime_pybind11_state as errors


def _one_line(error):
    return " ".join(str(error).split())


class OnnxRuntimeBackend(onnx_backend.OnnxBackend):
    name, version = "onnxruntime", onnxruntime.__version__

    def __init__(self, options):
        super().__init__(options)
        self._options = onnxruntime.SessionOptions()
        self._options.intra_op_num_threads = 1
        self._options.inter_op_num_threads = 1
        self._options.log_severity_level = 4

    def prepare(self, model):
        try:
            return onnxruntime.InferenceSession(model, self._options, providers=["CPUExecutionProvider"])
        except errors.NotImplemented as error:
            raise poolproof.Unsupported(f"ONNX Runtime has no kernel: {_one_line(error)}") from error
        except (errors.InvalidGraph, errors.InvalidArgument, errors.Fail, errors.RuntimeException) as error:
            raise poolproof.InvalidArgument(f"ONNX Runtime rejects the model: {_one_line(error)}") from error

    def execute(self, prepared, features):
        try:
            return prepared.run(None, {"x": features})
        except errors.NotImplemented as error:
            raise poolproof.Unsupported(f"ONNX Runtime has no kernel: {_one_line(error)}") from error
        except (errors.InvalidArgument, errors.Fail, errors.RuntimeException) as error:
            raise poolproof.InvalidArgument(f"ONNX Runtime rejects the call: {_one_line(error)}") from error


if __name__ == "__main__":
    poolproof.serve(OnnxRuntimeBackend)
