// The mean of one window, exactly, and what may go wrong in a sum of its taps.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/divisor.h"
#include "reference/exact_sum.h"
#include "reference/input.h"
#include "reference/mean.h"
#include "reference/plan.h"

namespace poolproof::reference {

// A mean before it is rounded to its type.
struct Quotient {
  long double exact = 0;       // rounded to odd, or in a way that rounding to the type does not tell from that
  long double largest = 0;     // a bound of the magnitude of the taps
  bool has_subnormal = false;  // among the taps as they were given
};

// The exact sum of a window divided by `divisor`.
template <typename E>
Quotient FloatQuotient(const Plan& plan, Input<E> input, const WindowTaps& window, int64_t divisor) {
  Quotient quotient;
  PlainSum<typename E::Value> plain;
  ForEachTap(window, plan.in, [&](int64_t offset) {
    plain.Add(E::Load(input[offset]));
    quotient.has_subnormal |= input.IsSubnormalAt(offset);
  });
  quotient.largest = plain.Largest();
  if (plain.IsExact()) {
    if (const auto quick = DivideQuickly(plain.Sum(), divisor)) {
      quotient.exact = *quick;
      return quotient;
    }
  }
  ExactSum<typename E::Value> sum;
  ForEachTap(window, plan.in, [&](int64_t offset) { sum.Add(E::Load(input[offset])); });
  quotient.largest = sum.Largest();
  quotient.exact = sum.DividedBy(divisor);
  return quotient;
}

// 2^31 taps of up to 32 bits fit in 64.
template <typename E>
using IntegerSumOf = std::conditional_t<sizeof(typename E::Stored) == 8, IntegerSum, int64_t>;

// The sum by the reading of integer-sum-overflow.
template <typename E>
IntegerSumOf<E> SumIntegers(const Plan& plan, Input<E> input, const WindowTaps& window, Context& context) {
  IntegerSumOf<E> sum = 0;
  ForEachTap(window, plan.in, [&](int64_t offset) { sum += input[offset]; });
  if (plan.negates) sum = -sum;
  if constexpr (sizeof(typename E::Stored) == 8) {
    const auto wrapped = static_cast<typename E::Stored>(sum);
    if (wrapped == sum) return sum;
    context.touched.Add(Entry::kIntegerSumOverflow);
    if (context.readings.Is(Entry::kIntegerSumOverflow, IntegerSumOverflow::kWraps)) return wrapped;
  }
  return sum;
}

// The accumulator of sums of E.
template <typename E>
Accumulator AccumulatorOf(const Readings& readings) {
  if (sizeof(typename E::Stored) == 8) return kAccumulateF64;
  const bool wide = readings.Is(Entry::kMeanAccumulation, MeanAccumulation::kWide);
  if (sizeof(typename E::Stored) == 4 || wide) return kAccumulateF32;
  constexpr Accumulator kType = {E::kDigits, E::kMaxExponent};
  return kType;
}

// The distance between neighbouring floats of type E at `x`, finite.
template <typename E>
long double UlpAt(long double x) {
  int exponent = E::kMinExponent;
  if (x != 0) std::frexp(x, &exponent);
  return std::ldexp(1.0L, std::max(exponent, E::kMinExponent) - E::kDigits);
}

// Sums of the finite taps.
template <typename E>
TapSums SumsOf(const Plan& plan, Input<E> input, const WindowTaps& window) {
  TapSums sums;
  sums.count = window.Count();
  ForEachTap(window, plan.in, [&](int64_t offset) {
    const typename E::Value x = E::Load(input[offset]);
    if (x == 0 || !std::isfinite(x)) return;
    (x > 0 ? sums.positive : sums.negative) += std::fabs(static_cast<long double>(x));
    sums.lowest_bit = std::min(sums.lowest_bit, Parts(x).LowestBit());
  });
  return sums;
}

}  // namespace poolproof::reference
