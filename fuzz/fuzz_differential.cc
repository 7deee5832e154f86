// The fast implementation against the oracle, on every instruction set of this machine.
//
// - the same status, the same description of the outputs
// - every element as the oracle's, inside the tolerance, or what a silence of the documents allows
// - no access outside the tensors (sanitizers; tensors have exactly their size), no changed input
#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <cstdio>
#include <cstdlib>

#include "fuzz/against_reference.h"
#include "fuzz/problem_from_bytes.h"
#include "optimized/core/backend.h"
#include "optimized/core/target.h"

namespace {

poolproof_instance* NewInstance() {
  poolproof_instance* instance = nullptr;
  if (poolproof::optimized::Backend().create(nullptr, 0, &instance, nullptr, 0) != POOLPROOF_OK) {
    std::abort();
  }
  return instance;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  static poolproof_instance* instance = NewInstance();
  static const std::vector<std::string> targets = optimized::Targets();
  static fuzz::AgainstReference comparison{reference::Readings()};
  const Problem problem = fuzz::ProblemFromBytes(fuzz::BuiltInSpecs(), data, size);
  if (!comparison.Prepare(problem)) return 0;
  std::byte prefill{0x5a};
  for (const std::string& target : targets) {
    optimized::SelectTarget(target);
    const std::string difference =
        comparison.Compare(optimized::Backend(), instance, prefill ^= std::byte{0xff});
    if (difference.empty()) continue;
    std::fprintf(stderr, "on %s: %s\nPROBLEM: %s\n", target.c_str(), difference.c_str(),
                 PrintLine(problem).c_str());
    std::abort();
  }
  return 0;
}
