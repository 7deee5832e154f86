// Pooling with a lane per plane (interleaved-inl.h); planes [begin, end) of a plan that InterleavedTakes. Every
// function dispatches to the best instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_H_
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

void InterleavedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void InterleavedMean(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
// The rows of a window first become one (folded-inl.h), without index; means of f32 and f64.
void FoldedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void FoldedMean(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// Whether the answer is right.
bool InterleavedTakesMax(const Plan& plan);
bool InterleavedTakesMean(const Plan& plan);
bool FoldedTakesMax(const Plan& plan);
bool FoldedTakesMean(const Plan& plan);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_H_
