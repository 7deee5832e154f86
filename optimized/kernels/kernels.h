// What the kernels take, which takes the least time, and what runs them.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_KERNELS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_KERNELS_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

enum class Pooling : uint8_t { kMax, kMean };

// Ways by vectors; `folded` is `interleaved` without index, where the rows of a window become one first.
enum class Way : uint8_t { kRows, kInterleaved, kFolded };

// Planes [begin, end) of a plan that the kernel takes, by the best instruction set.
void MaxByVectors(Way way, const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MeanByVectors(Way way, const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// Pooling one element at a time: for calls of a few elements, what no kernel takes, and rows that a kernel gives up on,
// since they hold NaN or overflow; so these are complete, and take every plan and every type.
// Planes [begin, end).
void PlainMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end);
void PlainAverage(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end);
// Output row (d, h) of a plane.
void PlainMaxRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h);
void PlainAverageRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h);

// Whether the answer is right.
bool RowsTake(Pooling pooling, const Plan& plan);
bool InterleavedTakes(Pooling pooling, const Plan& plan);
bool FoldedTakes(Pooling pooling, const Plan& plan);

// Nanoseconds, estimated (costs.cc), of plans that all three take.
struct Times {
  double rows, interleaved, folded;
};
Times TimesOf(Pooling pooling, const Plan& plan);

// Bits that hold every sum of the plan, integers only; for MLI every doubled sum.
int SumBits(const Plan& plan);
// Whether sums, and their division, fit in lanes of 16 bits. See ShortQuotientOf.
bool HasShortSums(const Plan& plan);
// Windows of integers of 64 bits have at most 2^kLongTapBits taps where they are divided in vectors.
inline constexpr int kLongTapBits = 17;

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_KERNELS_H_
