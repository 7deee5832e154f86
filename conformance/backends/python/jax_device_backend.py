"""JAX on any of its devices as a backend: jax.lax.reduce_window, and what its users write around it.

A mean is a sum divided by the number of taps, an index the second of two arrays that are reduced together. Options:
device=NAME as jax.devices takes it, cpu by default; jit=0 or 1, which compiles each call as a whole.
"""

import math

import device_backend
import numpy as np
import poolproof
from device_backend import TYPES, one_line, take_word
from pool_call import OPERATORS, Rule

INTEGERS = [name for name in TYPES if name[0] in "iu"]
RULES = (
    Rule("an element type of fixed point", "JAX has none", lambda p: p.type not in TYPES),
    Rule("rounding up", "reduce_window rounds down", lambda p: p.rounding != "floor"),
    Rule("means of integers", "a sum is all there is", lambda p: not p.operator.maximum and p.type in INTEGERS),
)
# Words of auto_pad as reduce_window has them.
PADDING = {"same_upper": "SAME", "same_lower": "SAME_LOWER"}


class JaxDevice(device_backend.DeviceBackend):
    operators = [name for name, operator in OPERATORS.items() if not operator.adaptive]
    rules = RULES

    def __init__(self, options):
        device = options.pop("device", "cpu")
        self._jit = take_word(options, "jit", ("0", "1")) == "1"
        super().__init__(options)
        self._jax = device_backend.library("jax")
        self._jax.config.update("jax_enable_x64", True)
        self.name, self.version = f"jax-{device}", self._jax.__version__
        try:
            self._device = self._jax.devices(device)[0]
        except RuntimeError as error:
            raise poolproof.InvalidArgument(f"option device is {device}: {one_line(error)}") from error

    def plan(self, pool):
        compute = self._pooling(pool)
        if self._jit:
            compute = self._jax.jit(compute)
        spec = self._jax.ShapeDtypeStruct(pool.shape, TYPES[pool.type])
        try:
            shape = self._jax.eval_shape(compute, spec)[0].shape
            if not device_backend.is_large(pool):
                compute(self._jax.device_put(np.zeros(pool.shape, spec.dtype), self._device))
        except (TypeError, ValueError) as error:
            raise poolproof.InvalidArgument(f"JAX says: {one_line(error)}") from error
        except self._jax.errors.JaxRuntimeError as error:
            if "UNIMPLEMENTED" in str(error):
                raise poolproof.Unsupported(f"JAX says: {one_line(error)}") from error
            raise
        return (compute, spec.dtype), shape

    def execute(self, plan, pool, data):
        compute, dtype = plan
        values, *positions = compute(self._jax.device_put(data.view(dtype), self._device))
        return [np.asarray(values).tobytes(), *map(np.asarray, positions)]

    def _pooling(self, pool):
        """The function of an array for a pooling: the values and, where there are such, the positions."""
        lax, numpy = self._jax.lax, self._jax.numpy
        ones = (1, 1)
        padding = PADDING.get(pool.auto_pad, ((0, 0), (0, 0), *zip(pool.begin, pool.end)))

        def reduce(x, first, combine):
            dilation = ones + pool.dilations
            return lax.reduce_window(
                x, first, combine, ones + pool.kernel, ones + pool.strides, padding, None, dilation
            )

        def mean(x):
            zero = numpy.zeros((), x.dtype)
            taps = reduce(numpy.ones_like(x), zero, lax.add) if pool.exclude_pad else math.prod(pool.kernel)
            return [reduce(x, zero, lax.add) / taps]

        def maximum(x):
            lowest = numpy.array(numpy.iinfo(x.dtype).min if pool.type in INTEGERS else -np.inf, x.dtype)
            if not pool.operator.indices:
                return [reduce(x, lowest, lax.max)]
            plane = math.prod(pool.shape[2:])
            positions = numpy.broadcast_to(numpy.arange(plane).reshape(pool.shape[2:]), pool.shape)
            # The padding comes after every element; a window of padding alone gets the first position.
            values, at = reduce((x, positions), (lowest, numpy.array(plane)), self._greater)
            return [values, numpy.where(at == plane, 0, at)]

        return maximum if pool.operator.maximum else mean

    def _greater(self, left, right):
        """The greater of two pairs of value and position, NaN above all, and of equal ones the first."""
        (a, at_a), (b, at_b) = left, right
        nan_a, nan_b = a != a, b != b
        second = (b > a) | (nan_b & ~nan_a) | (((a == b) | (nan_a & nan_b)) & (at_b < at_a))
        return tuple(self._jax.numpy.where(second, x, y) for x, y in ((b, a), (at_b, at_a)))


if __name__ == "__main__":
    poolproof.serve(JaxDevice)
