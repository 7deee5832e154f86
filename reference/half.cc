#include "reference/half.h"

#include <cmath>
#include <limits>

namespace poolproof::reference {
namespace {

// A binary format of 16 bits.
struct Format {
  int fraction_bits;
  int max_exponent;  // of the largest finite value
  int min_exponent;  // of the smallest normal value

  int InfinityBits() const { return (max_exponent - min_exponent + 2) << fraction_bits; }
};
constexpr Format kHalf{10, 15, -14};
constexpr Format kBfloat16{7, 127, -126};

// `value` >= 0 as an integer, to nearest, ties to even, whatever the rounding mode of the thread.
int RoundHalfToEven(long double value) {
  const long double below = std::floor(value);
  const long double rest = value - below;
  const int whole = static_cast<int>(below);
  const bool up = rest > 0.5L || (rest == 0.5L && whole % 2 != 0);
  return whole + (up ? 1 : 0);
}

// In units of the last place at its exponent the value is an integer with fraction_bits + 1 bits.
// Adding that integer to the exponent field minus its leading one carries into the next exponent,
// and at last into infinity, by itself.
uint16_t Round(long double value, const Format& format) {
  const unsigned sign = std::signbit(value) ? 0x8000u : 0;
  const int infinity = format.InfinityBits();
  if (std::isnan(value)) {
    return static_cast<uint16_t>(sign | static_cast<unsigned>(infinity) |
                                 1u << (format.fraction_bits - 1));
  }
  const long double magnitude = std::fabs(value);
  if (magnitude >= std::ldexp(2.0L, format.max_exponent)) {
    return static_cast<uint16_t>(sign | static_cast<unsigned>(infinity));
  }
  int exponent = magnitude == 0 ? format.min_exponent : std::ilogb(magnitude);
  if (exponent < format.min_exponent) exponent = format.min_exponent;
  const int units = RoundHalfToEven(std::ldexp(magnitude, format.fraction_bits - exponent));
  const int bits = ((exponent - format.min_exponent) << format.fraction_bits) + units;
  return static_cast<uint16_t>(sign | static_cast<unsigned>(bits));
}

}  // namespace

uint16_t RoundToHalf(long double value) { return Round(value, kHalf); }
uint16_t RoundToBfloat16(long double value) { return Round(value, kBfloat16); }

}  // namespace poolproof::reference
