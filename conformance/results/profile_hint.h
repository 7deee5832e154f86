// Hint at the profile that a backend seems to follow.
#pragma once

#include <optional>
#include <string>

#include "conformance/results/run_result.h"

namespace poolproof {

// The profile that explains most of the deviations of a run. Nothing where nothing deviates or no other profile
// explains any.
std::optional<ProfileHint> FindProfileHint(const Tally& tally, const std::string& selected);

}  // namespace poolproof
