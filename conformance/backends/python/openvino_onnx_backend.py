"""OpenVINO as a backend that runs ONNX models, on the CPU, single-threaded, in the precision of the model.

conformance --family=onnx --backend='process:build/pypi/bin/python conformance/backends/python/openvino_onnx_backend.py'
"""

import io

import onnx_backend
import poolproof
from openvino_quiet import openvino

CONFIG = {"INFERENCE_NUM_THREADS": 1, "EXECUTION_MODE_HINT": "ACCURACY"}


class OpenVinoOnnxBackend(onnx_backend.OnnxBackend):
    name, version = "openvino-onnx", openvino.get_version()

    def __init__(self, options):
        super().__init__(options)
        self._core = openvino.Core()

    def prepare(self, model):
        with onnx_backend.refusing("OpenVINO", "model", RuntimeError, "not supported|No conversion rule"):
            return self._core.compile_model(self._core.read_model(io.BytesIO(model)), "CPU", CONFIG)

    def execute(self, prepared, features):
        with onnx_backend.refusing("OpenVINO", "call", RuntimeError, "not supported"):
            return list(prepared(features).values())


if __name__ == "__main__":
    poolproof.serve(OpenVinoOnnxBackend)
