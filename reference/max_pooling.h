// Maximum pooling of a whole call, shared by every operator that takes a maximum.
#pragma once

#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

// Writes the values to output 0 and, where the plan has an index, the indices to output 1.
void ComputeMaxima(const Plan& plan, const poolproof_call& call, Context& context);

// Judges an element that differs from what ComputeMaxima writes. A value has to be exact but for
// the sign of a zero where zeros of both signs tie, and for which NaN a NaN is. An index may be
// that of any tap that equals the maximum (or of any NaN tap where a NaN wins), and anything in [0,
// bound) where the window has nothing to point at. Where a window holds a NaN, what another reading
// of `nan` gives is accepted as that reading.
ElementJudgement JudgeMaximum(const Plan& plan, const poolproof_call& call, const Readings& readings, size_t output,
                              int64_t element, const void* got);

}  // namespace poolproof::reference
