#include "optimized/core/tensors.h"

#include <cassert>
#include <string>

namespace poolproof::optimized {
namespace {

// Bytes of a dense tensor of 8-byte elements at most; false where they exceed what can be addressed.
bool FitsInMemory(const int64_t* dims, int32_t rank) {
  int64_t bytes = 8;
  for (int32_t i = 0; i < rank; ++i) {
    if (__builtin_mul_overflow(bytes, dims[i], &bytes) || bytes > int64_t{1} << 60) return false;
  }
  return true;
}

}  // namespace

bool IsFloat(poolproof_element_type type) {
  return type == POOLPROOF_F64 || type == POOLPROOF_F32 || type == POOLPROOF_F16 || type == POOLPROOF_BF16;
}

Result CheckCounts(const poolproof_call& call, size_t inputs) {
  if (call.input_count != inputs) {
    return Result::Invalid(std::string(call.op) + " takes " + std::to_string(inputs) + " inputs, the call has " +
                           std::to_string(call.input_count));
  }
  return Result::Ok();
}

Result CheckInput(const poolproof_tensor& tensor) {
  if (BytesOf(tensor.element_type) == 0) {
    return Result::Invalid("element type " + std::to_string(tensor.element_type) + " is unknown");
  }
  for (int32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] < 1) {
      return Result::Invalid("dimension " + std::to_string(i) + " of the input is " + std::to_string(tensor.dims[i]) +
                             ", must be >= 1");
    }
  }
  if (!FitsInMemory(tensor.dims, tensor.rank)) return Result::Invalid("the input is too large");
  return Result::Ok();
}

Result CheckSize(const OutputShape& shape) {
  return FitsInMemory(shape.dims, shape.rank) ? Result::Ok() : Result::Invalid("the output is too large");
}

size_t BytesOf(const OutputShape& shape) {
  assert(FitsInMemory(shape.dims, shape.rank));
  size_t bytes = BytesOf(shape.element_type);
  for (int32_t i = 0; i < shape.rank; ++i) bytes *= static_cast<size_t>(shape.dims[i]);
  return bytes;
}

Axis AdaptiveAxis(int64_t in, int64_t out) {
  assert(in >= 1 && out >= 1);
  Axis axis;
  axis.in = in;
  axis.out = out;
  if (in % out == 0) {
    axis.kernel = axis.stride = in / out;
  } else {
    axis.adaptive = true;
    axis.kernel = in / out + 2;  // at most
  }
  return axis;
}

Result CheckFeatureMap(const poolproof_call& call, size_t inputs, int outer) {
  if (Result r = CheckCounts(call, inputs); !r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  if (in.rank < outer + 1 || in.rank > outer + 3) {
    return Result::Invalid("the input has rank " + std::to_string(in.rank) + ", must be " + std::to_string(outer + 1) +
                           " to " + std::to_string(outer + 3));
  }
  if (in.element_type == POOLPROOF_FX8 || in.element_type == POOLPROOF_FX16) {
    return Result::Invalid(std::string(call.op) + " takes no fixed-point tensors");
  }
  return CheckInput(in);
}

void SetOuter(const poolproof_tensor& in, Plan& plan, int outer) {
  plan.type = in.element_type;
  plan.outer = outer == kBatched ? in.dims[0] * in.dims[1] : in.dims[0];
}

Result SetOutputs(const poolproof_tensor& in, Parsed& parsed, int outer) {
  Plan& plan = parsed.plan;
  OutputShape& values = parsed.output[0];
  values = {in.element_type, in.rank, {}, 0};
  for (int i = 0; i < in.rank; ++i) values.dims[i] = i < outer ? in.dims[i] : plan.axis[3 - in.rank + i].out;
  parsed.outputs = plan.index_type != 0 ? 2 : 1;
  parsed.output[1] = values;
  parsed.output[1].element_type = plan.index_type;
  return CheckSize(values);
}

}  // namespace poolproof::optimized
