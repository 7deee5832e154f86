#include "conformance/backends/torch/mapping.h"

#include <ATen/native/Pool.h>

namespace poolproof::torch {
namespace {

using adapter::Axis;
using adapter::PoolCall;
using adapter::Rule;

constexpr Rule kRules[] = {
    {"element type u16, u32 or u64", "PyTorch 1 has no such tensor type",
     [](const PoolCall& call) { return !DataType(call.type).has_value(); }},
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

}  // namespace

std::span<const Rule> Rules() { return kRules; }

std::optional<c10::ScalarType> DataType(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F64: return c10::kDouble;
    case POOLPROOF_F32: return c10::kFloat;
    case POOLPROOF_F16: return c10::kHalf;
    case POOLPROOF_BF16: return c10::kBFloat16;
    case POOLPROOF_I8: return c10::kChar;
    case POOLPROOF_U8: return c10::kByte;
    case POOLPROOF_I16: return c10::kShort;
    case POOLPROOF_I32: return c10::kInt;
    case POOLPROOF_I64: return c10::kLong;
    default: return std::nullopt;
  }
}

bool CeilMode(const PoolCall& call) { return call.rounding != adapter::Rounding::kFloor; }

std::vector<int64_t> InputSizes(const PoolCall& call) { return {call.dims.begin(), call.dims.begin() + call.rank}; }

std::vector<int64_t> Spatial(const PoolCall& call, int64_t Axis::* field) {
  std::vector<int64_t> out;
  for (int i = 0; i < call.Spatial(); ++i) out.push_back(call.axes[static_cast<size_t>(i)].*field);
  return out;
}

void TakeOutputSizes(PoolCall* call) {
  if (call->op->adaptive) return;
  for (int i = 0; i < call->Spatial(); ++i) {
    Axis& axis = call->axes[static_cast<size_t>(i)];
    axis.out = at::native::pooling_output_shape<int64_t>(axis.in, axis.kernel, axis.pad_begin, axis.stride,
                                                         axis.dilation, CeilMode(*call));
  }
}

}  // namespace poolproof::torch
