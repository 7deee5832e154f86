// Maximum kernels; planes [begin, end) of the plan. Every function dispatches to the best
// instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Without index: elements of up to 16 bits, or more. Plans must satisfy RowsAreSensible.
void MaxRowsNarrow(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxRowsWide(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// The same with index, of plans that StripsTake: elements of up to 16 bits, or more.
void MaxStripsNarrow(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxStripsWide(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// Whether a plan may be pooled in strips (window_strips-inl.h): it has an index, windows there are loops for, and rows
// of a vector or more.
bool StripsTake(const Plan& plan);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_
