"""The reference evaluator of the ONNX project, in NumPy, as a backend.

conformance --backend='process:build/pypi/bin/python conformance/backends/python/onnx_reference_backend.py'

Large layers of three spatial axes take it more than 10 seconds each: --timeout=60.
"""

import onnx
import onnx_backend
import poolproof
from onnx.reference import ReferenceEvaluator


class OnnxReferenceBackend(onnx_backend.OnnxBackend):
    name, version = "onnx-reference", onnx.__version__

    def prepare(self, model):
        try:
            return ReferenceEvaluator(onnx.load_from_string(model))
        except NotImplementedError as error:  # followed by the names of all that it has
            raise poolproof.Unsupported(f"the evaluator says: {str(error).partition(',')[0]}") from error

    def execute(self, prepared, features):
        # The evaluator has no error type of its own. An assertion may say that it lacks something; all
        # its other errors also come from valid models: they are failures, not answers.
        try:
            return prepared.run(None, {"x": features})
        except AssertionError as error:
            if "not supported" in str(error):
                raise poolproof.Unsupported(f"the evaluator says: {error}") from error
            raise


if __name__ == "__main__":
    poolproof.serve(OnnxReferenceBackend)
