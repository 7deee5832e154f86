// Sums become means: every sum and number of taps of small integers, drawn ones of large integers, and rows of every
// width that end where memory does, on every target, against division.
#include <gtest/gtest.h>

#include "optimized/kernels/testing.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/means_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/factors-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// The mean that Quotient says, of integers.
template <typename I>
I MeanBy(I sum, int64_t taps, bool convergent) {
  if (!convergent) return sum / static_cast<I>(taps);
  const I doubled = static_cast<I>(std::clamp<double>(2.0 * static_cast<double>(sum), -0x1p31, 0x1p31 - 1));
  const I quotient = doubled / static_cast<I>(taps);
  const I half = quotient / 2;
  return quotient % 2 != 0 && half % 2 != 0 ? half + (quotient > 0 ? 1 : -1) : half;
}

// A row of sums in lanes L, all of `taps` taps, as means of type T.
template <class C>
struct MeanRow {
  using T = typename C::Stored;
  using L = typename C::Lane;

  const Rounding rounding;
  const Guarded sums = {}, factors = {}, out = {};

  void Expect(const std::vector<int64_t>& values, int64_t taps) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<L>()));
    const int64_t lanes = static_cast<int64_t>(values.size()), padded = lanes + n;
    L* const sum = sums.Last<L>(padded);
    for (int64_t i = 0; i < lanes; ++i) sum[i] = static_cast<L>(values[static_cast<size_t>(i)]);
    L* const factor = factors.Last<L>(padded);
    std::fill_n(factor, padded, FactorOf<L>(taps, rounding));
    T* const to = out.Last<T>(lanes);
    ASSERT_EQ(StoreMeans<C>({1, lanes, sum, &factor, rounding, to, lanes}), 0u);
    for (int64_t i = 0; i < lanes; ++i) {
      const int64_t mean = MeanBy(values[static_cast<size_t>(i)], taps, rounding.convergent);
      ASSERT_EQ(static_cast<int64_t>(to[i]), mean) << values[static_cast<size_t>(i)] << " by " << taps;
    }
  }
};

template <class C>
void DivideEvery(int64_t lowest, int64_t highest, int64_t most_taps) {
  for (const bool convergent : {false, true}) {
    if (convergent && std::is_unsigned_v<typename C::Stored>) continue;
    const MeanRow<C> row{{false, convergent}};
    for (int64_t taps = 1; taps <= most_taps && !testing::Test::HasFailure(); ++taps) {
      std::vector<int64_t> sums;
      for (int64_t sum = lowest * taps; sum <= highest * taps; ++sum) sums.push_back(sum);
      row.Expect(sums, taps);
    }
  }
}

// Sums about multiples of the divisor, where a quotient that is rounded wrongly shows, up to `limit`.
template <class C>
void DivideDrawn(double limit, Rounding rounding) {
  Random random(9);
  const MeanRow<C> row{rounding};
  constexpr bool kSigned = std::is_signed_v<typename C::Stored>;
  for (int round = 0; round < 500 && !testing::Test::HasFailure(); ++round) {
    const int64_t taps = In(random, 1, 300), most = static_cast<int64_t>(limit);
    const int64_t highest = std::min<int64_t>(most / taps, std::numeric_limits<typename C::Stored>::max());
    std::vector<int64_t> sums;
    for (int i = 0; i < 40; ++i) {
      const int64_t sum = std::max<int64_t>(0, In(random, 0, highest) * taps - In(random, 0, 1));
      sums.push_back(kSigned && In(random, 0, 1) == 0 ? -sum : sum);
    }
    row.Expect(sums, taps);
  }
}

void DivideAll() {
  DivideEvery<ByteMean<uint8_t>>(0, 255, 9);
  DivideEvery<ByteMean<int8_t>>(-128, 127, 9);
  DivideEvery<SmallMean<int8_t>>(-128, 127, 40);
  DivideEvery<SmallMean<uint8_t>>(0, 255, 40);
  DivideDrawn<SmallMean<int16_t>>(0x1p20, {false, false});
  DivideDrawn<SmallMean<uint16_t>>(0x1p23, {true, false});
  DivideDrawn<SmallMean<int16_t>>(0x1p22, {true, true});
  DivideDrawn<WideMean<int16_t>>(0x1p31, {false, true});
  DivideDrawn<WideMean<int32_t>>(0x1p49, {false, false});
  DivideDrawn<WideMean<uint32_t>>(0x1p52, {true, false});
}

// Integers of 64 bits, with any number of taps that LongQuotientOf is good for.
template <typename L>
void DivideLong() {
  const hn::ScalableTag<L> d;
  Random random(64);
  for (int round = 0; round < 20'000 && !testing::Test::HasFailure(); ++round) {
    const L taps = static_cast<L>(In(random, 1, int64_t{1} << In(random, 1, kLongTapBits)));
    L sum = static_cast<L>(random()) >> In(random, 0, 62);
    if (In(random, 0, 1) == 0) sum = static_cast<L>(sum / taps * taps - static_cast<L>(In(random, 0, 1)));
    const auto mean = LongQuotientOf(d, hn::Set(d, sum), hn::Set(d, taps));
    ASSERT_EQ(hn::GetLane(mean), sum / taps) << sum << " by " << taps;
  }
}
void DivideLongAll() { DivideLong<int64_t>(), DivideLong<uint64_t>(); }

// Every half survives loading and storing, and what is stored is rounded to even as one by one.
template <class C>
void ConvertHalves(poolproof_element_type type) {
  const hn::ScalableTag<float> d;
  const size_t n = hn::Lanes(d);
  std::vector<uint16_t> in(n), out(n);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    std::fill(in.begin(), in.end(), static_cast<uint16_t>(bits));
    const double value = Element(type, in.data(), 0);
    if (!std::isfinite(value) || std::abs(value) > 65519) continue;
    const auto lanes = C::LoadPart(d, in.data());
    ASSERT_EQ(static_cast<double>(hn::GetLane(lanes)), value) << bits;
    C::Store(lanes, d, out.data());
    ASSERT_EQ(out, in) << bits;
    const float third = static_cast<float>(value / 3);
    C::Store(hn::Set(d, third), d, out.data());
    SetElement(type, in.data(), 0, third);
    ASSERT_EQ(out[n - 1], in[0]) << bits;
  }
}
void ConvertAll() { ConvertHalves<F16Mean>(POOLPROOF_F16), ConvertHalves<BF16Mean>(POOLPROOF_BF16); }

// A row says that it has a mean that is not finite wherever in it that is.
void FindOverflow() {
  const hn::ScalableTag<float> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t lanes = 1; lanes <= 2 * n + 1; ++lanes) {
    std::vector<float> factor(static_cast<size_t>(lanes + n), 1.0F), out(static_cast<size_t>(2 * lanes + n));
    const float* const factors[] = {factor.data(), factor.data()};
    for (int64_t at = 0; at < 2 * lanes; ++at) {
      std::vector<float> sums(static_cast<size_t>(2 * lanes + n), 1.0F);
      sums[static_cast<size_t>(at)] = std::numeric_limits<float>::infinity();
      const Quotients<float> rows = {2, lanes, sums.data(), factors, {}, out.data(), 2 * lanes};
      ASSERT_EQ(StoreMeans<FloatMean<float>>(rows), uint32_t{1} << at / lanes) << lanes << " " << at;
    }
  }
}

// Factors of every window of a row, of every number of rows, by the taps inside or by the kernel.
void FillFactors() {
  for (const Divisor divisor : {Divisor::kInside, Divisor::kKernel}) {
    Plan plan;
    plan.divisor = divisor;
    plan.axis[1] = {.in = 9, .out = 9, .kernel = 5, .pad = 2};
    plan.axis[2] = {.in = 7, .out = 6, .kernel = 4, .stride = 2, .pad = 3};
    Span width[6];
    plan.axis[2].FillSpans(width);
    Scratch scratch;
    Factors<float> factors(plan, width, scratch);
    for (const int64_t rows : {5, 1, 3, 5}) {
      const float* const of = factors.Of(rows, 0);
      for (int64_t j = 0; j < 6; ++j) {
        const int64_t taps = divisor == Divisor::kKernel ? 20 : std::max<int64_t>(1, rows * width[j].taps);
        ASSERT_EQ(of[j], 1 / static_cast<float>(taps)) << rows << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

POOLPROOF_TEST_ON_TARGETS(Means, AreThoseOfDivision, DivideAll);
POOLPROOF_TEST_ON_TARGETS(Means, AreThoseOfDivisionIn64Bits, DivideLongAll);
POOLPROOF_TEST_ON_TARGETS(Means, ConvertHalvesAsOneByOne, ConvertAll);
POOLPROOF_TEST_ON_TARGETS(Means, HaveFactorsOfTheirTaps, FillFactors);
POOLPROOF_TEST_ON_TARGETS(Means, TellRowsThatAreNotFinite, FindOverflow);

}  // namespace poolproof::optimized
#endif
