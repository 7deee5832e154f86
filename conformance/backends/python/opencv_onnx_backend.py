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
        # Reading has one error type for what is not supported and what is wrong.
        try:
            return cv2.dnn.readNetFromONNXBuffer(np.frombuffer(model, np.uint8))
        except cv2.error as error:
            raise poolproof.InvalidArgument(f"OpenCV rejects the model: {' '.join(str(error).split())}") from error

    def execute(self, prepared, features):
        if features.dtype != np.float32:
            raise poolproof.Unsupported("only f32: its blobs are f32")
        try:
            prepared.setInput(features, "x")
            return [np.array(out) for out in prepared.forward(prepared.getUnconnectedOutLayersNames())]
        except cv2.error as error:
            raise poolproof.InvalidArgument(f"OpenCV rejects the call: {' '.join(str(error).split())}") from error


if __name__ == "__main__":
    poolproof.serve(OpenCvOnnxBackend)
