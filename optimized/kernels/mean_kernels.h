// Mean kernels; planes [begin, end) of the plan. Every function dispatches to the best instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Whether windows are pairs along the width, of floats that are their own lanes, in rows that are not too short.
bool HasPairs(const Plan& plan);
// Bits that hold every sum of the plan, integers only; for MLI every doubled sum.
int SumBits(const Plan& plan);
// Whether sums, and their division, fit in lanes of 16 bits. See ShortQuotientOf.
bool HasShortSums(const Plan& plan);

// In rows. Sums must stay below 2^53; of integers of 64 bits, windows have at most 2^20 taps inside the input.
void MeanInRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_
