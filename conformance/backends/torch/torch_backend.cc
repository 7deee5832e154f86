// PyTorch as a backend: the functions of torch.nn.functional, through libtorch, on the CPU,
// single-threaded.

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool1d.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/adaptive_avg_pool3d.h>
#include <ATen/ops/adaptive_max_pool1d.h>
#include <ATen/ops/adaptive_max_pool2d.h>
#include <ATen/ops/adaptive_max_pool3d.h>
#include <ATen/ops/avg_pool1d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/avg_pool3d.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/max_pool1d.h>
#include <ATen/ops/max_pool1d_with_indices.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool3d.h>
#include <ATen/ops/max_pool3d_with_indices.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "conformance/backends/adapter/entry.h"
#include "conformance/backends/torch/mapping.h"

namespace poolproof::torch {
namespace {

using adapter::Answer;
using adapter::Axis;
using adapter::PoolCall;

// Values, and indices where the function gives them.
struct Pooled {
  at::Tensor values;
  at::Tensor indices;
};

Pooled Both(std::tuple<at::Tensor, at::Tensor> pair) {
  return {std::move(std::get<0>(pair)), std::move(std::get<1>(pair))};
}

Pooled AdaptiveMax(const PoolCall& call, const at::Tensor& x) {
  const auto sizes = Spatial(call, &Axis::out);
  switch (call.Spatial()) {
    case 1: return Both(at::adaptive_max_pool1d(x, sizes));
    case 2: return Both(at::adaptive_max_pool2d(x, sizes));
    default: return Both(at::adaptive_max_pool3d(x, sizes));
  }
}

Pooled AdaptiveAverage(const PoolCall& call, const at::Tensor& x) {
  const auto sizes = Spatial(call, &Axis::out);
  switch (call.Spatial()) {
    case 1: return {at::adaptive_avg_pool1d(x, sizes), {}};
    case 2: return {at::adaptive_avg_pool2d(x, sizes), {}};
    default: return {at::adaptive_avg_pool3d(x, sizes), {}};
  }
}

Pooled MaxWithIndices(const PoolCall& call, const at::Tensor& x) {
  const auto k = Spatial(call, &Axis::kernel), s = Spatial(call, &Axis::stride);
  const auto p = Spatial(call, &Axis::pad_begin), d = Spatial(call, &Axis::dilation);
  const bool ceil = CeilMode(call);
  switch (call.Spatial()) {
    case 1: return Both(at::max_pool1d_with_indices(x, k, s, p, d, ceil));
    case 2: return Both(at::max_pool2d_with_indices(x, k, s, p, d, ceil));
    default: return Both(at::max_pool3d_with_indices(x, k, s, p, d, ceil));
  }
}

Pooled Max(const PoolCall& call, const at::Tensor& x) {
  const auto k = Spatial(call, &Axis::kernel), s = Spatial(call, &Axis::stride);
  const auto p = Spatial(call, &Axis::pad_begin), d = Spatial(call, &Axis::dilation);
  const bool ceil = CeilMode(call);
  switch (call.Spatial()) {
    case 1: return {at::max_pool1d(x, k, s, p, d, ceil), {}};
    case 2: return {at::max_pool2d(x, k, s, p, d, ceil), {}};
    default: return {at::max_pool3d(x, k, s, p, d, ceil), {}};
  }
}

Pooled Average(const PoolCall& call, const at::Tensor& x) {
  const auto k = Spatial(call, &Axis::kernel), s = Spatial(call, &Axis::stride);
  const auto p = Spatial(call, &Axis::pad_begin);
  const bool ceil = CeilMode(call), include = !call.exclude_pad;
  switch (call.Spatial()) {
    case 1: return {at::avg_pool1d(x, k, s, p, ceil, include), {}};
    case 2: return {at::avg_pool2d(x, k, s, p, ceil, include), {}};
    default: return {at::avg_pool3d(x, k, s, p, ceil, include), {}};
  }
}

Pooled Pool(const PoolCall& call, const at::Tensor& x) {
  if (call.op->adaptive) return call.Max() ? AdaptiveMax(call, x) : AdaptiveAverage(call, x);
  if (!call.Max()) return Average(call, x);
  return call.op->indices ? MaxWithIndices(call, x) : Max(call, x);
}

Answer FromError(const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  if (text.find("not implemented for") != std::string::npos) {
    return adapter::Unsupported("PyTorch has no kernel: " + text);
  }
  return adapter::Invalid("PyTorch rejects the call: " + text);
}

// A call of the same function and type over two elements per axis: for a single one, PyTorch takes
// adaptive functions for a reduction, which has more types.
PoolCall Smallest(const PoolCall& call) {
  PoolCall smallest = call;
  smallest.dims = {1, 1, 2, 2, 2};
  smallest.axes.fill(Axis{2, 1, 1, 1, 0, 0, 2});
  return smallest;
}

class TorchAdapter final : public adapter::PoolAdapter {
 public:
  TorchAdapter() : PoolAdapter(Rules()) { at::set_num_threads(1); }

 protected:
  Answer Prepare(PoolCall* call) override {
    try {
      TakeOutputSizes(call);
    } catch (const c10::Error& error) {
      return FromError(error);
    }
    return HasKernel(*call);
  }

  Answer Compute(const PoolCall& call, const void* input, void* values, void* indices) override {
    const c10::InferenceMode no_gradients;
    try {
      // The functions only read their input; from_blob takes no const.
      const at::Tensor x =
          at::from_blob(const_cast<void*>(input), InputSizes(call), at::TensorOptions(*DataType(call.type)));
      const Pooled pooled = Pool(call, x);
      return Copy(call, pooled, values, indices);
    } catch (const c10::Error& error) {
      return FromError(error);
    }
  }

 private:
  // Whether PyTorch has the function for the element type, found out by calling it once.
  Answer HasKernel(const PoolCall& call) {
    const auto [found, is_new] = kernels_.try_emplace({call.op, call.type, call.rank});
    if (!is_new) return found->second;
    const c10::InferenceMode no_gradients;
    const PoolCall smallest = Smallest(call);
    int64_t elements[8] = {};
    try {
      Pool(smallest, at::from_blob(elements, InputSizes(smallest), at::TensorOptions(*DataType(call.type))));
    } catch (const c10::Error& error) {
      found->second = FromError(error);
    }
    return found->second;
  }

  static Answer Copy(const PoolCall& call, const Pooled& pooled, void* values, void* indices) {
    const int64_t elements = call.Planes() * call.OutputPlane();
    if (pooled.values.numel() != elements) {
      return {POOLPROOF_INTERNAL_ERROR, "the result has " + std::to_string(pooled.values.numel()) +
                                            " elements, not the announced " + std::to_string(elements)};
    }
    const at::Tensor dense = pooled.values.contiguous();
    std::memcpy(values, dense.data_ptr(), static_cast<size_t>(elements) * adapter::ElementSize(call.type));
    if (indices != nullptr) CopyIndices(call, pooled.indices.contiguous(), indices);
    return {};
  }

  // PyTorch counts indices inside a plane.
  static void CopyIndices(const PoolCall& call, const at::Tensor& dense, void* indices) {
    const int64_t* from = dense.data_ptr<int64_t>();
    const int64_t plane = call.OutputPlane();
    for (int64_t i = 0; i < dense.numel(); ++i) {
      adapter::StoreIndex(call, indices, i, adapter::DocumentedIndex(call, i / plane, from[i]));
    }
  }

  std::map<std::tuple<const adapter::OperatorTraits*, poolproof_element_type, int>, Answer> kernels_;
};

struct Torch {
  static const char* Name() { return "torch"; }
  static const char* Version() { return TORCH_VERSION; }
  static std::span<const adapter::Rule> Rules() { return torch::Rules(); }
  static std::unique_ptr<adapter::Adapter> Make(adapter::Options*) { return std::make_unique<TorchAdapter>(); }
};

}  // namespace
}  // namespace poolproof::torch

POOLPROOF_ADAPTER(poolproof::torch::Torch)
