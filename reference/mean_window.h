// The mean of one window, exactly, and what may go wrong in a sum of its taps.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/divisor.h"
#include "reference/exact_sum.h"
#include "reference/mean.h"
#include "reference/plan.h"

namespace poolproof::reference {

template <typename E>
const typename E::Stored* InputOf(const poolproof_call& call) {
  return static_cast<const typename E::Stored*>(call.inputs[0]->data);
}

// The exact sum of a window divided by `divisor`, rounded to odd or in a way that rounding to E does
// not tell from that. `*largest` is a bound of the magnitude of the taps.
template <typename E>
long double FloatQuotient(const Plan& plan, const typename E::Stored* input, const WindowTaps& window, int64_t divisor,
                          long double* largest) {
  PlainSum<typename E::Value> plain;
  ForEachTap(window, plan.in, [&](int64_t offset) { plain.Add(E::Load(input[offset])); });
  *largest = plain.Largest();
  if (plain.IsExact()) {
    if (const auto quotient = DivideQuickly(plain.Sum(), divisor)) return *quotient;
  }
  ExactSum<typename E::Value> sum;
  ForEachTap(window, plan.in, [&](int64_t offset) { sum.Add(E::Load(input[offset])); });
  *largest = sum.Largest();
  return sum.DividedBy(divisor);
}

// 2^31 taps of up to 32 bits fit in 64.
template <typename E>
using IntegerSumOf = std::conditional_t<sizeof(typename E::Stored) == 8, IntegerSum, int64_t>;

template <typename E>
IntegerSumOf<E> SumIntegers(const Plan& plan, const typename E::Stored* input, const WindowTaps& window) {
  IntegerSumOf<E> sum = 0;
  ForEachTap(window, plan.in, [&](int64_t offset) { sum += input[offset]; });
  return sum;
}

// The accumulator of sums of E.
template <typename E>
Accumulator AccumulatorOf(const Readings& readings) {
  if (sizeof(typename E::Stored) == 8) return kAccumulateF64;
  const bool wide = readings.Is(Entry::kMeanAccumulation, MeanAccumulation::kWide);
  if (sizeof(typename E::Stored) == 4 || wide) return kAccumulateF32;
  return {E::kDigits, E::kMaxExponent};
}

// Sums of the finite taps.
template <typename E>
TapSums SumsOf(const Plan& plan, const typename E::Stored* input, const WindowTaps& window) {
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
