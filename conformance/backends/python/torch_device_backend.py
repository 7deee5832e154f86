"""PyTorch on any of its devices as a backend: the functions of torch.nn.functional.

Options: device=NAME as torch.device takes it, cpu by default; memory_format=contiguous or channels_last; compile=0 or
1, which is torch.compile for each call; deterministic=0 or 1, which asks PyTorch for deterministic algorithms.
"""

import ctypes
import re
import warnings

import device_backend
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
CHANNELS_LAST = Rule("channels_last with one spatial axis", "there is no such format", lambda p: p.spatial == 1)
# How PyTorch says that it does not have what a call asks for, rather than that the call is wrong.
HAS_NOT = re.compile("not implemented|not supported|unsupported|half of|deterministic", re.IGNORECASE)


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
        self.rules = RULES + (CHANNELS_LAST,) * self._channels_last
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        torch.use_deterministic_algorithms(deterministic)
        warnings.filterwarnings("ignore", message="The given buffer is not writable")
        if self._compile:
            config = device_backend.library("torch._dynamo").config
            # Beyond its limit PyTorch would quietly stop compiling.
            config.recompile_limit = config.accumulated_recompile_limit = 1 << 30
        # Errors of a device that no longer answers; they say nothing about the call.
        self._broken = tuple(getattr(torch, n) for n in ("AcceleratorError", "OutOfMemoryError") if hasattr(torch, n))
        try:
            self._device = torch.empty(1, device=device).device
        except (RuntimeError, AssertionError, ImportError) as error:
            raise poolproof.InvalidArgument(f"option device is {device}: {one_line(error)}") from error

    def plan(self, pool):
        torch, named = self._torch, arguments(pool)
        dtype = getattr(torch, TYPES.get(pool.type, ""), None)
        if dtype is None:
            raise poolproof.Unsupported(f"PyTorch has no element type for {pool.type}")
        adaptive, kind = "adaptive_" * pool.operator.adaptive, "max" if pool.operator.maximum else "avg"
        function = getattr(torch.nn.functional, f"{adaptive}{kind}_pool{pool.spatial}d")
        compute = plain = lambda x: function(x, **named)
        if self._compile:
            compute = torch.compile(plain, fullgraph=True, dynamic=False)
        try:
            if device_backend.is_large(pool):
                results = plain(torch.empty(pool.shape, dtype=dtype, device="meta"))
            else:
                results = compute(self._placed(torch.zeros(pool.shape, dtype=dtype)))
        except self._broken:
            raise
        except RuntimeError as error:
            kind = poolproof.Unsupported if HAS_NOT.search(str(error)) else poolproof.InvalidArgument
            raise kind(f"PyTorch says: {one_line(error)}") from error
        values = results[0] if pool.operator.indices else results
        return (compute, dtype), tuple(values.shape)

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
