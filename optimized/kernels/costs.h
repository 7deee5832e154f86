// What kernels would take, estimated from the plan.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_COSTS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_COSTS_H_

#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Whether `interleaved` is quicker than `rows`, of plans that both take: maxima without index, and means.
bool InterleavedIsQuickerForMax(const Plan& plan);
bool InterleavedIsQuickerForMean(const Plan& plan);

// Whether folded takes less time than both; of means, of f32 and f64.
bool FoldedIsQuickestForMax(const Plan& plan);
bool FoldedIsQuickestForMean(const Plan& plan);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_COSTS_H_
