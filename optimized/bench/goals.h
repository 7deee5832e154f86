// Goals of our kernels, per class of workloads, and whether they reach them.
#ifndef POOLPROOF_OPTIMIZED_BENCH_GOALS_H_
#define POOLPROOF_OPTIMIZED_BENCH_GOALS_H_

#include <vector>

#include "optimized/bench/outcome.h"

namespace poolproof::optimized {

// Prints the goals of those workloads that were measured. A ratio is how many times longer the other one
// takes.
void PrintGoals(const std::vector<Outcome>& outcomes);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_BENCH_GOALS_H_
