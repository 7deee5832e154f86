"""MaxPool-8 in NumPy, as an example of a backend in another language.

It computes f64, f32 and the integer types in one to three spatial dimensions, explicit padding,
rounding down, dilation 1. Everything else it says it does not have.
"""

import numpy as np
import poolproof

OPERATOR = "MaxPool-8"
TYPES = ("f64", "f32", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


class ExampleBackend(poolproof.Backend):
    name, version = "python-example", "1.0"

    def infer_shapes(self, call):
        shape, _ = self._windows(call)
        index_type = call.word("index_element_type", "i64", ("i64", "i32"))
        values = poolproof.Tensor(call.inputs[0].type, shape)
        return [values, poolproof.Tensor(index_type, shape)][: call.output_count]

    def run(self, call):
        shape, windows = self._windows(call)
        source = call.inputs[0].data
        flat = np.arange(source.size).reshape(source.shape)
        axis = call.attributes.get("axis", 0) % source.ndim
        bound = int(np.prod(source.shape[axis:], dtype=np.int64))
        values = np.empty(shape, source.dtype)
        indices = np.empty(shape, np.int64)
        for cell in np.ndindex(*shape[2:]):
            window = tuple(windows[axis][i] for axis, i in enumerate(cell))
            at = (slice(None), slice(None)) + window
            taps = source[at].reshape(shape[0], shape[1], -1)
            best = taps.argmax(axis=2)[..., np.newaxis]  # the first of equal ones, and NaN wins
            where = flat[at].reshape(taps.shape)
            values[(...,) + cell] = np.take_along_axis(taps, best, 2)[..., 0]
            indices[(...,) + cell] = np.take_along_axis(where, best, 2)[..., 0] % bound
        return [values, indices.astype(poolproof.DTYPES[call.outputs[-1].type])][: call.output_count]

    def _windows(self, call):
        """The output shape and, per spatial axis, the slice of the input under each window."""
        source = call.inputs[0]
        if call.op != OPERATOR:
            raise poolproof.Unsupported(f"no operator {call.op}")
        if source.type not in TYPES:
            raise poolproof.Unsupported(f"no element type {source.type}")
        spatial = len(source.shape) - 2
        if not 1 <= spatial <= 3:
            raise poolproof.InvalidArgument(f"the input has rank {len(source.shape)}")
        if min(source.shape) < 1:
            raise poolproof.InvalidArgument(f"the input has shape {source.shape}")
        self._check_words(call)
        axis = call.attributes.get("axis", 0)
        if not -len(source.shape) <= axis < len(source.shape):
            raise poolproof.InvalidArgument(f"axis is {axis}")
        if any(d != 1 for d in call.ints("dilations", spatial, 1)):
            self._require(call, "dilations", spatial, 1)
            raise poolproof.Unsupported("no dilations")
        kernel = self._require(call, "kernel", spatial, 1)
        strides = self._require(call, "strides", spatial, 1)
        begin = self._require(call, "pads_begin", spatial, 0)
        end = self._require(call, "pads_end", spatial, 0)
        windows = [axis_windows(*axis) for axis in zip(source.shape[2:], kernel, strides, begin, end)]
        return source.shape[:2] + tuple(len(w) for w in windows), windows

    @staticmethod
    def _check_words(call):
        if call.word("auto_pad", "explicit", ("explicit", "same_upper", "same_lower", "valid")) != "explicit":
            raise poolproof.Unsupported("no auto_pad but explicit")
        if call.word("rounding_type", "floor", ("floor", "ceil")) != "floor":
            raise poolproof.Unsupported("no rounding_type but floor")

    @staticmethod
    def _require(call, name, count, smallest):
        values = call.ints(name, count)
        if min(values) < smallest:
            raise poolproof.InvalidArgument(f"{name} is {values}, below {smallest}")
        return values


def axis_windows(size, kernel, stride, begin, end):
    """The part of [0, size) under each window of one axis."""
    span = size + begin + end - kernel
    if span < 0:
        raise poolproof.InvalidArgument(f"the kernel {kernel} is larger than the padded input")
    starts = [i * stride - begin for i in range(span // stride + 1)]
    windows = [slice(max(start, 0), max(min(start + kernel, size), 0)) for start in starts]
    if any(window.start >= window.stop for window in windows):
        raise poolproof.Unsupported("no windows without an element of the input")
    return windows


if __name__ == "__main__":
    poolproof.serve(ExampleBackend)
