"""OpenVINO as a backend that runs ONNX models, on the CPU, single-threaded, in the precision of the model.

conformance --family=onnx --backend='process:build/pypi/bin/python conformance/backends/python/openvino_onnx_backend.py'
"""

import io

import onnx_backend
import openvino
import poolproof

CONFIG = {"INFERENCE_NUM_THREADS": 1, "EXECUTION_MODE_HINT": "ACCURACY"}


class OpenVinoOnnxBackend(onnx_backend.OnnxBackend):
    name, version = "openvino-onnx", openvino.get_version()

    def __init__(self, options):
        super().__init__(options)
        self._core = openvino.Core()

    def prepare(self, model):
        # Reading and compiling have one error type for what is not supported and what is wrong.
        try:
            return self._core.compile_model(self._core.read_model(io.BytesIO(model)), "CPU", CONFIG)
        except RuntimeError as error:
            raise poolproof.InvalidArgument(f"OpenVINO rejects the model: {' '.join(str(error).split())}") from error

    def execute(self, prepared, features):
        return list(prepared(features).values())


if __name__ == "__main__":
    poolproof.serve(OpenVinoOnnxBackend)
