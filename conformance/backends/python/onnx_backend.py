"""What backends that run ONNX models share: from call to model to results.

What ONNX calls values and indices becomes the documents' outputs; nothing is corrected.
"""

import collections
import contextlib
import re

import ml_dtypes
import numpy as np
import onnx_model
import pool_call
import poolproof

KEPT = 256  # prepared models


@contextlib.contextmanager
def refusing(library, what, errors, unsupported):
    """Turns errors of a library that has one type for what it lacks and what is wrong into answers: UNSUPPORTED where
    the pattern `unsupported` is found in the text."""
    try:
        yield
    except errors as error:
        text = " ".join(str(error).split())
        kind = poolproof.Unsupported if re.search(unsupported, text) else poolproof.InvalidArgument
        raise kind(f"{library} rejects the {what}: {text}") from error


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
        source = call.inputs[0]
        results = self._pool(call, np.zeros(source.shape, poolproof.DTYPES.get(source.type)))
        kinds = (source.type, call.attributes.get("index_element_type", "i64"))
        return [poolproof.Tensor(kind, r.shape) for kind, r in zip(kinds, results)]

    def run(self, call):
        return self._pool(call, call.inputs[0].data)

    def _pool(self, call, features):
        if onnx_model.is_native(call):
            return self._execute(onnx_model.build_native(call), features, call.inputs[0].type)
        pool = pool_call.read(call, onnx_model.HAS)
        values, *indices = self._execute(onnx_model.build(pool), features, pool.type)
        return [values, *(pool.documented_indices(each, 0) for each in indices)]

    def _execute(self, model, features, kind):
        prepared = self._prepared.pop(model, None) or self.prepare(model)
        self._prepared[model] = prepared
        if len(self._prepared) > KEPT:
            self._prepared.popitem(last=False)
        bf16 = kind == "bf16"
        values, *rest = self.execute(prepared, features.view(ml_dtypes.bfloat16) if bf16 else features)
        return [values.view(np.uint16) if bf16 else values, *rest]
