"""What adapters to libraries for any device share: options, one plan per call, answers to what the library says."""

import importlib
import math

import pool_call
import poolproof

KEPT = 1024  # plans; as many cases are asked twice within a few messages
LARGE = 1 << 20  # elements from which on a shape is not found out by computing it

# Element types under the names that libraries of tensors have for them.
_NAMES = "float64 float32 float16 bfloat16 int8 uint8 int16 uint16 int32 uint32 int64 uint64".split()
TYPES = dict(zip(poolproof.DTYPES, _NAMES))


def take_word(options, key, words):
    """Takes an option out of `options`; the first word is the default."""
    value = options.pop(key, words[0])
    if value not in words:
        raise poolproof.InvalidArgument(f"option {key} is {value}, not one of {', '.join(words)}")
    return value


def library(name):
    """The module of a library."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise poolproof.InvalidArgument(f"this Python cannot import {name}: {error}") from error


def one_line(error):
    """What an error says, in one line that is not too long for a report."""
    return " ".join(str(error).split())[:300]


def is_large(pool):
    """Whether computing is too much for finding out a shape."""
    return max(math.prod(pool.shape), math.prod(pool.shape[:2] + pool.sizes)) > LARGE


class DeviceBackend(poolproof.Backend):
    """Derive, and give name, version, rules, plan, and execute; `operators` where the library lacks some."""

    operators = pool_call.OPERATORS
    rules = ()

    def __init__(self, options):
        super().__init__(options)
        self._plans = {}

    def read(self, call):
        """The Pool of a call. Raises poolproof's exceptions."""
        pool = pool_call.read(call, self.operators)
        pool_call.check_rules(self.rules, pool)
        return pool

    def plan(self, pool):
        """Whatever execute takes, and the shape of the values: (plan, shape). Raises poolproof's exceptions."""
        raise NotImplementedError

    def execute(self, plan, pool, data):
        """The values as bytes, and, where the operator has indices, positions in the plane as an array of NumPy. The
        library has accepted the call before, so that any error is a failure of it."""
        raise NotImplementedError

    def infer_shapes(self, call):
        pool, _, shape = self._planned(call)
        kinds = (pool.type, pool.index_type) if pool.operator.indices else (pool.type,)
        return [poolproof.Tensor(kind, shape) for kind in kinds]

    def run(self, call):
        pool, plan, _ = self._planned(call)
        values, *positions = self.execute(plan, pool, call.inputs[0].data)
        return [values, *(pool.documented_indices(one, 2) for one in positions)]

    def _planned(self, call):
        sizes = [None if one.data is None else one.data.tobytes() for one in call.inputs[1:]]
        key = (
            call.op,
            call.inputs[0].type,
            call.inputs[0].shape,
            call.output_count,
            repr(call.attributes),
            repr(sizes),
        )
        if key not in self._plans:
            pool = self.read(call)
            if len(self._plans) >= KEPT:
                self._plans.pop(next(iter(self._plans)))
            self._plans[key] = (pool, *self.plan(pool))
        return self._plans[key]
