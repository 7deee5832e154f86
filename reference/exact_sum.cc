#include "reference/exact_sum.h"

#include <cassert>
#include <cmath>

namespace poolproof::reference {
namespace {

constexpr size_t kMaxDigits = 80;
using Wide = unsigned __int128;

// A number of digits in [0, 2^32), least first.
struct Magnitude {
  std::array<uint32_t, kMaxDigits> digit;
  size_t count = 0;  // the last one is not 0
  bool negative = false;
};

Magnitude Normalize(std::span<const int64_t> digits) {
  Magnitude result;
  int64_t carry = 0;
  for (const int64_t digit : digits) {
    carry += digit;
    result.digit[result.count++] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  result.negative = carry < 0;
  if (result.negative) {  // two's complement
    uint64_t borrow = 1;
    for (size_t i = 0; i < result.count; ++i) {
      borrow += static_cast<uint32_t>(~result.digit[i]);
      result.digit[i] = static_cast<uint32_t>(borrow);
      borrow >>= 32;
    }
  }
  while (result.count > 0 && result.digit[result.count - 1] == 0) --result.count;
  return result;
}

// One step of a long division: the digit of (rest * 2^32 + next) / divisor; `rest` is the new rest.
uint64_t DivideDigit(uint64_t* rest, uint32_t next, uint64_t divisor) {
  if (divisor <= UINT32_MAX) {
    const uint64_t part = *rest << 32 | next;
    *rest = part % divisor;
    return part / divisor;
  }
  const Wide part = static_cast<Wide>(*rest) << 32 | next;
  *rest = static_cast<uint64_t>(part % divisor);
  return static_cast<uint64_t>(part / divisor);
}

// quotient * 2^exponent, `inexact` saying that there is more, rounded to odd.
long double RoundToOdd(Wide quotient, int exponent, bool inexact) {
  const int bits = 128 - (quotient >> 64 != 0 ? std::countl_zero(static_cast<uint64_t>(quotient >> 64))
                                              : 64 + std::countl_zero(static_cast<uint64_t>(quotient)));
  const int shift = std::max(bits - 64, 0);
  uint64_t significand = static_cast<uint64_t>(quotient >> shift);
  if (inexact || static_cast<Wide>(significand) << shift != quotient) significand |= 1;
  return std::ldexp(static_cast<long double>(significand), exponent + shift);
}

// A long double has this many bits more than an f64 and the middle between two of them.
constexpr int kSpareBits = 10;

// Whether x is neither an f64 nor the middle between two.
bool HasSpareBits(long double x) {
  const long double rest = x - static_cast<long double>(static_cast<double>(x));
  const long double twice = x + rest;  // of the middle, the other neighbour
  return rest != 0 && twice != static_cast<long double>(static_cast<double>(twice));
}

}  // namespace

std::optional<long double> DivideQuickly(long double sum, int64_t divisor) {
  assert(divisor > 0);
  const long double quotient = sum / static_cast<long double>(divisor);
  // The quotient is nearer than half its last bit to the exact one, a middle between two numbers of
  // 53 bits or less farther than that from anything with spare bits.
  if ((divisor & (divisor - 1)) == 0 || HasSpareBits(quotient)) return quotient;
  // Without spare bits the product with a small divisor is exact.
  const bool small = divisor < (int64_t{1} << kSpareBits);
  if (small && quotient * static_cast<long double>(divisor) == sum) return quotient;
  return std::nullopt;
}

long double DivideDigits(std::span<const int64_t> digits, int exponent, int64_t divisor) {
  assert(divisor > 0);
  const Magnitude sum = Normalize(digits);
  if (sum.count == 0) return 0;
  const uint64_t by = static_cast<uint64_t>(divisor);
  Wide quotient = 0;
  uint64_t rest = 0;
  int at = static_cast<int>(sum.count);  // digits from here on have been divided
  while (quotient >> 64 == 0 && (at > 0 || rest != 0)) {
    --at;
    const uint32_t next = at >= 0 ? sum.digit[static_cast<size_t>(at)] : 0;
    quotient = quotient << 32 | DivideDigit(&rest, next, by);
  }
  bool inexact = rest != 0;
  for (int i = 0; i < at; ++i) inexact |= sum.digit[static_cast<size_t>(i)] != 0;
  const long double magnitude = RoundToOdd(quotient, exponent + 32 * at, inexact);
  return sum.negative ? -magnitude : magnitude;
}

}  // namespace poolproof::reference
