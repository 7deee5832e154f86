// Checks and shapes of the OpenVINO pooling operators: MaxPool, AvgPool, AdaptiveMaxPool and AdaptiveAvgPool. Open
// points of the documents are resolved as the profile "documented" resolves them.
#pragma once

#include "conformance/backend.h"
#include "optimized/core/operator.h"

namespace poolproof::optimized {

// Attributes of one version of a pooling operator with a fixed window.
struct FixedPool {
  bool ceil_torch = false;  // rounding_type ceil_torch
  bool dilations = false;
  bool indices = false;      // axis, index_element_type and the second output
  bool exclude_pad = false;  // the operator is an average
};
Result ParseFixedPool(const FixedPool& version, const poolproof_call& call, Parsed& parsed);

struct AdaptivePool {
  bool indices = false;  // index_element_type and the second output
};
// Sets the spatial axes, behind `outer` other dimensions of the first input, from the sizes of the second one.
Result SetAdaptiveAxes(const poolproof_call& call, Plan& plan, int outer = 2);
Result ParseAdaptivePool(const AdaptivePool& version, const poolproof_call& call, Parsed& parsed);

}  // namespace poolproof::optimized
