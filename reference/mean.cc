#include "reference/mean.h"

#include <bit>
#include <cstring>

namespace poolproof::reference {
namespace {

// An unevaluated sum of two numbers, `low` at most half a unit in the last place of `high`.
struct Pair {
  long double high;
  long double low;
};

// a + b, exactly.
Pair AddExactly(long double a, long double b) {
  const long double sum = a + b;
  const long double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// x = high + low, each of half the significand bits.
Pair Split(long double x) {
  constexpr int kHalfBits = (std::numeric_limits<long double>::digits + 1) / 2;
  constexpr long double kSplitter = static_cast<long double>((int64_t{1} << kHalfBits) + 1);
  const long double scaled = kSplitter * x;
  const long double high = scaled - (scaled - x);
  return {high, x - high};
}

// a * b, exactly; the library's fma is a hundred times slower where the machine has none.
Pair MultiplyExactly(long double a, long double b) {
  const long double product = a * b;
  const Pair x = Split(a), y = Split(b);
  const long double low =
      ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return {product, low};
}

bool HasOddLastBit(long double x) {
  unsigned char bytes[sizeof(x)];
  std::memcpy(bytes, &x, sizeof(x));
  return (bytes[std::endian::native == std::endian::little ? 0 : sizeof(x) - 1] & 1) != 0;
}

}  // namespace

long double FloatSum::DividedBy(long double divisor) const {
  if (!std::isfinite(high_)) return high_;
  const Pair sum = AddExactly(high_, low_);
  const long double first = sum.high / divisor;
  const Pair product = MultiplyExactly(first, divisor);
  const long double rest = ((sum.high - product.high) - product.low) + sum.low;
  if (rest == 0) return first;
  const Pair quotient = AddExactly(first, rest / divisor);
  if (quotient.low == 0 || HasOddLastBit(quotient.high)) return quotient.high;
  const long double infinity = std::numeric_limits<long double>::infinity();
  return std::nextafter(quotient.high, quotient.low > 0 ? infinity : -infinity);
}

IntegerSum RoundQuotient(IntegerSum sum, int64_t divisor, AvgIntegerRounding rounding) {
  const IntegerSum truncated = sum / divisor;
  const IntegerSum rest = sum % divisor;  // has the sign of the sum
  if (rest == 0) return truncated;
  const IntegerSum away = truncated + (sum < 0 ? -1 : 1);
  const IntegerSum twice = rest < 0 ? -2 * rest : 2 * rest;
  switch (rounding) {
    case AvgIntegerRounding::kNearestEven:
      return twice > divisor || (twice == divisor && truncated % 2 != 0) ? away : truncated;
    case AvgIntegerRounding::kNearestAway:
      return twice >= divisor ? away : truncated;
    case AvgIntegerRounding::kFloor:
      return sum < 0 ? away : truncated;
    default:
      return truncated;
  }
}

}  // namespace poolproof::reference
