// Which problems have an answer.
#pragma once

#include <cstdint>

#include "conformance/cases/problem.h"

namespace poolproof {

// Whether the reference under the profile "documented" answers OK; with fewer elements in the
// inputs and in each output than `max_elements`, so that it can be computed.
bool IsValid(const Problem& problem, int64_t max_elements = int64_t{1} << 24);

}  // namespace poolproof
