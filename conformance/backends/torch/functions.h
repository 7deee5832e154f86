// PyTorch's pooling functions by the number of spatial axes, and its element types.
#pragma once

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
#include <ATen/ops/max_pool1d.h>
#include <ATen/ops/max_pool1d_with_indices.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool3d.h>
#include <ATen/ops/max_pool3d_with_indices.h>

#include <optional>
#include <tuple>
#include <utility>

#include "conformance/backend.h"

namespace poolproof::torch {

// Empty where PyTorch has no such type.
inline std::optional<at::ScalarType> ScalarTypeOf(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F64: return at::kDouble;
    case POOLPROOF_F32: return at::kFloat;
    case POOLPROOF_F16: return at::kHalf;
    case POOLPROOF_BF16: return at::kBFloat16;
    case POOLPROOF_I8: return at::kChar;
    case POOLPROOF_U8: return at::kByte;
    case POOLPROOF_I16: return at::kShort;
    case POOLPROOF_I32: return at::kInt;
    case POOLPROOF_I64: return at::kLong;
    default: return std::nullopt;
  }
}

// Parameters of a pooling; lists have one entry per spatial axis.
struct Parameters {
  bool max, adaptive, indices;
  at::IntArrayRef kernel, stride, pad, dilation, sizes;  // sizes: of the output, where adaptive
  bool ceil, include_pad;
};

// Values, and indices where the function has them.
struct Pooled {
  at::Tensor values, indices;

  explicit Pooled(at::Tensor only) : values(std::move(only)) {}
  explicit Pooled(std::tuple<at::Tensor, at::Tensor> both)
      : values(std::move(std::get<0>(both))), indices(std::move(std::get<1>(both))) {}
};

// The function of torch.nn.functional for these parameters, over all dimensions of `x` from 2 on.
inline Pooled Pool(const at::Tensor& x, const Parameters& p) {
  const auto pool = [&](auto one, auto two, auto three, const auto&... arguments) {
    return Pooled(x.dim() == 3 ? one(x, arguments...) : x.dim() == 4 ? two(x, arguments...) : three(x, arguments...));
  };
  if (p.adaptive && p.max) {
    return pool(at::adaptive_max_pool1d, at::adaptive_max_pool2d, at::adaptive_max_pool3d, p.sizes);
  }
  if (p.adaptive) return pool(at::adaptive_avg_pool1d, at::adaptive_avg_pool2d, at::adaptive_avg_pool3d, p.sizes);
  if (!p.max) {
    // These have one parameter more, with a default.
    const auto two = [](const auto&... arguments) { return at::avg_pool2d(arguments...); };
    const auto three = [](const auto&... arguments) { return at::avg_pool3d(arguments...); };
    return pool(at::avg_pool1d, two, three, p.kernel, p.stride, p.pad, p.ceil, p.include_pad);
  }
  if (p.indices) {
    return pool(at::max_pool1d_with_indices, at::max_pool2d_with_indices, at::max_pool3d_with_indices, p.kernel,
                p.stride, p.pad, p.dilation, p.ceil);
  }
  return pool(at::max_pool1d, at::max_pool2d, at::max_pool3d, p.kernel, p.stride, p.pad, p.dilation, p.ceil);
}

}  // namespace poolproof::torch
