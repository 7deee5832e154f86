// Pooling one element at a time: for planes that hold NaN, for windows that are mostly padding, for
// 64-bit integer means, and for calls of a few elements. Every kernel that gives up on a plane ends here, so this is
// complete: it takes every plan and every type.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_PLAIN_H_
#define POOLPROOF_OPTIMIZED_KERNELS_PLAIN_H_

#include <cstdint>

#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Planes [begin, end) of [0, plan.outer).
void PlainMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end);
// Output row (d, h) of plane `plane`.
void PlainMaxRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h);

void PlainAverage(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end);

void PlainAverageRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_PLAIN_H_
