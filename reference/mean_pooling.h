// Average pooling of a whole call, shared by AvgPool and AdaptiveAvgPool.
#pragma once

#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

// Writes the means to output 0: floats correctly rounded from the exact mean, integers by the
// reading of avg-integer-rounding.
//
//   mean = sum of the taps inside the input / divisor
//   divisor = taps inside the input (exclude-pad), or those and the taps in padding
//
// A window without a divisor (no tap that counts) is left open by the documents: avg-empty-window;
// an integer has no NaN and is 0 under either reading. So is how a sum is kept: by mean-accumulation
// `type`, f16 and bf16 are added tap after tap in their own type; by mean-scaling `before`, each tap is
// multiplied by the rounded reciprocal of the divisor first; by mean-overflow `overflows`, a mean is
// infinite where every order of adding leaves the range of the accumulator; by integer-sum-overflow
// `wraps`, sums of 64-bit integers are kept modulo 2^64.
void ComputeMeans(const Plan& plan, const poolproof_call& call, Context& context);

// Judges an element that differs from what ComputeMeans writes.
//   float    Where all sums of taps, in any order, are exact in the element type: at most one
//            representable value beside the correctly rounded mean. Elsewhere
//              |got - exact| <= taps * u * (sum of |tap| / divisor) + one ulp of the type at the
//            exact mean, u = 2^-digits the unit round-off of the accumulator; by mean-scaling
//            `before`, whichever sums are exact, (taps + 2) in place of taps. Infinity and NaN
//            only where a sum may overflow in it: mean-overflow. A mean that is NaN (a NaN tap, or
//            infinities of both signs) takes any NaN, an infinite one just itself.
//   integer  less than 1 from the exact mean: the reading of avg-integer-rounding that gives it,
//            or `other`.
ElementJudgement JudgeMean(const Plan& plan, const poolproof_call& call, const Readings& readings, size_t output,
                           int64_t element, const void* got);

// Evidence of the integer means at `got` for how quotients are rounded. Nothing of floats, nor of
// windows whose divisor or sum is open.
RoundingAnswers RoundingOfMeans(const Plan& plan, const poolproof_call& call, const Readings& readings,
                                const void* got);

}  // namespace poolproof::reference
