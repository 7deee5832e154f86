// Mean kernels; planes [begin, end) of the plan. Every function dispatches to the best instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Whether windows are pairs along the width, of floats that are their own lanes, in rows that are not too short.
bool HasPairs(const Plan& plan);
// Whether planes are so small, or so awkward, that a lane per plane is better than a lane per column.
bool PlanesAsLanes(const Plan& plan);
// Bits that hold every sum of the plan, integers only; for MLI every doubled sum.
int SumBits(const Plan& plan);
// Whether sums, and their division, fit in lanes of 16 bits. See ShortQuotientOf.
bool HasShortSums(const Plan& plan);

// f64, f32, f16, bf16.
void MeanRowsFloat(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
// Integers of 8 and 16 bits; sums, and for MLI twice the sums, must stay below 2^24.
void MeanRowsSmall(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
// Integers of 8 to 32 bits, whose sums must stay below 2^53, and of 64 bits, with windows of at most 2^20 taps
// inside the input.
void MeanRowsWide(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_
