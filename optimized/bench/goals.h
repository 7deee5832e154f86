// Goals of our kernels, per class of workloads, and whether they reach them.
#pragma once

#include <vector>

#include "optimized/bench/outcome.h"

namespace poolproof::optimized {

// Prints the goals of those workloads that were measured. A ratio is how many times longer the other one
// takes.
void PrintGoals(const std::vector<Outcome>& outcomes);

}  // namespace poolproof::optimized
