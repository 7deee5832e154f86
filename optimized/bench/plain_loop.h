// The loop as a programmer writes it who leaves the rest to the compiler.
#pragma once

#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Means or maxima, of finite values in ordinary windows, none of which lies wholly in the padding. Indices
// are int64.
void PlainLoop(const Plan& plan, bool mean, const Buffers& buffers);

}  // namespace poolproof::optimized
