// The fast implementation against the oracle, on every instruction set of this machine.
//
// - the same status, the same description of the outputs
// - every element as the oracle's, inside the tolerance, or what a silence of the documents allows
// - no access outside the tensors (sanitizers; tensors have exactly their size), no changed input
#include "fuzz/against_reference.h"
#include "fuzz/harness.h"
#include "fuzz/own_instance.h"
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  static poolproof_instance* instance = fuzz::NewOwnInstance();
  static const std::vector<std::string> targets = optimized::Targets();
  static fuzz::AgainstReference comparison{reference::Readings()};
  const Problem& problem = fuzz::RecentProblem(data, size);
  if (!comparison.Prepare(problem)) return 0;
  const uint64_t hash = fuzz::HashOf(data, size);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (kOneTarget && i != hash % targets.size()) continue;
    optimized::SelectTarget(targets[i]);
    const std::string difference =
        comparison.Compare(optimized::Backend(), instance, (hash + i) % 2 == 0 ? std::byte{0x5a} : std::byte{0xa5});
    if (!difference.empty()) fuzz::Fail(problem, "on " + targets[i] + ": " + difference);
  }
  return 0;
}
