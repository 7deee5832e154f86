// p-norm pooling of a whole call.
#pragma once

#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

// Writes the norms to output 0:
//
//   norm = (sum of |tap|^p over the taps inside the input)^(1/p), p = plan.power >= 1
//
// in numbers of 64 bits of which the largest tap is 1, so that nothing leaves their range, rounded once. A window
// without a tap has the norm 0. Where plan.of_elements is set, odd powers are of the taps themselves, as
// torch-lp-negative has it, and the sum of a window that passes the end is by torch-lp-overhang. By mean-overflow
// `overflows` it is infinite where a power, or their sum, leaves the range of the accumulator in every order of adding.
void ComputeNorms(const Plan& plan, const poolproof_call& call, Context& context);

// Judges an element that differs from what ComputeNorms writes. With u = 2^-digits the unit round-off of the
// accumulator, n taps and the exact norm N it may be
//
//   N * ((n + p + 8) * u / p + (|ln N| + 8) * u) + one ulp of the type at N
//
// away: a power loses p + 8 roundings, as a product or by a function of some ulp, sums n, the root 8, and |ln N| for
// the exponent 1/p, which is rounded; and what powers below the accumulator's normal numbers lose, at most the smallest
// of these each. Where powers of both signs cancel, what n taps and p lose is u times the sum of their magnitudes,
// doubled, and N is asked at both ends of what the sum may then be; where one of these is below 0 and has no root, NaN
// as well. Infinity only where a power or their sum may leave the range: mean-overflow; and beside an infinite tap NaN
// where those of the other sign may. A NaN among the taps takes any NaN.
ElementJudgement JudgeNorm(const Plan& plan, const poolproof_call& call, const Readings& readings, size_t output,
                           int64_t element, const void* got);

}  // namespace poolproof::reference
