#include "conformance/properties/differential_compare.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "optimized/core/backend.h"
#include "optimized/core/target.h"

namespace poolproof {

Comparer::Comparer(const std::vector<std::string>& options) {
  Error error;
  backend_ = InProcessBackend::Link(optimized::Backend(), options, &error);
  if (backend_ != nullptr) return;
  std::fprintf(stderr, "%s\n", error.message.c_str());
  std::abort();
}

// Whether the last outputs are those of run 0, which this one may be.
bool Comparer::SameBitsAsFirst(size_t run) {
  const Result& got = oracle_.got();
  bool same = true;
  for (size_t i = 0; got.status == POOLPROOF_OK && i < got.output_count; ++i) {
    const auto* bytes = static_cast<const std::byte*>(got.outputs[i].data);
    const std::byte* end = bytes + got.outputs[i].size_bytes;
    if (run == 0) first_[i].assign(bytes, end);
    same &= std::equal(bytes, end, first_[i].begin(), first_[i].end());
  }
  return same;
}

std::string Comparer::Compare(const Problem& problem, const std::vector<std::string>& targets) {
  constexpr size_t kMaxBytes = 1 << 28;  // of memory that is only reserved until it is written
  oracle_.Prepare(problem);
  for (size_t run = 0; run < 2 * std::max<size_t>(targets.size(), 1); ++run) {
    if (!targets.empty()) optimized::SelectTarget(targets[run / 2]);
    const bool at_end = run % 2 == 0;
    // Two prefills: a byte that is not written differs from run to run.
    std::string difference = oracle_.Compare(*backend_, {.placement = at_end ? Placement::kAtEnd : Placement::kAtBegin,
                                                         .prefill = at_end ? std::byte{0xa5} : std::byte{0x5a},
                                                         .max_bytes = kMaxBytes});
    if (difference.empty() && !SameBitsAsFirst(run)) {
      difference = "other bits than on " + (targets.empty() ? "the first run" : targets[0]);
    }
    if (!difference.empty()) return targets.empty() ? difference : targets[run / 2] + ": " + difference;
  }
  return "";
}

}  // namespace poolproof
