// A random share of what a claim says, run and judged once more: what no look at the claim alone can find is a failure
// that was written as a pass everywhere at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/claim/claim.h"

namespace poolproof {

// How many cases of all.
struct Share {
  uint64_t cases = 0;  // 0: it is a percentage
  double percent = 100;
};

// "1000" or "2.5%". One sentence in `error` where the text is anything else.
std::optional<Share> ParseShare(std::string_view text, Error* error);

struct RejudgeRequest {
  LaneOptions lane;  // its options are those of the claim
  Share share;
  uint64_t seed = 0;       // by which the share is drawn
  bool any_build = false;  // of the backend, not the claim's alone
};

// Runs a share of a claim that was verified; `count` is how many of its cases had a verdict both times. Refused, with
// one sentence that names the case, is what is not as the claim says, unless its baseline says that it may vary.
bool Rejudge(const Specs& specs, const OpenClaim& claim, RejudgeRequest request, uint64_t* count, int* exit_code,
             Error* error);

}  // namespace poolproof
