// Checks of tensors that all operators share.
#pragma once

#include <cstddef>

#include "conformance/backend.h"
#include "optimized/core/operator.h"

namespace poolproof::optimized {

bool IsFloat(poolproof_element_type type);

// The call has exactly `inputs` inputs and at least one output.
Result CheckCounts(const poolproof_call& call, size_t inputs);
// Known element type, no dimension below 1, and size_bytes covers all elements.
Result CheckInput(const poolproof_tensor& tensor);
// The dimensions in front of the spatial ones: batch and channels, or channels alone.
inline constexpr int kBatched = 2, kUnbatched = 1;
// The first of `inputs` inputs is a feature map [N, C, spatial...] or [C, spatial...] of one to three spatial axes and
// not of fixed point.
Result CheckFeatureMap(const poolproof_call& call, size_t inputs, int outer = kBatched);
// Sets the type of the plan and its planes.
void SetOuter(const poolproof_tensor& in, Plan& plan, int outer = kBatched);
// Sets the outputs of a feature map, two where the plan has an index type. Fails where they are too large.
Result SetOutputs(const poolproof_tensor& in, Parsed& parsed, int outer = kBatched);
// The bytes of the output fit in memory.
Result CheckSize(const OutputShape& shape);
// Bytes that the output needs. Only for shapes that passed CheckSize.
size_t BytesOf(const OutputShape& shape);

// An adaptive axis, or the fixed one that has the same windows where `in` is a multiple of `out`.
Axis AdaptiveAxis(int64_t in, int64_t out);

}  // namespace poolproof::optimized
