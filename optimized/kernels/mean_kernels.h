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

// Windows of integers of 64 bits have at most 2^kLongTapBits taps where they are divided in vectors.
inline constexpr int kLongTapBits = 17;

// In rows, of floats and integers of up to 32 bits, of which sums must stay below 2^53.
void MeanInRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_MEAN_KERNELS_H_
