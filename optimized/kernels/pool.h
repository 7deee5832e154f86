// The two computations that all operators come down to.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_POOL_H_
#define POOLPROOF_OPTIMIZED_KERNELS_POOL_H_

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Maximum of each window, and its position where the plan has an index type. The first NaN of a window
// in row-major order is its maximum, otherwise the first of equal values is. A window without taps
// gives minus infinity (integers: the lowest value) and index 0.
void MaxPool(const Plan& plan, const Buffers& buffers, Executor& executor);

// Mean of each window; see Divisor and Quotient. A window without taps gives 0.
void AveragePool(const Plan& plan, const Buffers& buffers, Executor& executor);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_POOL_H_
