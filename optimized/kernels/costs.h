// What kernels would take, estimated from the plan.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_COSTS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_COSTS_H_

#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Whether `folded` takes less time than `interleaved` and `rows`, of plans that all three take: maxima without index,
// and means.
bool FoldedIsQuickestForMax(const Plan& plan);
bool FoldedIsQuickestForMean(const Plan& plan);

// Whether `interleaved` takes less time than `rows`.
bool InterleavedIsQuickerForMax(const Plan& plan);
bool InterleavedIsQuickerForMean(const Plan& plan);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_COSTS_H_
