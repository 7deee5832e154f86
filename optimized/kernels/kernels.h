// The kernels: planes [begin, end) of a plan, what each takes, and which takes the least time. Those of vectors
// dispatch to the best instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_KERNELS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_KERNELS_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// rows, with an index of plans that HasNearWindows.
void MaxInRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// Bits that hold every sum of the plan, integers only; for MLI every doubled sum.
int SumBits(const Plan& plan);
// Whether sums, and their division, fit in lanes of 16 bits. See ShortQuotientOf.
bool HasShortSums(const Plan& plan);

// Windows of integers of 64 bits have at most 2^kLongTapBits taps where they are divided in vectors.
inline constexpr int kLongTapBits = 17;

// rows, of floats and integers of up to 32 bits, of which sums must stay below 2^53.
void MeanInRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// interleaved, and folded, which is without index and where the rows of a window become one first.
void InterleavedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void InterleavedMean(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void FoldedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void FoldedMean(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
// Whether the answer is right.
bool InterleavedTakesMax(const Plan& plan);
bool InterleavedTakesMean(const Plan& plan);
bool FoldedTakesMax(const Plan& plan);
bool FoldedTakesMean(const Plan& plan);

// Estimated (costs.cc): whether `folded` takes less time than `interleaved` and `rows`, of plans that all three take:
// maxima without index, and means.
bool FoldedIsQuickestForMax(const Plan& plan);
bool FoldedIsQuickestForMean(const Plan& plan);

// Whether `interleaved` takes less time than `rows`.
bool InterleavedIsQuickerForMax(const Plan& plan);
bool InterleavedIsQuickerForMean(const Plan& plan);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_KERNELS_H_
