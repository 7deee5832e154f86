// The largest tensors that are run, and why a problem is too large for them.
#pragma once

#include <cstdint>
#include <string>

#include "conformance/cases/problem.h"

namespace poolproof {

// The largest feature map and output that are run, in bytes: somewhat more than 2^31 elements of one byte.
inline constexpr int64_t kMaxRunBytes = (int64_t{1} << 31) + (int64_t{1} << 22);
// Why a problem cannot be judged whole, as a sentence without full stop; "" if it can.
std::string WhyTooLarge(const Problem& problem);

}  // namespace poolproof
