"""OpenCV's dnn module as a backend that runs ONNX models, on the CPU, single-threaded.

conformance --family=onnx --backend='process:build/pypi/bin/python conformance/backends/python/opencv_onnx_backend.py'
"""

import cv2
import numpy as np
import onnx_backend
import poolproof


class OpenCvOnnxBackend(onnx_backend.OnnxBackend):
    name, version = "opencv-onnx", cv2.__version__

    def __init__(self, options):
        super().__init__(options)
        cv2.setNumThreads(1)

    def prepare(self, model):
        with onnx_backend.refusing("OpenCV", "model", cv2.error, "Can't create layer"):
            return cv2.dnn.readNetFromONNX(np.frombuffer(model, np.uint8))

    def execute(self, prepared, features):
        if features.dtype != np.float32:
            raise poolproof.Unsupported("OpenCV pools f32 only: it refuses other types, or gives f32 for f16")
        with onnx_backend.refusing("OpenCV", "call", cv2.error, "supported|addedDims"):
            prepared.setInput(features, "x")
            outputs = prepared.forward(prepared.getUnconnectedOutLayersNames())
        if any(out is None for out in outputs):
            raise poolproof.Unsupported("OpenCV gives None for an output without elements, whatever its shape")
        return [np.array(out) for out in outputs]


if __name__ == "__main__":
    poolproof.serve(OpenCvOnnxBackend)
