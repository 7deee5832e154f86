// The mean of one window, exactly, and what may go wrong in a sum of its taps.
#ifndef POOLPROOF_REFERENCE_MEAN_WINDOW_H_
#define POOLPROOF_REFERENCE_MEAN_WINDOW_H_

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

template <typename E>
ExactSum<typename E::Value> SumFloats(const Plan& plan, const typename E::Stored* input,
                                      const WindowTaps& window) {
  ExactSum<typename E::Value> sum;
  ForEachTap(window, plan.in, [&](int64_t offset) { sum.Add(E::Load(input[offset])); });
  return sum;
}

// 2^31 taps of up to 32 bits fit in 64.
template <typename E>
using IntegerSumOf =
    std::conditional_t<sizeof(typename E::Stored) == 8, IntegerSum, int64_t>;

template <typename E>
IntegerSumOf<E> SumIntegers(const Plan& plan, const typename E::Stored* input,
                            const WindowTaps& window) {
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

// 2^result is the value of the last bit of `x` that is set, x finite and not 0.
template <typename T>
int LowestBit(T x) {
  int exponent;
  const T significand = std::frexp(std::fabs(x), &exponent);  // in [1/2, 1)
  constexpr int kDigits = std::numeric_limits<T>::digits;
  return exponent - kDigits +
         std::countr_zero(static_cast<uint64_t>(std::ldexp(significand, kDigits)));
}

// Of taps that are all finite.
template <typename E>
TapSums SumsOf(const Plan& plan, const typename E::Stored* input, const WindowTaps& window) {
  TapSums sums;
  sums.count = window.Count();
  ForEachTap(window, plan.in, [&](int64_t offset) {
    const typename E::Value x = E::Load(input[offset]);
    if (x == 0) return;
    (x > 0 ? sums.positive : sums.negative) += std::fabs(static_cast<long double>(x));
    sums.lowest_bit = std::min(sums.lowest_bit, LowestBit(x));
  });
  return sums;
}

}  // namespace poolproof::reference

#endif  // POOLPROOF_REFERENCE_MEAN_WINDOW_H_
