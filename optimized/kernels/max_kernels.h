// Maximum kernels; planes [begin, end) of the plan. Every function dispatches to the best
// instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Without index. Plans must satisfy RowsAreSensible.
void MaxRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// With index, of plans that StripsTake.
void MaxStrips(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// Whether a plan may be pooled in strips (window_strips-inl.h): it has an index, windows there are loops for, and rows
// of a vector or more.
bool StripsTake(const Plan& plan);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_
