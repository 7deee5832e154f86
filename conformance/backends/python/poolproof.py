"""Backends in Python: this one file, NumPy, and a class with two functions.

    import poolproof

    class MyPool(poolproof.Backend):
        name, version = "my library", "1.2.3"

        def infer_shapes(self, call):           # -> list of poolproof.Tensor, one per output
            return [poolproof.Tensor(call.inputs[0].type, (1, 2, 3))]

        def run(self, call):                    # -> list of NumPy arrays, or bytes, one per output
            return [call.inputs[0].data.reshape(1, 2, 3)]

    if __name__ == "__main__":
        poolproof.serve(MyPool)

and then --backend='process:python3 my_pool.py'. The protocol on stdin and stdout is described in
conformance/worker/PROTOCOL.md. What print() writes goes to stderr, so it cannot disturb it.
"""

import dataclasses
import json
import math
import os
import sys
import traceback

import numpy as np

PROTOCOL = 1

# Element types and how their elements look in NumPy. bf16 has no type there: its elements are the
# upper halves of f32 as uint16, see bf16_to_f32 and f32_to_bf16.
_NAMES = "f64 f32 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 fx8 fx16".split()
_CODES = "<f8 <f4 <f2 <u2 i1 u1 <i2 <u2 <i4 <u4 <i8 <u8 i1 <i2".split()
DTYPES = dict(zip(_NAMES, map(np.dtype, _CODES)))


class Unsupported(Exception):
    """The backend does not have this operator, element type or attribute value."""


class InvalidArgument(Exception):
    """The call breaks a rule of the operator's document."""


@dataclasses.dataclass
class Tensor:
    """A tensor. `data` is None for the feature map in infer_shapes and for descriptions."""

    type: str
    shape: tuple
    frac_bits: int = 0
    data: np.ndarray | None = None

    def to_json(self, size):
        shape = [int(d) for d in self.shape]
        return {"type": self.type, "shape": shape, "frac_bits": int(self.frac_bits), "bytes": size}

    def size(self):
        """Bytes of all elements."""
        return math.prod(map(int, self.shape)) * DTYPES[self.type].itemsize


@dataclasses.dataclass
class Call:
    """One call. Attributes that were left out are absent: an int, list of int, bool or str each."""

    op: str
    attributes: dict
    inputs: list
    output_count: int
    outputs: list  # in run: as infer_shapes described them
    capacities: list  # in run: how many bytes each output may have

    def ints(self, name, count, default=None):
        """A list of exactly `count` integers; `default` for each if it is absent, which is an error
        where there is no default."""
        if name not in self.attributes:
            if default is None:
                raise InvalidArgument(f"{name} is required")
            return [default] * count
        value = self.attributes[name]
        if not isinstance(value, list) or len(value) != count:
            raise InvalidArgument(f"{name} is {value}, not a list of {count}")
        return value

    def word(self, name, default, words):
        """One of `words`."""
        value = self.attributes.get(name, default)
        if value not in words:
            raise InvalidArgument(f"{name} is {value}, not one of {', '.join(words)}")
        return value


class Backend:
    """What to derive from. `options` are the values of --backend-option, as a dict."""

    name = "unnamed"
    version = "0"

    def __init__(self, options):
        if options:
            raise InvalidArgument(f"unknown option {next(iter(options))}")

    def infer_shapes(self, call):
        raise Unsupported(f"no operator {call.op}")

    def run(self, call):
        raise Unsupported(f"no operator {call.op}")


def bf16_to_f32(bits):
    """bf16 elements (uint16) as float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def f32_to_bf16(values):
    """float32 rounded to bf16 (uint16), to nearest, ties to even; NaN stays NaN."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FC0), rounded)


def _read_exactly(stream, size):
    data = stream.read(size)
    if len(data) != size:
        raise EOFError
    return data


def _read_tensor(stream, header):
    tensor = _described(header)
    if "bytes" in header:
        raw = _read_exactly(stream, header["bytes"])
        if tensor.type in DTYPES:
            tensor.data = np.frombuffer(raw, DTYPES[tensor.type]).reshape(tensor.shape)
    return tensor


def _described(header):
    return Tensor(header["type"], tuple(header["shape"]), header.get("frac_bits", 0))


def _read_call(stream, header):
    inputs = [_read_tensor(stream, one) for one in header["inputs"]]
    outputs = header["outputs"]
    described, capacities = [_described(o) for o in outputs if "type" in o], [o.get("capacity", 0) for o in outputs]
    return Call(header["op"], header["attributes"], inputs, len(outputs), described, capacities)


def _raw(values, described, number):
    """The bytes of one output, which has to be what infer_shapes said."""
    if isinstance(values, bytes):
        if len(values) != described.size():
            raise TypeError(f"output {number} has {len(values)} bytes, described are {described.size()}")
        return values
    dtype = DTYPES[described.type]
    values = np.asarray(values)
    if values.shape != tuple(described.shape) or values.dtype.newbyteorder("<") != dtype:
        raise TypeError(
            f"output {number} is {values.dtype} {values.shape}, described as {described.type} {described.shape}"
        )
    return np.ascontiguousarray(values, dtype).tobytes()


def _answer(backend, header, call):
    """The reply to one request: header and raw bytes."""
    if header["call"] == "infer_shapes":
        tensors = backend.infer_shapes(call)
        return {"status": "OK", "outputs": [t.to_json(t.size()) for t in tensors]}, []
    for number, (tensor, capacity) in enumerate(zip(call.outputs, call.capacities), 1):
        if tensor.size() > capacity:
            raise InvalidArgument(f"output {number} has room for {capacity} bytes only")
    values = backend.run(call)
    if len(values) != len(call.outputs):
        raise TypeError(f"run returned {len(values)} outputs, described were {len(call.outputs)}")
    raws = [_raw(v, t, n) for n, (v, t) in enumerate(zip(values, call.outputs), 1)]
    return {"status": "OK", "outputs": [t.to_json(len(r)) for t, r in zip(call.outputs, raws)]}, raws


def _status_of(error):
    """An exception as an answer."""
    for kind, status in ((Unsupported, "UNSUPPORTED"), (InvalidArgument, "INVALID_ARGUMENT")):
        if isinstance(error, kind):
            return {"status": status, "error": str(error)}
    return {"status": "INTERNAL_ERROR", "error": f"{type(error).__name__}: {error}"}


def _write(stream, header, raws):
    stream.write(json.dumps(header).encode() + b"\n")
    stream.writelines(raws)
    stream.flush()


def serve(make):
    """Answers calls until stdin ends. `make(options)` returns the backend; a class will do."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    hello = json.loads(requests.readline())
    try:
        backend = make(dict(option.partition("=")[::2] for option in hello["options"]))
        greeting = {"poolproof": PROTOCOL, "name": backend.name, "version": backend.version}
    except Exception as error:
        status = _status_of(error)
        if status["status"] == "INTERNAL_ERROR":
            traceback.print_exc()
        _write(replies, status, [])
        sys.exit(1)
    _write(replies, greeting, [])
    told = False  # one traceback says where it is, thousands fill the log
    for line in requests:
        header = json.loads(line)
        call = _read_call(requests, header)
        try:
            reply, raws = _answer(backend, header, call)
        except Exception as error:  # the process is to go on with the next call
            reply, raws = _status_of(error), []
            if reply["status"] == "INTERNAL_ERROR" and not told:
                traceback.print_exc()
                told = True
        reply["id"] = header["id"]
        _write(replies, reply, raws)
