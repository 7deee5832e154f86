// The shape rules alone: of any call, however absurd, the oracle and the fast implementation say
// the same, without touching memory for data.
#include "fuzz/agreement.h"
#include "fuzz/harness.h"
#include "fuzz/own_instance.h"
#include "fuzz/problem_from_bytes.h"
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
  if (status != expected || (status == POOLPROOF_OK && !fuzz::SameOutputs(want.call, got.call))) {
    fuzz::Fail(problem, fuzz::Answers(status, optimized::Backend().last_error(instance), expected, context.error));
  }
  return 0;
}
