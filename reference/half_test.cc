// Every one of the 65,536 patterns of both formats, against what the bits mean by definition.
#include "reference/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace poolproof::reference {
namespace {

struct Format {
  const char* name;
  int exponent_bits;
  int fraction_bits;
  float (*load)(uint16_t);
  uint16_t (*round)(long double);
};
constexpr Format kFormats[] = {{"f16", 5, 10, HalfToFloat, RoundToHalf},
                               {"bf16", 8, 7, Bfloat16ToFloat, RoundToBfloat16}};

struct Fields {
  bool negative;
  int exponent;
  int fraction;
  int max_exponent;
};

Fields Split(const Format& f, unsigned bits) {
  const unsigned exponents = (1u << f.exponent_bits) - 1;
  const unsigned fractions = (1u << f.fraction_bits) - 1;
  return {(bits >> 15) != 0, static_cast<int>(bits >> f.fraction_bits & exponents), static_cast<int>(bits & fractions),
          static_cast<int>(exponents)};
}

// IEEE 754-2019, 3.4: the value of a datum from its fields. Not for NaN.
long double ValueOf(const Format& f, unsigned bits) {
  const Fields s = Split(f, bits);
  const int bias = s.max_exponent / 2;
  long double value;
  if (s.exponent == s.max_exponent) {
    value = std::numeric_limits<long double>::infinity();
  } else if (s.exponent == 0) {
    value = std::ldexp(static_cast<long double>(s.fraction), 1 - bias - f.fraction_bits);
  } else {
    value =
        std::ldexp(static_cast<long double>(s.fraction + (1 << f.fraction_bits)), s.exponent - bias - f.fraction_bits);
  }
  return s.negative ? -value : value;
}

bool IsNanPattern(const Format& f, unsigned bits) {
  const Fields s = Split(f, bits);
  return s.exponent == s.max_exponent && s.fraction != 0;
}

TEST(Half, EveryPatternLoadsItsValueAndRoundsBackToItself) {
  for (const Format& f : kFormats) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const float loaded = f.load(static_cast<uint16_t>(bits));
      ASSERT_EQ(std::signbit(loaded), bits >> 15 != 0) << f.name << " " << bits;
      if (IsNanPattern(f, bits)) {
        ASSERT_TRUE(std::isnan(loaded)) << f.name << " " << bits;
        ASSERT_TRUE(IsNanPattern(f, f.round(loaded))) << f.name << " " << bits;
      } else {
        ASSERT_EQ(static_cast<long double>(loaded), ValueOf(f, bits)) << f.name << " " << bits;
        ASSERT_EQ(f.round(loaded), bits) << f.name << " " << bits;
      }
    }
  }
}

// Between neighbours: the midpoint goes to the even one, anything beside it to the nearer one, even
// what f32 and f64 could not tell from the midpoint.
TEST(Half, EveryGapRoundsToNearestEven) {
  for (const Format& f : kFormats) {
    const unsigned infinity = ((1u << f.exponent_bits) - 1) << f.fraction_bits;
    for (unsigned below = 0; below < infinity; ++below) {
      const unsigned above = below + 1;
      // The gap before infinity is as wide as the one before it.
      const long double low = ValueOf(f, below);
      const long double gap = above == infinity ? low - ValueOf(f, below - 1) : ValueOf(f, above) - low;
      const long double middle = low + gap / 2;
      const long double nudge = middle * std::ldexp(1.0L, -62);
      for (const unsigned sign : {0u, 0x8000u}) {
        const long double s = sign == 0 ? 1 : -1;
        ASSERT_EQ(f.round(s * middle), sign | (below % 2 == 0 ? below : above)) << f.name;
        ASSERT_EQ(f.round(s * (middle - nudge)), sign | below) << f.name << " " << below;
        ASSERT_EQ(f.round(s * (middle + nudge)), sign | above) << f.name << " " << below;
      }
    }
  }
}

TEST(Half, ValuesOutsideTheRange) {
  for (const Format& f : kFormats) {
    const unsigned infinity = ((1u << f.exponent_bits) - 1) << f.fraction_bits;
    EXPECT_EQ(f.round(std::numeric_limits<long double>::max()), infinity);
    EXPECT_EQ(f.round(-std::numeric_limits<long double>::max()), infinity | 0x8000u);
    EXPECT_EQ(f.round(std::numeric_limits<long double>::denorm_min()), 0);
    EXPECT_EQ(f.round(-std::numeric_limits<long double>::denorm_min()), 0x8000);
  }
}

#ifdef __FLT16_MAX__
TEST(Half, AgreesWithTheCompilersF16) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = std::bit_cast<_Float16>(static_cast<uint16_t>(bits));
    if (IsNanPattern(kFormats[0], bits)) continue;
    ASSERT_EQ(HalfToFloat(static_cast<uint16_t>(bits)), static_cast<float>(half)) << bits;
  }
}
#endif

}  // namespace
}  // namespace poolproof::reference
