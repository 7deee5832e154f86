// PyTorch as a backend: the functions of torch.nn.functional, through libtorch, on the CPU,
// single-threaded.

#include <ATen/Parallel.h>
#include <ATen/native/Pool.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include "conformance/backends/adapter/entry.h"
#include "conformance/backends/torch/functions.h"

namespace poolproof::torch {
namespace {

using adapter::Axis;
using adapter::PoolCall;
using adapter::Rule;

constexpr Rule kRules[] = {
    {"element type u16, u32 or u64", "PyTorch 1 has no such tensor type",
     [](const PoolCall& call) { return !ScalarTypeOf(call.type).has_value(); }},
    {"pads that differ between begin and end",
     "the functions take one padding per axis; padding with -inf beforehand is another operation",
     [](const PoolCall& call) {
       return call.AnyAxis([](const Axis& axis) { return axis.pad_begin != axis.pad_end; });
     }},
    {"a pad above half the kernel", "the functions document this limit and reject it",
     [](const PoolCall& call) {
       return call.AnyAxis([](const Axis& axis) { return axis.pad_begin > axis.kernel / 2; });
     }},
};

// ceil and ceil_torch both become ceil_mode=True, the only other rounding that PyTorch has.
bool CeilMode(const PoolCall& call) { return call.rounding != adapter::Rounding::kFloor; }

Pooled Pool(const PoolCall& call, const void* input) {
  const c10::InferenceMode no_gradients;
  // The functions only read their input; from_blob takes no const.
  const at::Tensor x = at::from_blob(const_cast<void*>(input), call.dims, at::TensorOptions(*ScalarTypeOf(call.type)));
  const auto kernel = call.Each(&Axis::kernel), stride = call.Each(&Axis::stride), pad = call.Each(&Axis::pad_begin),
             dilation = call.Each(&Axis::dilation), sizes = call.Each(&Axis::out);
  return torch::Pool(x, {call.op->max, call.op->adaptive, call.op->indices, kernel, stride, pad, dilation, sizes,
                         CeilMode(call), !call.exclude_pad});
}

[[noreturn]] void Refuse(const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  if (text.find("not implemented for") != std::string::npos) {
    throw backend::Unsupported("PyTorch has no kernel: " + text);
  }
  throw backend::InvalidArgument("PyTorch rejects the call: " + text);
}

// A call of the same function and type over two elements per axis: for a single one, PyTorch takes
// adaptive functions for a reduction, which has more types.
PoolCall Smallest(const PoolCall& call) {
  PoolCall smallest = call;
  for (size_t i = 0; i < call.dims.size(); ++i) smallest.dims[i] = i < 2 ? 1 : 2;
  for (Axis& axis : smallest.axes) axis = Axis{2, 1, 1, 1, 0, 0, 2};
  return smallest;
}

class Torch final : public adapter::PoolAdapter {
 public:
  explicit Torch(adapter::Options*) : PoolAdapter(kRules) { at::set_num_threads(1); }
  static std::span<const Rule> Rules() { return kRules; }

 protected:
  // PyTorch computes output sizes itself.
  void Prepare(PoolCall* call) override try {
    if (!call->op->adaptive) {
      for (Axis& axis : call->axes) {
        axis.out = at::native::pooling_output_shape<int64_t>(axis.in, axis.kernel, axis.pad_begin, axis.stride,
                                                             axis.dilation, CeilMode(*call));
      }
    }
    CheckKernel(*call);
  } catch (const c10::Error& error) {
    Refuse(error);
  }

  // Indices are positions in a plane.
  void Compute(const PoolCall& call, const void* input, void* values, void* indices) override try {
    const Pooled pooled = Pool(call, input);
    const int64_t plane = call.OutputPlane(), elements = call.Planes() * plane;
    if (pooled.values.numel() != elements) {
      throw std::runtime_error("the result has " + std::to_string(pooled.values.numel()) +
                               " elements, not the announced " + std::to_string(elements));
    }
    const at::Tensor dense = pooled.values.contiguous();
    std::memcpy(values, dense.data_ptr(), static_cast<size_t>(elements) * backend::ElementSize(call.type));
    if (indices == nullptr) return;
    const at::Tensor dense_indices = pooled.indices.contiguous();
    const int64_t* from = dense_indices.data_ptr<int64_t>();
    adapter::StoreIndices(call, indices, [&](int64_t at, int64_t cell) { return from[at * plane + cell]; });
  } catch (const c10::Error& error) {
    Refuse(error);
  }

 private:
  // Throws where PyTorch does not have the function for the element type, found out by calling it once.
  void CheckKernel(const PoolCall& call) {
    const auto [found, is_new] = errors_.try_emplace({call.op, call.type, call.dims.size()});
    if (is_new) {
      const int64_t elements[8] = {};
      try {
        Pool(Smallest(call), elements);
      } catch (const c10::Error&) {
        found->second = std::current_exception();
      }
    }
    if (found->second) std::rethrow_exception(found->second);
  }

  std::map<std::tuple<const adapter::OperatorTraits*, poolproof_element_type, size_t>, std::exception_ptr> errors_;
};

}  // namespace
}  // namespace poolproof::torch

POOLPROOF_ADAPTER(poolproof::torch::Torch, "torch", TORCH_VERSION)
