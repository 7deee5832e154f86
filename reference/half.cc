#include "reference/half.h"

#include <algorithm>
#include <cmath>

namespace poolproof::reference {
namespace {

// A binary format of 16 bits.
struct Format {
  int fraction_bits;
  int max_exponent;  // of the largest finite value
  int min_exponent;  // of the smallest normal value

  unsigned InfinityBits() const { return static_cast<unsigned>(max_exponent - min_exponent + 2) << fraction_bits; }
};
constexpr Format kHalf{10, 15, -14};
constexpr Format kBfloat16{7, 127, -126};

constexpr int kDoubleFraction = 52;
constexpr int kDoubleBias = 1023;

// The bits of `magnitude` >= 0 as an f64, rounded to odd: what is lost sets the last bit. Rounding
// that further to at most 51 bits gives what rounding `magnitude` would.
uint64_t DoubleBits(long double magnitude) {
  const double nearest = static_cast<double>(magnitude);
  const uint64_t bits = std::bit_cast<uint64_t>(nearest);
  const long double back = nearest;
  if (back == magnitude || bits % 2 != 0) return bits;
  return back < magnitude ? bits + 1 : bits - 1;
}

// value / 2^shift to nearest, ties to even.
uint64_t ShiftToNearestEven(uint64_t value, int shift) {
  const uint64_t whole = value >> shift;
  const uint64_t rest = value - (whole << shift);
  const uint64_t half = uint64_t{1} << (shift - 1);
  return whole + (rest > half || (rest == half && whole % 2 != 0) ? 1 : 0);
}

// In units of the last place at its exponent the value is an integer with fraction_bits + 1 bits.
// Adding that integer to the exponent field minus its leading one carries into the next exponent,
// and at last into infinity.
unsigned RoundMagnitude(uint64_t bits, const Format& format) {
  const int exponent = static_cast<int>(bits >> kDoubleFraction) - kDoubleBias;
  if (exponent > format.max_exponent) return format.InfinityBits();
  // A subnormal f64 is far below half of the smallest value of either format, leading one or not.
  const uint64_t leading_one = uint64_t{1} << kDoubleFraction;
  const uint64_t significand = (bits & (leading_one - 1)) | leading_one;
  const int normal = std::max(exponent, format.min_exponent);
  const int shift = kDoubleFraction - format.fraction_bits + (normal - exponent);
  const uint64_t units = ShiftToNearestEven(significand, std::min(shift, 63));
  return (static_cast<unsigned>(normal - format.min_exponent) << format.fraction_bits) + static_cast<unsigned>(units);
}

uint16_t Round(long double value, const Format& format) {
  if (value != value) {
    const unsigned quiet = 1u << (format.fraction_bits - 1);
    return static_cast<uint16_t>(format.InfinityBits() | quiet);
  }
  const bool negative = std::signbit(value);
  const unsigned magnitude = RoundMagnitude(DoubleBits(negative ? -value : value), format);
  return static_cast<uint16_t>((negative ? 0x8000u : 0) | magnitude);
}

}  // namespace

uint16_t RoundToHalf(long double value) { return Round(value, kHalf); }
uint16_t RoundToBfloat16(long double value) { return Round(value, kBfloat16); }

}  // namespace poolproof::reference
