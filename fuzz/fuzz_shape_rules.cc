// The shape rules alone: of any call, however absurd, the oracle and the fast implementation say
// the same, without touching memory for data.
#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <cstdio>
#include <cstdlib>

#include "fuzz/agreement.h"
#include "fuzz/own_instance.h"
#include "fuzz/recent_problems.h"
#include "optimized/core/backend.h"
#include "reference/reference.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  static poolproof_instance* instance = fuzz::NewOwnInstance();
  const Problem& problem = fuzz::RecentProblem(data, size);
  Call want, got;
  want.Bind(problem);
  got.Bind(problem);
  reference::Context context;
  const poolproof_status expected = reference::InferShapes(want.call, context);
  const poolproof_status status = optimized::Backend().infer_shapes(instance, &got.call);
  bool same = status == expected;
  for (size_t i = 0; same && status == POOLPROOF_OK && i < want.call.output_count; ++i) {
    same = fuzz::SameDescription(want.outputs[i], got.outputs[i]) &&
           want.outputs[i].size_bytes == got.outputs[i].size_bytes;
  }
  if (same) return 0;
  std::fprintf(stderr, "status %d (%s), expected %d (%s)\nPROBLEM: %s\n", status,
               optimized::Backend().last_error(instance), expected, context.error.c_str(), PrintLine(problem).c_str());
  std::abort();
}
