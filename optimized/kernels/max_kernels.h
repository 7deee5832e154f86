// Maximum kernels of one type group each; planes [begin, end) of the plan. Every function dispatches to
// the best instruction set. Plans must satisfy RowsAreSensible.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Without index, any type of 1, 2, 4 or 8 bytes.
void MaxRows8(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxRows16(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxRowsHalf(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxRows32(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxRows64(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// With index, of small planes, or in strips, grouped by the lanes that they are computed in. A plane must have less
// than 2^31 elements.
void MaxLanesInt32(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxLanesFloat(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxLanes64(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// With index, types of 8 and 16 bits for which MaxPlanesPay does not hold: by the functions above where these have
// nothing quicker.
void MaxStrips16(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MaxStripsHalf(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// Whether a lane per plane is the fastest way. Depends on nothing but the plan, since zeros of either sign are
// equal and which of them is taken depends on the way.
bool MaxPlanesPay(const Plan& plan);

// Whether flat_pairs-inl.h is, where it takes the plan.
bool MaxPairsPay(const Plan& plan);

// Whether a plan may be pooled in strips (window_strips-inl.h) where rows are long enough for the vectors,
bool HasStrips(const Plan& plan);
// and whether, without index, they are long enough for all vectors, and it is faster than row by row.
bool MaxStripsPay(const Plan& plan);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_MAX_KERNELS_H_
