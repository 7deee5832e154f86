// The fast implementation against the oracle, on every instruction set of this machine.
//
// - the same status, the same description of the outputs
// - every element as the oracle's, inside the tolerance, or what a silence of the documents allows
// - no access outside the tensors (sanitizers; tensors have exactly their size), no changed input
#include "conformance/properties/against_oracle.h"
#include "fuzz/harness.h"
#include "fuzz/problem_from_bytes.h"
#include "optimized/core/backend.h"
#include "optimized/core/target.h"

namespace {

// A fuzzer comes by with many problems like this one, each on an instruction set that its bytes
// choose; a replay tries each problem on all of them.
#ifdef POOLPROOF_FUZZ_REPLAY
constexpr bool kOneTarget = false;
#else
constexpr bool kOneTarget = true;
#endif

poolproof::InProcessBackend& Backend() {
  poolproof::Error error;
  // Never destroyed, since it lasts as long as the process.
  static poolproof::InProcessBackend* backend =
      poolproof::InProcessBackend::Link(poolproof::optimized::Backend(), {"threads=1"}, &error).release();
  if (backend == nullptr) std::abort();
  return *backend;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  static const std::vector<std::string> targets = optimized::Targets();
  static AgainstOracle comparison({}, Leeway::kDocuments, IsQuickCall);
  const Problem& problem = fuzz::RecentProblem(data, size);
  if (!comparison.Prepare(problem)) return 0;
  const uint64_t hash = fuzz::HashOf(data, size);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (kOneTarget && i != hash % targets.size()) continue;
    optimized::SelectTarget(targets[i]);
    const std::string difference = comparison.Compare(Backend(), fuzz::DrawLayout(hash + i));
    if (!difference.empty()) fuzz::Fail(problem, "on " + targets[i] + ": " + difference);
  }
  return 0;
}
