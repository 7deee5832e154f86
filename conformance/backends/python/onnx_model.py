"""A call of backend.h as an ONNX model of one node, for every backend that runs ONNX models.

Call has what poolproof.py gives a backend: op (str), attributes (dict), inputs and the element type
of the feature map by its name in problem lines ("f32").
"""

import dataclasses

import numpy as np
import onnx
from onnx import TensorProto, helper

OPSET = 22  # AveragePool and MaxPool with bfloat16; the last change of either

TYPES = {
    "f64": TensorProto.DOUBLE, "f32": TensorProto.FLOAT, "f16": TensorProto.FLOAT16,
    "bf16": TensorProto.BFLOAT16, "i8": TensorProto.INT8, "u8": TensorProto.UINT8,
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
AUTO_PAD = {"explicit": "NOTSET", "same_upper": "SAME_UPPER", "same_lower": "SAME_LOWER",
            "valid": "VALID"}


class Unsupported(Exception):
    """The call has no counterpart in ONNX."""


class Invalid(Exception):
    """The call breaks a rule of its operator."""


@dataclasses.dataclass(frozen=True)
class Rule:
    """A call for which `applies` holds is UNSUPPORTED."""

    condition: str
    reason: str
    applies: object  # (op, element type) -> bool

    def text(self):
        return f"{self.condition}: {self.reason}"


RULES = (
    Rule("an operator other than MaxPool and AvgPool",
         "ONNX has no adaptive pooling, and MLI functions are none of its operators",
         lambda op, kind: op not in OPERATORS),
    Rule("MaxPool of an element type other than f64, f32, f16, bf16, i8 and u8",
         "the operator is not defined for it", lambda op, kind: kind not in TYPES),
    Rule("AvgPool of integers", "the operator is defined for floats only",
         lambda op, kind: op.startswith("AvgPool") and kind in ("i8", "u8")),
)


def check_rules(op, kind):
    """Raises Unsupported with the text of the first rule that applies."""
    for rule in RULES:
        if rule.applies(op, kind):
            raise Unsupported(rule.text())


def _list(attributes, name, spatial, smallest, default=None):
    value = attributes.get(name, default)
    if value is None:
        raise Invalid(f"attribute {name} is required")
    if not isinstance(value, (list, tuple)) or len(value) != spatial:
        raise Invalid(f"attribute {name} has to hold {spatial} integers, one per spatial axis")
    for i, number in enumerate(value):
        if number < smallest:
            raise Invalid(f"{name}[{i}] is {number}; the smallest valid value is {smallest}")
    return list(value)


def _word(attributes, name, default, words):
    value = attributes.get(name, default)
    if value not in words:
        raise Invalid(f"{name} does not know the word {value}")
    return value


def node_attributes(op, attributes, shape):
    """The attributes of the ONNX node. Raises Invalid where the call breaks a rule that ONNX, not
    knowing the attribute or its documented range, cannot see."""
    name, _, knows_ceil_torch = OPERATORS[op]
    spatial = len(shape) - 2
    if not 1 <= spatial <= 3:
        raise Invalid(f"the input has rank {len(shape)}, outside 3 to 5")
    auto_pad = _word(attributes, "auto_pad", "explicit", AUTO_PAD)
    roundings = ("floor", "ceil", "ceil_torch") if knows_ceil_torch else ("floor", "ceil")
    rounding = _word(attributes, "rounding_type", "floor", roundings)
    pads_default = None if auto_pad == "explicit" else [0] * spatial
    begin = _list(attributes, "pads_begin", spatial, 0, pads_default)
    end = _list(attributes, "pads_end", spatial, 0, pads_default)
    out = {"kernel_shape": _list(attributes, "kernel", spatial, 1),
           "strides": _list(attributes, "strides", spatial, 1),
           "ceil_mode": CEIL_MODE[rounding]}
    if auto_pad == "explicit":
        out["pads"] = begin + end
    else:
        out["auto_pad"] = AUTO_PAD[auto_pad]
    if name == "MaxPool":
        out["dilations"] = _list(attributes, "dilations", spatial, 1, [1] * spatial)
    else:
        out["count_include_pad"] = 0 if _exclude_pad(attributes) else 1
    return out


def _exclude_pad(attributes):
    if "exclude_pad" not in attributes:
        raise Invalid("attribute exclude_pad is required")
    return attributes["exclude_pad"]


def index_bound(op, attributes, shape):
    """Exclusive bound of the indices and their NumPy type. ONNX counts from dimension 0."""
    word = _word(attributes, "index_element_type", "i64", ("i64", "i32"))
    axis = attributes.get("axis", 0)
    if not -len(shape) <= axis < len(shape):
        raise Invalid(f"axis is {axis}, outside [-R, R-1] of rank {len(shape)}")
    bound = int(np.prod(shape[axis % len(shape):], dtype=np.int64))
    return bound, np.int64 if word == "i64" else np.int32


def build(op, kind, attributes, shape):
    """The serialized model, or Unsupported or Invalid with the reason."""
    check_rules(op, kind)
    name, indices, _ = OPERATORS[op]
    outputs = ["values", "indices"] if indices else ["values"]
    node = helper.make_node(name, ["x"], outputs, **node_attributes(op, attributes, shape))
    infos = [helper.make_tensor_value_info("values", TYPES[kind], None)]
    if indices:
        index_bound(op, attributes, shape)
        infos.append(helper.make_tensor_value_info("indices", TensorProto.INT64, None))
    source = helper.make_tensor_value_info("x", TYPES[kind], list(shape))
    graph = helper.make_graph([node], "poolproof", [source], infos)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 10
    return model.SerializeToString()


def documented_indices(indices, op, attributes, shape):
    """ONNX's indices in the documented type and range. One that lies outside the input, which
    should never be, is passed on as it is."""
    bound, dtype = index_bound(op, attributes, shape)
    inside = (indices >= 0) & (indices < int(np.prod(shape, dtype=np.int64)))
    return np.where(inside, indices % max(bound, 1), indices).astype(dtype)


def load(serialized):
    """The model back from its bytes."""
    return onnx.load_from_string(serialized)
