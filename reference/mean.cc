#include "reference/mean.h"

#include <cassert>
#include <cmath>

namespace poolproof::reference {
namespace {

// Bound of what the additions of `taps` may change in a sum.
long double SumError(const TapSums& taps, const Accumulator& type) {
  return static_cast<long double>(taps.count) * taps.Magnitude() * type.unit;
}

}  // namespace

bool TapSums::AreExact(int digits) const {
  // Any partial sum is a multiple of 2^lowest_bit, and no larger than the sum of magnitudes.
  return Magnitude() == 0 || Magnitude() <= std::ldexp(1.0L, digits + lowest_bit);
}

bool TapSums::MayOverflow(const Accumulator& type, bool negative_side) const {
  const long double side = negative_side ? negative : positive;
  return side + SumError(*this, type) >= type.limit;
}

bool TapSums::MustOverflow(const Accumulator& type) const {
  return std::fabs(positive - negative) - SumError(*this, type) >= type.limit;
}

long double AccumulationError(const TapSums& taps, const Accumulator& type, int64_t divisor) {
  assert(divisor > 0);
  return SumError(taps, type) / static_cast<long double>(divisor);
}

long double ScalingError(const TapSums& taps, const Accumulator& type, int64_t divisor) {
  assert(divisor > 0);
  const long double smallest = std::ldexp(1.0L, 3 - type.max_exponent - type.digits);
  const long double products = taps.Magnitude() * type.unit / static_cast<long double>(divisor);
  return static_cast<long double>(taps.count + 2) * products + static_cast<long double>(taps.count) * smallest;
}

long double FlushingError(const TapSums& taps, const Accumulator& type, bool before) {
  const long double smallest_normal = std::ldexp(1.0L, 2 - type.max_exponent);
  // Not scaled before, sums lose less than the smallest normal number each, and are divided by their number or more.
  return (before ? 2 * static_cast<long double>(taps.count) : 1) * smallest_normal;
}

IntegerSum RoundQuotient(IntegerSum sum, int64_t divisor, AvgIntegerRounding rounding) {
  assert(divisor > 0);
  const IntegerSum truncated = sum / divisor;
  const IntegerSum rest = sum % divisor;  // has the sign of the sum
  if (rest == 0) return truncated;
  const IntegerSum away = truncated + (sum < 0 ? -1 : 1);
  const IntegerSum twice = rest < 0 ? -2 * rest : 2 * rest;
  switch (rounding) {
    case AvgIntegerRounding::kNearestEven:
      return twice > divisor || (twice == divisor && truncated % 2 != 0) ? away : truncated;
    case AvgIntegerRounding::kNearestAway: return twice >= divisor ? away : truncated;
    case AvgIntegerRounding::kFloor: return sum < 0 ? away : truncated;
    case AvgIntegerRounding::kUp: return sum > 0 ? away : truncated;
    default: return truncated;
  }
}

}  // namespace poolproof::reference
