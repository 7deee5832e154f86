// How a mean becomes an element: the quotient of integers by every reading, and how far from the
// exact mean a float may be.
#pragma once

#include <cstdint>

#include "reference/readings.h"

namespace poolproof::reference {

// The exact sum of integers of up to 64 bits: 2^63 of them do not overflow.
using IntegerSum = __int128;

// sum / divisor for divisor > 0, by a reading of avg-integer-rounding.
IntegerSum RoundQuotient(IntegerSum sum, int64_t divisor, AvgIntegerRounding rounding);

constexpr long double PowerOfTwo(int exponent) {
  long double power = 1;
  for (; exponent > 0; --exponent) power *= 2;
  return power;
}

// A binary float type in which sums are accumulated.
struct Accumulator {
  int digits;        // of the significand
  int max_exponent;  // finite values are below 2^max_exponent
  long double half_range = PowerOfTwo(max_exponent - 1);
  // From here on a number is rounded to infinity.
  long double limit = PowerOfTwo(max_exponent) - PowerOfTwo(max_exponent - digits - 1);
  long double unit = 1 / PowerOfTwo(digits);  // half the distance between 1 and its neighbour above
};
inline constexpr Accumulator kAccumulateF64 = {53, 1024};
inline constexpr Accumulator kAccumulateF32 = {24, 128};

// Quantities that the error of a mean depends on.
struct TapSums {
  int64_t count = 0;
  long double positive = 0, negative = 0;  // sums of the taps above and below 0, as magnitudes
  int lowest_bit = INT32_MAX;              // every tap is a multiple of 2^lowest_bit

  long double Magnitude() const { return positive + negative; }
  // Whether the sum of any of the taps, in any order, has at most `digits` bits.
  bool AreExact(int digits) const;
  // Whether some order of adding leaves the range of `type` upwards, or downwards; and whether
  // every order does.
  bool MayOverflow(const Accumulator& type, bool negative_side) const;
  bool MustOverflow(const Accumulator& type) const;
};

// How far from the exact sum of the taps, divided by `divisor`, a mean may be that is accumulated
// in `type`: what the additions may lose, not the division and the final rounding.
long double AccumulationError(const TapSums& taps, const Accumulator& type, int64_t divisor);
// The same where each tap is multiplied by the rounded reciprocal of `divisor` before it is added: two more roundings
// of each, and what a product below the normal numbers loses.
long double ScalingError(const TapSums& taps, const Accumulator& type, int64_t divisor);
// Error by numbers below the normal ones that are flushed to zero, in a mean of taps that are scaled `before` or not.
long double FlushingError(const TapSums& taps, const Accumulator& type, bool before);

}  // namespace poolproof::reference
