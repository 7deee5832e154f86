#include "conformance/cases/valid.h"

#include "reference/reference.h"

namespace poolproof {

bool IsValid(const Problem& problem, int64_t max_elements) {
  if (problem.Elements() > max_elements) return false;
  Call call;
  call.Bind(problem);
  reference::Context context;
  if (reference::InferShapes(call.call, context) != POOLPROOF_OK) return false;
  for (size_t i = 0; i < call.call.output_count; ++i) {
    int64_t elements = 1;
    for (int32_t d = 0; d < call.outputs[i].rank; ++d) {
      if (__builtin_mul_overflow(elements, call.outputs[i].dims[d], &elements)) return false;
    }
    if (elements > max_elements) return false;
  }
  return true;
}

}  // namespace poolproof
