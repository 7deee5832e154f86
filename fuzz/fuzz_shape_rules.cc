// The shape rules alone: of any call, however absurd, the oracle and the fast implementation say
// the same, without touching memory for data.
#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "fuzz/recent_problems.h"
#include "optimized/core/backend.h"
#include "reference/reference.h"

namespace {

poolproof_instance* NewInstance() {
  poolproof_instance* instance = nullptr;
  if (poolproof::optimized::Backend().create(nullptr, 0, &instance, nullptr, 0) != POOLPROOF_OK) {
    std::abort();
  }
  return instance;
}

bool SameShape(const poolproof_tensor& a, const poolproof_tensor& b) {
  return a.element_type == b.element_type && a.rank == b.rank && a.size_bytes == b.size_bytes &&
         a.frac_bits == b.frac_bits && std::equal(a.dims, a.dims + a.rank, b.dims);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  static poolproof_instance* instance = NewInstance();
  const Problem& problem = fuzz::RecentProblem(data, size);
  Call want, got;
  want.Bind(problem);
  got.Bind(problem);
  reference::Context context;
  const poolproof_status expected = reference::InferShapes(want.call, context);
  const poolproof_status status = optimized::Backend().infer_shapes(instance, &got.call);
  bool same = status == expected;
  for (size_t i = 0; same && status == POOLPROOF_OK && i < want.call.output_count; ++i) {
    same = SameShape(want.outputs[i], got.outputs[i]);
  }
  if (same) return 0;
  std::fprintf(stderr, "status %d (%s), expected %d (%s)\nPROBLEM: %s\n", status,
               optimized::Backend().last_error(instance), expected, context.error.c_str(),
               PrintLine(problem).c_str());
  std::abort();
}
