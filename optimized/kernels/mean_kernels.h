// Mean kernels; planes [begin, end) of the plan. Every function dispatches to the best instruction set.
// Plans must satisfy RowsAreSensible.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// f64, f32, f16, bf16.
void MeanRowsFloat(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
// Integers of 8 and 16 bits; sums, and for MLI twice the sums, must stay below 2^24.
void MeanRowsSmall(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
// Integers of 8 to 32 bits; sums must stay below 2^53.
void MeanRowsWide(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_
