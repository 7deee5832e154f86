"""What backends that run ONNX models share: from call to model to results.

What ONNX calls values and indices becomes the documents' outputs; nothing is corrected.
"""

import collections

import ml_dtypes
import numpy as np
import onnx_model
import pool_call
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
        pool = pool_call.read(call, onnx_model.HAS)
        results = self._pool(pool, np.zeros(pool.shape, poolproof.DTYPES.get(pool.type)))
        return [poolproof.Tensor(kind, r.shape) for kind, r in zip((pool.type, pool.index_type), results)]

    def run(self, call):
        return self._pool(pool_call.read(call, onnx_model.HAS), call.inputs[0].data)

    def _pool(self, pool, features):
        model = onnx_model.build(pool)
        prepared = self._prepared.pop(model, None) or self.prepare(model)
        self._prepared[model] = prepared
        if len(self._prepared) > KEPT:
            self._prepared.popitem(last=False)
        bf16 = pool.type == "bf16"
        results = self.execute(prepared, features.view(ml_dtypes.bfloat16) if bf16 else features)
        values = results[0].view(np.uint16) if bf16 else results[0]
        return [values, *(pool.documented_indices(indices, 0) for indices in results[1:])]
