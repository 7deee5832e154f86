// Each fill exists to make one family of defects visible: the tests check that it can.
#include "conformance/cases/fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "conformance/cases/fill_quotients.h"
#include "conformance/cases/fill_specials.h"
#include "conformance/cases/number.h"
#include "conformance/cases/test_specs.h"

namespace poolproof {
namespace {

constexpr poolproof_element_type kFirstType = POOLPROOF_F64, kLastType = POOLPROOF_FX16;

Problem Make(poolproof_element_type type, std::string fill, uint64_t seed, std::initializer_list<int64_t> shape) {
  Problem p;
  p.spec = &TestSpecs().operators.front();
  p.function = &p.spec->functions.front();
  p.type = type;
  p.fill = std::move(fill);
  p.seed = seed;
  for (int64_t dim : shape) p.shape.push_back(dim);
  return p;
}

std::vector<Number> Values(const Problem& p) {
  std::vector<uint64_t> memory(static_cast<size_t>(p.Elements()) + 1, 0x5a5a5a5a5a5a5a5a);
  FillInput(p, memory.data());
  std::vector<Number> values;
  for (int64_t i = 0; i < p.Elements(); ++i) {
    values.push_back(ElementAsNumber(p.type, memory.data(), i));
  }
  return values;
}

Number LowestOf(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F64: return std::numeric_limits<double>::lowest();
    case POOLPROOF_F32: return std::numeric_limits<float>::lowest();
    case POOLPROOF_F16: return -65504;
    case POOLPROOF_BF16: return -0x1.fep127L;
    case POOLPROOF_I8:
    case POOLPROOF_FX8: return -128;
    case POOLPROOF_I16:
    case POOLPROOF_FX16: return -32768;
    case POOLPROOF_I32: return std::numeric_limits<int32_t>::lowest();
    case POOLPROOF_I64: return static_cast<Number>(std::numeric_limits<int64_t>::lowest());
    default: return 0;
  }
}

TEST(FillTest, EveryFillWritesEveryElementAndNothingElse) {
  for (poolproof_element_type type = kFirstType; type <= kLastType; ++type) {
    for (std::string_view fill : FillNames()) {
      const Problem p = Make(type, std::string(fill), 3, {1, 1, 37});
      const size_t bytes = 37 * ElementSize(type);
      std::array<std::vector<unsigned char>, 2> memory;
      for (size_t round = 0; round < 2; ++round) {
        memory[round].assign(bytes + 8, round == 0 ? 0x00 : 0xff);
        FillInput(p, memory[round].data());
        for (size_t i = bytes; i < bytes + 8; ++i) {
          EXPECT_EQ(memory[round][i], round == 0 ? 0x00 : 0xff);
        }
      }
      EXPECT_EQ(std::memcmp(memory[0].data(), memory[1].data(), bytes), 0) << type << fill;
    }
  }
}

TEST(FillTest, SeedsDiffer) {
  for (std::string_view fill : FillNames()) {
    EXPECT_NE(Values(Make(POOLPROOF_F32, std::string(fill), 1, {1, 4, 64})),
              Values(Make(POOLPROOF_F32, std::string(fill), 2, {1, 4, 64})))
        << fill;
  }
}

TEST(FillTest, DistinctIsDistinctAsFarAsTheTypeHasValues) {
  for (poolproof_element_type type = kFirstType; type <= kLastType; ++type) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      for (int64_t elements : {1, 2, 3, 100, 256, 1000, 5000}) {
        const std::vector<Number> values = Values(Make(type, "distinct", seed, {1, 1, elements}));
        const size_t possible = ElementSize(type) == 1 ? 256 : 60000;
        EXPECT_EQ(std::set<Number>(values.begin(), values.end()).size(), std::min(values.size(), possible))
            << ElementTypeName(type) << " seed " << seed << " elements " << elements;
      }
    }
  }
}

TEST(FillTest, NegativeStaysBelowZero) {
  for (poolproof_element_type type = kFirstType; type <= kLastType; ++type) {
    const bool is_unsigned = LowestOf(type) == 0;
    for (Number value : Values(Make(type, "negative", 7, {1, 1, 500}))) {
      EXPECT_TRUE(is_unsigned ? value < 65 : value < 0) << ElementTypeName(type);
    }
  }
}

// A sum from which taps are taken away again is wrong where an outlier was among them: no float of the type, nor of
// 32 bits, holds one together with a small value.
TEST(FillTest, BesideOutliersSmallValuesVanish) {
  for (const poolproof_element_type type : {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16}) {
    int64_t outliers = 0;
    const std::vector<Number> values = Values(Make(type, "outliers", 1, {1, 1, 4000}));
    const Number small =
        *std::min_element(values.begin(), values.end(), [](Number a, Number b) { return std::fabs(a) < std::fabs(b); });
    for (const Number value : values) {
      if (std::fabs(value) < 100) continue;
      ++outliers;
      const Number sum = type == POOLPROOF_F64 ? static_cast<double>(value + small) : static_cast<float>(value + small);
      EXPECT_EQ(sum, value) << ElementTypeName(type);
    }
    EXPECT_GT(outliers, 300) << ElementTypeName(type);
    EXPECT_LT(outliers, 700) << ElementTypeName(type);
  }
}

// All sums are tried that leave partial sums exact, so that what is not found does not exist.
TEST(FillTest, QuotientsTellADivisorThatIsOffByOneWhereverASumDoes) {
  struct Expected {
    int digits;
    int64_t last, untold;  // number of taps by which one more is told; how many below it are not
  };
  for (const auto& [digits, last, untold] : {Expected{8, 241, 8}, Expected{11, 2011, 27}}) {
    for (const int64_t more : {1, -1}) {
      int64_t found_last = 0, found = 0;
      for (int64_t taps = 2; taps < int64_t{1} << digits; ++taps) {
        if (fill::FindTellingSum(digits, taps, taps + more).ulps <= 1.5) continue;
        found_last = taps;
        ++found;
      }
      EXPECT_EQ(found_last, more > 0 ? last : last + 1);
      EXPECT_EQ(found, found_last - 1 - untold);
    }
  }
}

TEST(FillTest, QuotientsHaveTheSumsThatTell) {
  for (const int64_t taps : {2, 127, 240}) {
    const std::vector<Number> values = Values(Make(POOLPROOF_BF16, "quotients", 5, {1, 2, taps}));
    for (const int64_t plane : {0, 1}) {
      const Number sum = std::accumulate(values.begin() + plane * taps, values.begin() + (plane + 1) * taps, Number{0});
      EXPECT_EQ(sum, fill::FindTellingSum(8, taps, plane == 0 ? taps + 1 : taps - 1).sum);
    }
  }
}

TEST(FillTest, LowestIsMostlyLowest) {
  for (poolproof_element_type type = kFirstType; type <= kLastType; ++type) {
    const std::vector<Number> values = Values(Make(type, "lowest", 7, {1, 1, 1000}));
    const auto lowest = std::count(values.begin(), values.end(), LowestOf(type));
    EXPECT_GT(lowest, 850) << ElementTypeName(type);
    EXPECT_LT(lowest, 1000) << ElementTypeName(type);
    const std::vector<Number> infinite = Values(Make(type, "minus-infinity", 7, {1, 1, 1000}));
    const Number expected = IsFloat(type) ? -std::numeric_limits<Number>::infinity() : LowestOf(type);
    EXPECT_GT(std::count(infinite.begin(), infinite.end(), expected), 850) << ElementTypeName(type);
  }
}

TEST(FillTest, TiesTie) {
  for (poolproof_element_type type = kFirstType; type <= kLastType; ++type) {
    const std::vector<Number> values = Values(Make(type, "ties", 7, {1, 1, 1000}));
    EXPECT_EQ(std::set<Number>(values.begin(), values.end()).size(), 4u);
  }
}

TEST(FillTest, RandomIsFinite) {
  for (poolproof_element_type type = kFirstType; type <= kLastType; ++type) {
    for (const uint64_t seed : {0u, 1u}) {
      for (Number value : Values(Make(type, "random", seed, {1, 1, 5000}))) {
        EXPECT_TRUE(std::isfinite(value)) << ElementTypeName(type);
      }
    }
  }
}

TEST(FillTest, ExtremeReachesBothLimits) {
  for (poolproof_element_type type = kFirstType; type <= kLastType; ++type) {
    const std::vector<Number> values = Values(Make(type, "extreme", 7, {1, 1, 500}));
    EXPECT_EQ(*std::min_element(values.begin(), values.end()), LowestOf(type));
    EXPECT_TRUE(std::isfinite(*std::max_element(values.begin(), values.end())));
  }
}

// Name of what a value is, "" for an ordinary one.
std::string Class(Number value, Number lowest) {
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return std::signbit(value) ? "-0" : "+0";
  return value == lowest ? "lowest" : "";
}

TEST(FillTest, SpecialsPutEachValueAtEachPlace) {
  const std::set<std::string> kinds = {"nan", "-nan", "inf", "-inf", "+0", "-0", "lowest"};
  for (poolproof_element_type type : {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16}) {
    std::map<size_t, std::set<std::string>> seen;
    for (uint64_t seed = 0; seed < fill::kSpecialKinds * fill::kSpecialPlaces; ++seed) {
      const std::vector<Number> values = Values(Make(type, "specials", seed, {1, 2, 3, 4}));
      for (size_t i = 0; i < values.size(); ++i) seen[i].insert(Class(values[i], LowestOf(type)));
    }
    for (const size_t place : {0u, 3u, 8u, 11u, 12u, 15u, 20u, 23u}) {  // corners of both planes
      for (const std::string& kind : kinds) {
        EXPECT_TRUE(seen[place].contains(kind)) << place << " " << kind;
      }
    }
  }
}

TEST(FillTest, SpecialsFollowTheLayout) {
  Problem p = Make(POOLPROOF_FX8, "specials", 0, {3, 4, 2});
  p.spec = &TestSpecs().operators[2];
  p.function = p.spec->FindFunction("fixed_hwc");
  const fill::Planes planes = fill::PlanesOf(p);
  EXPECT_EQ(planes.count, 2);
  EXPECT_EQ(planes.step, 1);
  EXPECT_EQ(planes.stride[0], 8);
  EXPECT_EQ(planes.stride[1], 2);
  p.seed = fill::kSpecialKinds * static_cast<uint64_t>(fill::SpecialPlace::kLast);
  EXPECT_EQ(Values(p)[23], -128);
  EXPECT_EQ(Values(p)[22], -128);
}

TEST(FillTest, SpecialsOfUnfitShapesStayInside) {
  for (std::initializer_list<int64_t> shape :
       {std::initializer_list<int64_t>{}, {5}, {5, 5}, {1, 1, 0}, {2, 1, 2, 1, 2, 1, 2, 1}}) {
    for (uint64_t seed = 0; seed < 40; ++seed) Values(Make(POOLPROOF_F32, "specials", seed, shape));
  }
}

TEST(ElementTest, EveryHalfReadsBackToItself) {
  for (poolproof_element_type type : {POOLPROOF_F16, POOLPROOF_BF16}) {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const auto stored = static_cast<uint16_t>(bits);
      const Number value = ElementAsNumber(type, &stored, 0);
      uint16_t back = 0;
      ASSERT_TRUE(StoreElement(type, value, &back, 0));
      if (std::isnan(value)) {
        EXPECT_EQ(back >> 15, stored >> 15);
        EXPECT_TRUE(std::isnan(ElementAsNumber(type, &back, 0)));
        continue;
      }
      ASSERT_EQ(back, stored);
      const std::string text = ElementAsText(type, &stored, 0);
      Number read = 0;
      ASSERT_TRUE(ParseNumber(text, &read)) << text;
      ASSERT_TRUE(StoreElement(type, read, &back, 0));
      ASSERT_EQ(back, stored) << text;
    }
  }
}

TEST(ElementTest, StoringRoundsToNearestEven) {
  const auto stored = [](poolproof_element_type type, Number value) {
    uint16_t bits = 0;
    StoreElement(type, value, &bits, 0);
    return bits;
  };
  EXPECT_EQ(stored(POOLPROOF_F16, 2049), 0x6800);   // between 2048 and 2050
  EXPECT_EQ(stored(POOLPROOF_F16, 2051), 0x6802);   // between 2050 and 2052
  EXPECT_EQ(stored(POOLPROOF_F16, 65519), 0x7bff);  // below the midpoint to 65536
  EXPECT_EQ(stored(POOLPROOF_F16, 65520), 0x7c00);
  EXPECT_EQ(stored(POOLPROOF_F16, 0x1p-25L), 0x0000);  // tie between 0 and the smallest subnormal
  EXPECT_EQ(stored(POOLPROOF_F16, 0x1.8p-25L), 0x0001);
  EXPECT_EQ(stored(POOLPROOF_BF16, 257), 0x4380);
  EXPECT_EQ(stored(POOLPROOF_BF16, 259), 0x4382);
}

TEST(ElementTest, TextIsShort) {
  const auto text = [](poolproof_element_type type, Number value) {
    std::byte bytes[8] = {};
    StoreElement(type, value, bytes, 0);
    return ElementAsText(type, bytes, 0);
  };
  EXPECT_EQ(text(POOLPROOF_F32, std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(text(POOLPROOF_F32, 0x1p60L), "1.1529215e+18");
  EXPECT_EQ(text(POOLPROOF_F64, 1e17L), "1e+17");
  EXPECT_EQ(text(POOLPROOF_F32, 16777216), "16777216");
  EXPECT_EQ(text(POOLPROOF_F32, -0.0L), "-0.0");
  EXPECT_EQ(text(POOLPROOF_I64, 0x1p60L), "1152921504606846976");
}

TEST(ElementTest, IntegersTakeTheirValuesOnly) {
  uint64_t out = 42;
  EXPECT_FALSE(StoreElement(POOLPROOF_U8, 256, &out, 0));
  EXPECT_FALSE(StoreElement(POOLPROOF_U8, -1, &out, 0));
  EXPECT_FALSE(StoreElement(POOLPROOF_I64, 0x1p63L, &out, 0));
  EXPECT_FALSE(StoreElement(POOLPROOF_I32, 0.5L, &out, 0));
  EXPECT_FALSE(StoreElement(POOLPROOF_I32, std::numeric_limits<Number>::quiet_NaN(), &out, 0));
  EXPECT_EQ(out, 42u);
  EXPECT_TRUE(StoreElement(POOLPROOF_U64, 0x1p64L - 1, &out, 0));
  EXPECT_EQ(ElementAsText(POOLPROOF_U64, &out, 0), "18446744073709551615");
}

}  // namespace
}  // namespace poolproof
