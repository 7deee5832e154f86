"""A call of backend.h as an ONNX model of one node, for every backend that runs ONNX models.

What ONNX, not knowing the documents' attributes or ranges, cannot see is checked here; everything else
is left to whoever runs the model.
"""

import dataclasses

import numpy as np
import poolproof
from onnx import TensorProto, helper

OPSET = 22  # the last change of MaxPool or AveragePool
IR_VERSION = 10  # the one that came with this opset

TYPES = {
    "f64": TensorProto.DOUBLE,
    "f32": TensorProto.FLOAT,
    "f16": TensorProto.FLOAT16,
    "bf16": TensorProto.BFLOAT16,
    "i8": TensorProto.INT8,
    "u8": TensorProto.UINT8,
}

# Operator name -> (ONNX operator, has indices, knows ceil_torch).
OPERATORS = {
    "MaxPool-1": ("MaxPool", False, False),
    "MaxPool-8": ("MaxPool", True, False),
    "MaxPool-14": ("MaxPool", True, True),
    "AvgPool-1": ("AveragePool", False, False),
    "AvgPool-14": ("AveragePool", False, True),
}

# Words of the documents -> attribute values of ONNX. Both roundings up are ceil_mode=1, the only one
# that ONNX has.
CEIL_MODE = {"floor": 0, "ceil": 1, "ceil_torch": 1}
AUTO_PAD = {"explicit": "NOTSET", "same_upper": "SAME_UPPER", "same_lower": "SAME_LOWER", "valid": "VALID"}


@dataclasses.dataclass(frozen=True)
class Rule:
    """A call for which `applies` holds is UNSUPPORTED."""

    condition: str
    reason: str
    applies: object  # (op, element type) -> bool

    def text(self):
        return f"{self.condition}: {self.reason}"


RULES = (
    Rule(
        "an operator other than MaxPool and AvgPool",
        "ONNX has no adaptive pooling, and MLI functions are none of its operators",
        lambda op, kind: op not in OPERATORS,
    ),
    Rule(
        "MaxPool of an element type other than f64, f32, f16, bf16, i8 and u8",
        "the operator is not defined for it",
        lambda op, kind: kind not in TYPES,
    ),
    Rule(
        "AvgPool of integers",
        "the operator is defined for floats only",
        lambda op, kind: op.startswith("AvgPool") and kind in ("i8", "u8"),
    ),
)


def check_rules(op, kind):
    """Raises Unsupported with the text of the first rule that applies."""
    for rule in RULES:
        if rule.applies(op, kind):
            raise poolproof.Unsupported(rule.text())


def _ints(call, name, spatial, smallest, default=None):
    values = call.ints(name, spatial, default)
    for i, value in enumerate(values):
        if value < smallest:
            raise poolproof.InvalidArgument(f"{name}[{i}] is {value}; the smallest valid value is {smallest}")
    return values


def _exclude_pad(call):
    if "exclude-pad" not in call.attributes:
        raise poolproof.InvalidArgument("exclude-pad is required")
    return call.attributes["exclude-pad"]


def node_attributes(call):
    """The attributes of the ONNX node."""
    name, _, knows_ceil_torch = OPERATORS[call.op]
    rank = len(call.inputs[0].shape)
    if not 3 <= rank <= 5:
        raise poolproof.InvalidArgument(f"the input has rank {rank}, outside 3 to 5")
    spatial = rank - 2
    auto_pad = call.word("auto_pad", "explicit", tuple(AUTO_PAD))
    rounding = call.word("rounding_type", "floor", tuple(CEIL_MODE)[: 3 if knows_ceil_torch else 2])
    pads_default = None if auto_pad == "explicit" else 0
    begin = _ints(call, "pads_begin", spatial, 0, pads_default)
    end = _ints(call, "pads_end", spatial, 0, pads_default)
    out = {
        "kernel_shape": _ints(call, "kernel", spatial, 1),
        "strides": _ints(call, "strides", spatial, 1),
        "ceil_mode": CEIL_MODE[rounding],
    }
    if auto_pad == "explicit":
        out["pads"] = begin + end
    else:
        out["auto_pad"] = AUTO_PAD[auto_pad]
    if name == "MaxPool":
        out["dilations"] = _ints(call, "dilations", spatial, 1, 1)
    else:
        out["count_include_pad"] = 0 if _exclude_pad(call) else 1
    return out


def index_bound(call):
    """Exclusive bound of the indices, which count from dimension `axis` on."""
    shape = call.inputs[0].shape
    axis = call.attributes.get("axis", 0)
    if not -len(shape) <= axis < len(shape):
        raise poolproof.InvalidArgument(f"axis is {axis}, outside [-R, R-1] of rank {len(shape)}")
    return int(np.prod(shape[axis % len(shape) :], dtype=np.int64))


def index_type(call):
    """ "i64" or "i32"."""
    return call.word("index_element_type", "i64", ("i64", "i32"))


def build(call):
    """The serialized model."""
    kind = call.inputs[0].type
    check_rules(call.op, kind)
    name, indices, _ = OPERATORS[call.op]
    outputs = ["values", "indices"] if indices else ["values"]
    if len(outputs) != call.output_count:
        raise poolproof.InvalidArgument(f"the number of outputs is {call.output_count}")
    node = helper.make_node(name, ["x"], outputs, **node_attributes(call))
    infos = [helper.make_tensor_value_info("values", TYPES[kind], None)]
    if indices:
        index_bound(call)
        index_type(call)
        infos.append(helper.make_tensor_value_info("indices", TensorProto.INT64, None))
    source = helper.make_tensor_value_info("x", TYPES[kind], list(call.inputs[0].shape))
    graph = helper.make_graph([node], "poolproof", [source], infos)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = IR_VERSION
    return model.SerializeToString()


def documented_indices(indices, call):
    """ONNX's indices, which count from dimension 0, in the documented type and range. One that lies
    outside the input, which should never be, is passed on as it is."""
    elements = int(np.prod(call.inputs[0].shape, dtype=np.int64))
    inside = (indices >= 0) & (indices < elements)
    wrapped = np.where(inside, indices % max(index_bound(call), 1), indices)
    return wrapped.astype(poolproof.DTYPES[index_type(call)])
