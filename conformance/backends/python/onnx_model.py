"""A call of backend.h as an ONNX model of one node, for every backend that runs ONNX models."""

import poolproof
from onnx import AttributeProto, TensorProto, helper
from pool_call import OPERATORS, Rule, check_rules

OPSET = 22  # the last change of MaxPool or AveragePool
IR_VERSION = 10  # the one that came with this opset

HAS = [name for name, operator in OPERATORS.items() if not operator.adaptive]
TYPES = {
    "f64": TensorProto.DOUBLE,
    "f32": TensorProto.FLOAT,
    "f16": TensorProto.FLOAT16,
    "bf16": TensorProto.BFLOAT16,
    "i8": TensorProto.INT8,
    "u8": TensorProto.UINT8,
    "i16": TensorProto.INT16,
    "u16": TensorProto.UINT16,
    "i32": TensorProto.INT32,
    "u32": TensorProto.UINT32,
    "i64": TensorProto.INT64,
    "u64": TensorProto.UINT64,
}
POOLED = ("f64", "f32", "f16", "bf16", "i8", "u8")
PREFIX = "onnx."  # of the operators of ONNX's own document

# Words of the documents -> attribute values of ONNX. Both roundings up are ceil_mode=1, the only one
# that ONNX has.
CEIL_MODE = {"floor": 0, "ceil": 1, "ceil_torch": 1}
AUTO_PAD = {"explicit": "NOTSET", "same_upper": "SAME_UPPER", "same_lower": "SAME_LOWER", "valid": "VALID"}


RULES = (
    Rule(
        "MaxPool of an element type other than f64, f32, f16, bf16, i8 and u8",
        "the operator is not defined for it",
        lambda pool: pool.type not in POOLED,
    ),
    Rule(
        "AvgPool of integers",
        "the operator is defined for floats only",
        lambda pool: not pool.operator.maximum and pool.type in ("i8", "u8"),
    ),
)


def node_attributes(pool):
    """The attributes of the ONNX node."""
    out = {
        "kernel_shape": pool.kernel,
        "strides": pool.strides,
        "dilations": pool.dilations,
        "ceil_mode": CEIL_MODE[pool.rounding],
    }
    if pool.auto_pad == "explicit":
        out["pads"] = pool.begin + pool.end
    else:
        out["auto_pad"] = AUTO_PAD[pool.auto_pad]
    if not pool.operator.maximum:
        out["count_include_pad"] = 0 if pool.exclude_pad else 1
    return out


def _model(name, opset, attributes, kind, shape, with_indices):
    # ONNX demands a shape of outputs; their sizes are for whoever runs the model to find.
    infos = [helper.make_tensor_value_info("values", TYPES[kind], [None] * len(shape))]
    if with_indices:
        infos.append(helper.make_tensor_value_info("indices", TensorProto.INT64, [None] * len(shape)))
    node = helper.make_node(name, ["x"], [info.name for info in infos])
    for key, value in attributes.items():
        # The type of an empty list is not seen from its elements.
        ints = AttributeProto.INTS if isinstance(value, (list, tuple)) else None
        node.attribute.append(helper.make_attribute(key, value, attr_type=ints))
    source = helper.make_tensor_value_info("x", TYPES[kind], shape)
    graph = helper.make_graph([node], "poolproof", [source], infos)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = IR_VERSION
    return model.SerializeToString()


def build(pool):
    """The serialized model."""
    check_rules(RULES, pool)
    name = "MaxPool" if pool.operator.maximum else "AveragePool"
    return _model(name, OPSET, node_attributes(pool), pool.type, pool.shape, pool.operator.indices)


def is_native(call):
    """Whether the call is one of ONNX's own document."""
    return call.op.startswith(PREFIX)


def build_native(call):
    """The serialized model of a call of ONNX's own document, its attributes as they are: what is wrong with one is for
    whoever runs the model to say."""
    name, _, version = call.op.removeprefix(PREFIX).partition("-")
    source = call.inputs[0]
    if source.type not in TYPES:
        raise poolproof.InvalidArgument(f"ONNX has no element type {source.type}")
    return _model(name, int(version), call.attributes, source.type, source.shape, call.output_count == 2)
