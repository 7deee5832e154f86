// Validity of problems, which the oracle decides.
#pragma once

#include <cstdint>

#include "conformance/cases/problem.h"

namespace poolproof {

// Tells whether the reference, under the profile "documented", answers OK and the input and each output have at most
// `max_elements` elements, so that the problem can be computed.
bool IsValid(const Problem& problem, int64_t max_elements = int64_t{1} << 24);

}  // namespace poolproof
