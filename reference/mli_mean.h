// The average of embARC MLI, which the document leaves open to the last bit.
#pragma once

#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

// The quotient of sum / points, points in [1, 65025], by a reading of mli-average-rounding. With
// rnd to nearest, ties to even (convergent) or upwards (up), saturated to [min, max]:
//
//   division     rnd(t / 2), t = 2 * sum, saturated to 32 bits, divided by points toward zero
//   reciprocal   rnd(sum * m / 2^s), s = 14 + ceil(log2 points), m = floor(2^s / points)
//
// or, as other processors do, the quotient towards zero, or to nearest with ties away from zero.
int64_t MliQuotient(int64_t sum, int64_t points, MliAverageRounding rounding, int64_t min, int64_t max);

// Writes the averages to output 0. A window without a point, which only the reading `unchecked` of
// mli-release-checks lets through, gives 0.
void ComputeMliMeans(const Plan& plan, const poolproof_call& call, Context& context);

// Judges an element that differs. With m the exact mean, accepted are fx8 |out - m| < 1, and m
// itself only where it is an integer; fx16 |out - m| <= 1 + |m| / 2^14; and what any reading gives.
ElementJudgement JudgeMliMean(const Plan& plan, const poolproof_call& call, const Readings& readings, size_t output,
                              int64_t element, const void* got);

// Evidence of the averages at `got` for how quotients are rounded.
RoundingAnswers RoundingOfMliMeans(const Plan& plan, const poolproof_call& call, const Readings& readings,
                                   const void* got);

}  // namespace poolproof::reference
