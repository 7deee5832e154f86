"""What backends that run ONNX models share: from call to model to results.

What ONNX calls values and indices becomes the documents' outputs; nothing is corrected.
"""

import collections

import ml_dtypes
import numpy as np
import onnx_model
import poolproof

KEPT = 256  # prepared models


class OnnxBackend(poolproof.Backend):
    """Derive, and give name, version, prepare and execute."""

    def __init__(self, options):
        super().__init__(options)
        self._prepared = collections.OrderedDict()

    def prepare(self, model):
        """Turns a serialized model into whatever execute takes. Raises poolproof's exceptions."""
        raise NotImplementedError

    def execute(self, prepared, features):
        """All outputs of the model, as NumPy arrays."""
        raise NotImplementedError

    def infer_shapes(self, call):
        # Shape inference and execution are different code; what is announced is what execution does.
        zeros = np.zeros(call.inputs[0].shape, poolproof.DTYPES[call.inputs[0].type])
        results = self._pool(call, zeros)
        tensors = [poolproof.Tensor(call.inputs[0].type, results[0].shape)]
        if len(results) > 1:
            tensors.append(poolproof.Tensor(onnx_model.index_type(call), results[1].shape))
        return tensors

    def run(self, call):
        return self._pool(call, call.inputs[0].data)

    def _pool(self, call, features):
        model = onnx_model.build(call)
        prepared = self._prepared.pop(model, None) or self.prepare(model)
        self._prepared[model] = prepared
        if len(self._prepared) > KEPT:
            self._prepared.popitem(last=False)
        bf16 = call.inputs[0].type == "bf16"
        results = self.execute(prepared, features.view(ml_dtypes.bfloat16) if bf16 else features)
        values = results[0].view(np.uint16) if bf16 else results[0]
        if len(results) == 1:
            return [values]
        return [values, onnx_model.documented_indices(results[1], call)]
