// The divisor of a sum.
#pragma once

#include <cstdint>

#include "reference/plan.h"

namespace poolproof::reference {

// The number of taps that count in the window `taps` of the output element at `at`; 0 where none
// does; or the divisor that the call gives, at least 1. Adds to context.touched the entries whose other reading would
// give another number.
int64_t DivisorOf(const Plan& plan, const OutputPosition& at, const WindowTaps& taps, Context& context);

}  // namespace poolproof::reference
