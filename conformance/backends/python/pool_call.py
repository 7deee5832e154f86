"""A call of backend.h in the terms that pooling libraries share, for every adapter in Python.

What libraries that know nothing of the documents' attributes or ranges cannot see is checked here; everything else is
left to the library.
"""

import dataclasses
import math

import numpy as np
import poolproof


@dataclasses.dataclass(frozen=True)
class Operator:
    """What the name of an operator says."""

    maximum: bool  # else a mean
    adaptive: bool = False  # the output sizes are the second input
    indices: bool = False  # a second output
    dilations: bool = False
    ceil_torch: bool = False  # knows this rounding_type


OPERATORS = {
    "MaxPool-1": Operator(maximum=True),
    "MaxPool-8": Operator(maximum=True, indices=True, dilations=True),
    "MaxPool-14": Operator(maximum=True, indices=True, dilations=True, ceil_torch=True),
    "AvgPool-1": Operator(maximum=False),
    "AvgPool-14": Operator(maximum=False, ceil_torch=True),
    "AvgPool-16": Operator(maximum=False, dilations=True, ceil_torch=True),
    "AdaptiveMaxPool-8": Operator(maximum=True, adaptive=True, indices=True),
    "AdaptiveAvgPool-8": Operator(maximum=False, adaptive=True),
}
ROUNDINGS = ("floor", "ceil", "ceil_torch")
AUTO_PADS = ("explicit", "same_upper", "same_lower", "valid")
LARGEST = 2**31 - 1  # of elements of an output


@dataclasses.dataclass(frozen=True)
class Pool:
    """A pooling; lists have one entry per spatial axis, outermost first, and are empty where the operator has none."""

    op: str
    type: str
    shape: tuple  # batch, channels, and one to three spatial axes
    auto_pad: str = "explicit"
    rounding: str = "floor"
    kernel: tuple = ()
    strides: tuple = ()
    begin: tuple = ()  # padding; zeros under `valid`
    end: tuple = ()
    dilations: tuple = ()
    exclude_pad: bool = False
    sizes: tuple = ()  # of the output, where adaptive
    index_type: str = "i64"
    index_axis: int = 0  # the first dimension that counts in an index

    @property
    def operator(self):
        return OPERATORS[self.op]

    @property
    def spatial(self):
        return len(self.shape) - 2

    def documented_indices(self, positions, first_axis):
        """Positions that count from dimension `first_axis` on, 0 or 2, as indices of the documented type and range.
        One that lies outside, which should never be, is passed on as it is."""
        size, bound = math.prod(self.shape[first_axis:]), math.prod(self.shape[self.index_axis :])
        if bound != size:
            start = size * np.arange(math.prod(self.shape[:first_axis]))
            start = start.reshape(self.shape[:first_axis] + (1,) * (len(self.shape) - first_axis))
            inside = (positions >= 0) & (positions < size)
            positions = np.where(inside, (positions + start) % max(bound, 1), positions)
        return positions.astype(poolproof.DTYPES[self.index_type])


@dataclasses.dataclass(frozen=True)
class Rule:
    """What is not asked of a library: a call for which `applies` holds is UNSUPPORTED."""

    condition: str
    reason: str
    applies: object  # (Pool) -> bool

    def text(self):
        return f"{self.condition}: {self.reason}"


def check_rules(rules, pool):
    """Raises Unsupported with the text of the first rule that applies."""
    for rule in rules:
        if rule.applies(pool):
            raise poolproof.Unsupported(rule.text())


def read(call, operators=OPERATORS):
    """The Pool of a call. Raises InvalidArgument where the call breaks a rule of the documents, Unsupported for an
    operator that is not among the names `operators`."""
    if call.op not in operators:
        raise poolproof.Unsupported(f"no operator {call.op}")
    operator, source = OPERATORS[call.op], call.inputs[0]
    _expect("the number of inputs", len(call.inputs), 2 if operator.adaptive else 1)
    _expect("the number of outputs", call.output_count, 2 if operator.indices else 1)
    if not 3 <= len(source.shape) <= 5:
        raise poolproof.InvalidArgument(f"the input has rank {len(source.shape)}, outside 3 to 5")
    fields = {"op": call.op, "type": source.type, "shape": tuple(source.shape)}
    if operator.indices:
        fields |= _indexing(call, 2 if operator.adaptive else call.attributes.get("axis", 0))
    return Pool(**fields, **(_sizes(call) if operator.adaptive else _windows(call, operator)))


def _expect(what, count, expected):
    if count != expected:
        raise poolproof.InvalidArgument(f"{what} is {count}, not {expected}")


def _ints(call, name, smallest, default=None):
    values = call.ints(name, len(call.inputs[0].shape) - 2, default)
    for i, value in enumerate(values):
        if value < smallest:
            raise poolproof.InvalidArgument(f"{name}[{i}] is {value}; the smallest valid value is {smallest}")
    return tuple(values)


def _indexing(call, axis):
    rank = len(call.inputs[0].shape)
    if not -rank <= axis < rank:
        raise poolproof.InvalidArgument(f"axis is {axis}, outside [-R, R-1] of rank {rank}")
    return {"index_axis": axis % rank, "index_type": call.word("index_element_type", "i64", ("i64", "i32"))}


def _windows(call, operator):
    auto_pad = call.word("auto_pad", "explicit", AUTO_PADS)
    pads_default = None if auto_pad == "explicit" else 0
    fields = {
        "auto_pad": auto_pad,
        "rounding": call.word("rounding_type", "floor", ROUNDINGS[: 3 if operator.ceil_torch else 2]),
        "kernel": _ints(call, "kernel", 1),
        "strides": _ints(call, "strides", 1),
        "begin": _ints(call, "pads_begin", 0, pads_default),
        "end": _ints(call, "pads_end", 0, pads_default),
        "dilations": _ints(call, "dilations", 1, 1) if operator.dilations else (1,) * (len(call.inputs[0].shape) - 2),
    }
    if auto_pad == "valid":
        fields["begin"] = fields["end"] = (0,) * len(fields["kernel"])
    if not operator.maximum:
        if "exclude-pad" not in call.attributes:
            raise poolproof.InvalidArgument("exclude-pad is required")
        fields["exclude_pad"] = call.attributes["exclude-pad"]
    return fields


def _sizes(call):
    shape, sizes = call.inputs[0].shape, call.inputs[1]
    if sizes.type not in ("i32", "i64") or tuple(sizes.shape) != (len(shape) - 2,) or sizes.data is None:
        raise poolproof.InvalidArgument("the second input has to hold one output size, i32 or i64, per spatial axis")
    values = tuple(int(size) for size in sizes.data)
    if math.prod(values) * math.prod(shape[:2]) > LARGEST:
        raise poolproof.Unsupported(f"an output of more than {LARGEST} elements: it is not asked for")
    return {"sizes": values}
