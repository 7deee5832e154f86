"""OpenVINO's own evaluation of its operators, which devices fall back to, as a backend.

Each call becomes one node with just the attributes of the call; Node.evaluate computes it without a
device. Only MaxPool has such an evaluation; what has none answers UNSUPPORTED.

    conformance --backend='process:build/pypi/bin/python conformance/backends/python/openvino_evaluate_backend.py'

Option dilations=written gives MaxPool-8 and -14 without dilations their documented default, 1.
"""

import numpy as np
import poolproof
from openvino.utils.node_factory import NodeFactory
from openvino_quiet import openvino

TYPES = {name: getattr(openvino.Type, name) for name in poolproof.DTYPES if not name.startswith("fx")}


def _one_line(error):
    return " ".join(str(error).split())


class OpenvinoEvaluateBackend(poolproof.Backend):
    name, version = "openvino-evaluate", openvino.get_version()

    def __init__(self, options):
        self._write_dilations = options.pop("dilations", "omitted") == "written"
        super().__init__(options)
        self._factories = {}

    def infer_shapes(self, call):
        node = self._node(call)
        if not self._has_evaluation(call, node):
            raise poolproof.Unsupported(f"OpenVINO evaluates no {call.op} of {call.inputs[0].type}")
        return [
            poolproof.Tensor(output.get_element_type().get_type_name(), tuple(output.get_shape()))
            for output in node.outputs()
        ]

    def run(self, call):
        source = call.inputs[0]
        results = self._evaluate(self._node(call), np.ascontiguousarray(source.data), source.type)
        if results is None:
            raise poolproof.Unsupported(f"OpenVINO evaluates no {call.op} of {source.type}")
        return [r.view(poolproof.DTYPES[t.type]) for r, t in zip(results, call.outputs)]

    def _node(self, call):
        stem, _, version = call.op.rpartition("-")
        source = call.inputs[0]
        if not stem or source.type not in TYPES:
            raise poolproof.Unsupported(f"OpenVINO has no {call.op} of {source.type}")
        attributes = dict(call.attributes)
        if self._write_dilations and call.output_count == 2 and len(call.inputs) == 1:
            attributes.setdefault("dilations", [1] * (len(source.shape) - 2))
        try:
            inputs = [openvino.op.Parameter(TYPES[source.type], openvino.Shape(source.shape))]
            inputs += [openvino.op.Constant(one.data) for one in call.inputs[1:]]
            factory = self._factories.setdefault(version, NodeFactory(f"opset{version}"))
            return factory.create(stem, inputs, attributes)
        except RuntimeError as error:
            raise poolproof.InvalidArgument(f"OpenVINO rejects the node: {_one_line(error)}") from error

    @staticmethod
    def _evaluate(node, data, kind):
        """The outputs, or None where the node has no evaluation."""
        feature_map = openvino.Tensor(data, openvino.Shape(data.shape), TYPES[kind])
        outputs = [openvino.Tensor(o.get_element_type(), o.get_shape()) for o in node.outputs()]
        try:
            if not node.evaluate(outputs, [feature_map]):
                return None
        except RuntimeError as error:
            raise poolproof.InvalidArgument(f"OpenVINO does not evaluate the node: {_one_line(error)}") from error
        # bf16 has no NumPy type, so its tensors are read as bytes.
        return [
            np.array(o.data).view(np.uint16) if kind == "bf16" and n == 0 else np.array(o.data)
            for n, o in enumerate(outputs)
        ]

    def _has_evaluation(self, call, node):
        source = call.inputs[0]
        if len(call.inputs) > 1:
            return False
        zeros = np.zeros(source.shape, poolproof.DTYPES[source.type])
        return self._evaluate(node, zeros, source.type) is not None


if __name__ == "__main__":
    poolproof.serve(OpenvinoEvaluateBackend)
