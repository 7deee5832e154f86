"""PyTorch on any of its devices as a backend: the functions of torch.nn.functional, and for a call of PyTorch's own
pages the layer of torch.nn, with its arguments as they are.

Options: device=NAME as torch.device takes it, cpu by default; memory_format=contiguous or channels_last; compile=0 or
1, which is torch.compile for each call; deterministic=0 or 1, which asks PyTorch for deterministic algorithms.
"""

import ctypes
import dataclasses
import re
import warnings

import device_backend
import pool_call
import poolproof
from device_backend import TYPES, one_line, take_word
from pool_call import Rule

RULES = (
    Rule("auto_pad same_upper or same_lower", "the functions take numbers", lambda p: p.auto_pad.startswith("same")),
    Rule("pads that differ between begin and end", "the functions take one per axis", lambda p: p.begin != p.end),
    Rule(
        "dilations of a mean", "avg_pool has none", lambda p: not p.operator.maximum and max(p.dilations, default=1) > 1
    ),
)
CHANNELS_LAST = (
    Rule("channels_last with one spatial axis", "there is no such format", lambda p: p.spatial == 1),
    Rule("channels_last without a batch", "there is no such format", lambda p: len(p.shape) == p.spatial + 1),
)
PREFIX = "torch."  # of the operators of PyTorch's own pages
UNBATCHED = ".unbatched"  # at the end of those whose input has no batch
# How PyTorch says that it does not have what a call asks for, rather than that the call is wrong.
HAS_NOT = re.compile("not implemented|not supported|unsupported|half of|deterministic", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Layer(pool_call.Pool):
    """A call of PyTorch's own pages. What is wrong with an argument is for the layer to say."""

    operator: pool_call.Operator = None
    arguments: dict = dataclasses.field(default_factory=dict)
    index_axis: int = 2

    @property
    def spatial(self):
        return len(self.shape) - (1 if self.op.endswith(UNBATCHED) else 2)

    @property
    def name(self):
        return f"{self.op.removeprefix(PREFIX).removesuffix(UNBATCHED)}{self.spatial}d"


def read_layer(call):
    """The Layer of a call. Raises InvalidArgument where there is none over its number of axes."""
    source, indices = call.inputs[0], call.output_count == 2
    operator = pool_call.Operator("Max" in call.op, adaptive=len(call.inputs) == 2, indices=indices)
    sizes = tuple(call.inputs[1].data.tolist()) if operator.adaptive else ()
    named = call.attributes | ({"output_size": sizes} if operator.adaptive else {})
    named |= {"return_indices": True} if indices else {}
    layer = Layer(call.op, source.type, tuple(source.shape), sizes=sizes, operator=operator, arguments=named)
    if not 1 <= layer.spatial <= 3:
        raise poolproof.InvalidArgument(f"there is no layer {layer.name}")
    if layer.name != "LPPool1d":
        return layer
    # By its page it takes single numbers, and it takes nothing else.
    single = {key: value[0] if isinstance(value, list) and len(value) == 1 else value for key, value in named.items()}
    return dataclasses.replace(layer, arguments=single)


def arguments(pool):
    """The arguments, by name, of the function for a pooling."""
    if pool.operator.adaptive:
        named = {"output_size": pool.sizes}
    else:
        # ceil and ceil_torch both become ceil_mode=True, the only other rounding that there is.
        named = {"kernel_size": pool.kernel, "stride": pool.strides, "padding": pool.begin}
        named["ceil_mode"] = pool.rounding != "floor"
        named |= {"dilation": pool.dilations} if pool.operator.maximum else {"count_include_pad": not pool.exclude_pad}
    return named | ({"return_indices": True} if pool.operator.indices else {})


class TorchDevice(device_backend.DeviceBackend):
    def __init__(self, options):
        device = options.pop("device", "cpu")
        self._channels_last = take_word(options, "memory_format", ("contiguous", "channels_last")) == "channels_last"
        self._compile = take_word(options, "compile", ("0", "1")) == "1"
        deterministic = take_word(options, "deterministic", ("0", "1")) == "1"
        super().__init__(options)
        self._torch = torch = device_backend.library("torch")
        self.name, self.version = f"torch-{device}", torch.__version__
        self.rules = RULES + CHANNELS_LAST * self._channels_last
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        torch.use_deterministic_algorithms(deterministic)
        warnings.filterwarnings("ignore", message="The given buffer is not writable")
        # Errors of a device that no longer answers; they say nothing about the call.
        self._broken = tuple(getattr(torch, n) for n in ("AcceleratorError", "OutOfMemoryError") if hasattr(torch, n))
        try:
            self._device = torch.empty(1, device=device).device
        except (RuntimeError, AssertionError, ImportError) as error:
            raise poolproof.InvalidArgument(f"option device is {device}: {one_line(error)}") from error
        if self._compile:
            self._prepare_compiler()

    def _prepare_compiler(self):
        config = device_backend.library("torch._dynamo").config
        # Beyond its limit PyTorch would quietly stop compiling.
        config.recompile_limit = config.accumulated_recompile_limit = 1 << 30
        inductor = device_backend.library("torch._inductor").config
        # A precompiled header has twice the size that a file in the cell may have.
        inductor.cpp_cache_precompile_headers = False
        inductor.compile_threads = 1
        # Starts the compiler now, so that its start does not count against the first case.
        self._torch.compile(lambda x: x + 1)(self._torch.zeros(1, device=self._device))

    def read(self, call):
        if not call.op.startswith(PREFIX):
            return super().read(call)
        pool_call.check_rules(self.rules[len(RULES) :], layer := read_layer(call))
        return layer

    def plan(self, pool):
        torch = self._torch
        dtype = getattr(torch, TYPES.get(pool.type, ""), None)
        if dtype is None:
            raise poolproof.Unsupported(f"PyTorch has no element type for {pool.type}")
        try:
            compute = plain = self._function(pool)
            if self._compile:
                compute = torch.compile(plain, fullgraph=True, dynamic=False)
            if device_backend.is_large(pool):
                results = plain(torch.empty(pool.shape, dtype=dtype, device="meta"))
            else:
                results = compute(self._placed(torch.zeros(pool.shape, dtype=dtype)))
        except self._broken:
            raise
        except (RuntimeError, TypeError, ValueError) as error:
            kind = poolproof.Unsupported if HAS_NOT.search(str(error)) else poolproof.InvalidArgument
            raise kind(f"PyTorch says: {one_line(error)}") from error
        values = results[0] if pool.operator.indices else results
        return (compute, dtype), tuple(values.shape)

    def _function(self, pool):
        nn = self._torch.nn
        if isinstance(pool, Layer):
            return getattr(nn, pool.name)(**pool.arguments)
        adaptive, kind = "adaptive_" * pool.operator.adaptive, "max" if pool.operator.maximum else "avg"
        function, named = getattr(nn.functional, f"{adaptive}{kind}_pool{pool.spatial}d"), arguments(pool)
        return lambda x: function(x, **named)

    def execute(self, plan, pool, data):
        compute, dtype = plan
        torch = self._torch
        x = torch.frombuffer(data, dtype=dtype).view(pool.shape) if data.size else torch.empty(pool.shape, dtype=dtype)
        results = compute(self._placed(x))
        if not pool.operator.indices:
            return [_bytes(results)]
        return [_bytes(results[0]), results[1].cpu().numpy()]

    def _placed(self, x):
        x = x.to(self._device)
        if not self._channels_last:
            return x
        return x.contiguous(memory_format=getattr(self._torch, "channels_last" + "_3d" * (x.dim() == 5)))


def _bytes(tensor):
    """The elements of a tensor, of which some types have no name in NumPy."""
    dense = tensor.cpu().contiguous()
    return ctypes.string_at(dense.data_ptr(), dense.numel() * dense.element_size()) if dense.numel() else b""


if __name__ == "__main__":
    poolproof.serve(TorchDevice)
