// Means: exact sums, one rounding, divisors by every reading, the published layer shapes.
#include "reference/mean.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "reference/exact_sum.h"
#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

using Values = std::vector<long double>;
using Shape = std::vector<int64_t>;

template <typename T = double>
T MeanOf(const std::vector<T>& values, int64_t divisor) {
  ExactSum<T> sum;
  for (const T value : values) sum.Add(value);
  return static_cast<T>(sum.DividedBy(divisor));
}

TEST(ExactSum, DoesNotOverflow) {
  EXPECT_EQ(MeanOf<double>({DBL_MAX, DBL_MAX, DBL_MAX}, 3), DBL_MAX);
  EXPECT_EQ(MeanOf<double>({-DBL_MAX, DBL_MAX}, 2), 0);
  EXPECT_EQ(MeanOf<double>({DBL_MAX, 1, -DBL_MAX}, 1), 1);
}

TEST(ExactSum, KeepsWhatAPlainSumLoses) {
  EXPECT_EQ(MeanOf<double>({0x1p100, 1, -0x1p100, 1}, 2), 1);
  EXPECT_EQ(MeanOf<double>({0x1p60, 0x1p-60, -0x1p60}, 1), 0x1p-60);
  EXPECT_EQ(MeanOf<double>({DBL_TRUE_MIN, 0}, 2), 0);  // a tie between 0 and the smallest: to even
  EXPECT_EQ(MeanOf<double>({DBL_TRUE_MIN, DBL_TRUE_MIN * 2}, 2), DBL_TRUE_MIN * 2);
}

// 1 + 2^-53 is half way between doubles; whatever is beyond decides, if it is not rounded away
// first.
TEST(ExactSum, RoundsOnce) {
  EXPECT_EQ(MeanOf<double>({1, 0x1p-53}, 1), 1);
  EXPECT_EQ(MeanOf<double>({1, 0x1p-53, 0x1p-100}, 1), 1 + 0x1p-52);
  EXPECT_EQ(MeanOf<double>({1, 0x1p-53, -0x1p-100}, 1), 1);
  EXPECT_EQ(MeanOf<double>({1 + 0x1p-52, 0x1p-53}, 1), 1 + 0x1p-51);
  EXPECT_EQ(MeanOf<double>({1 + 0x1p-52, 0x1p-53, -0x1p-100}, 1), 1 + 0x1p-52);
}

TEST(ExactSum, QuotientsAreCorrectlyRounded) {
  // 1/3 in f64, by the division of the machine.
  for (int n = 1; n < 2000; ++n) {
    for (int d = 1; d < 40; ++d) {
      ASSERT_EQ(MeanOf<double>({static_cast<double>(n)}, d), static_cast<double>(n) / d);
    }
  }
}

// Ties that only the smallest of very different taps decides.
TEST(ExactSum, HoldsEveryBit) {
  EXPECT_EQ(MeanOf<float>({1, 0x1p-24f, 1e-40f}, 1), 1 + 0x1p-23f);
  EXPECT_EQ(MeanOf<float>({1, 0x1p-24f, -1e-40f}, 1), 1);
  EXPECT_EQ(MeanOf<float>({FLT_MAX, 0x1p103f, FLT_TRUE_MIN, -FLT_MAX, -0x1p103f}, 1), FLT_TRUE_MIN);
  EXPECT_EQ(MeanOf<double>({DBL_MAX, 1e-300, DBL_TRUE_MIN, -DBL_MAX, -1e-300}, 1), DBL_TRUE_MIN);
  EXPECT_EQ(MeanOf<double>({1, 0x1p-53, 1e-300, DBL_TRUE_MIN, -1e-300}, 1), 1 + 0x1p-52);
  EXPECT_EQ(MeanOf<double>({1, 0x1p-53, 1e-300, -DBL_TRUE_MIN, -1e-300}, 1), 1);
  // The middle between 1/3 rounded down and up is no quotient; around 3 times it there are two.
  const float third = 1.0f / 3, below = std::nextafter(third, 0.0f);
  const double middle = (static_cast<double>(third) + static_cast<double>(below)) / 2;
  EXPECT_EQ(MeanOf<float>({below, below, third, third, below, third, FLT_TRUE_MIN}, 6), third);
  EXPECT_EQ(MeanOf<float>({below, below, third, third, below, third, -FLT_TRUE_MIN}, 6), below);
  EXPECT_EQ(static_cast<double>(below) + 0x1p-26, middle);
}

// 8191 additions of every magnitude of the type, against integers of 128 bits.
TEST(ExactSum, CarriesThroughAllDigits) {
  uint64_t random = 1;
  for (int round = 0; round < 200; ++round) {
    ExactSum<float> sum;
    __int128 units = 0;  // of 2^-80
    for (int i = 0; i < 8191; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      const int exponent = static_cast<int>(random >> 59);
      const int64_t value = static_cast<int32_t>(random >> 20) / 256;
      sum.Add(std::ldexp(static_cast<float>(value), exponent - 80));
      units += static_cast<__int128>(value) << exponent;
    }
    const int64_t divisor = static_cast<int64_t>(random >> 40) + 1;
    const auto high = static_cast<int64_t>(units >> 64);
    const auto low = static_cast<uint64_t>(units);
    const std::vector<int64_t> digits = {static_cast<int64_t>(low & 0xFFFFFFFFu), static_cast<int64_t>(low >> 32),
                                         high};
    ASSERT_EQ(sum.DividedBy(divisor), DivideDigits(digits, -80, divisor));
    ASSERT_NEAR(static_cast<double>(sum.DividedBy(divisor)),
                static_cast<double>(units) / static_cast<double>(divisor) * 0x1p-80, 1e-12);
  }
}

// Where the quick division answers, rounding its answer is rounding the exact quotient.
TEST(DivideQuickly, RoundsAsTheExactDivisionDoes) {
  uint64_t random = 7;
  int answered = 0, asked = 0;
  for (int round = 0; round < 200'000; ++round) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const int bits = static_cast<int>(random >> 58) % 53 + 1;
    const double sum = static_cast<double>(static_cast<int64_t>(random << 5 >> (64 - bits)));
    const int64_t divisor = static_cast<int64_t>(random >> 20 & 0xFFF) + 1;
    ExactSum<double> exact;
    exact.Add(sum);
    const auto quick = DivideQuickly(sum, divisor);
    ++asked;
    answered += quick ? 1 : 0;
    if (!quick) continue;
    ASSERT_EQ(static_cast<double>(*quick), static_cast<double>(exact.DividedBy(divisor)));
    ASSERT_EQ(static_cast<float>(*quick), static_cast<float>(exact.DividedBy(divisor)));
    ASSERT_EQ(RoundToHalf(*quick), RoundToHalf(exact.DividedBy(divisor)));
    ASSERT_EQ(RoundToBfloat16(*quick), RoundToBfloat16(exact.DividedBy(divisor)));
  }
  EXPECT_GT(answered * 10, asked * 9);
}

TEST(ExactSum, DividesByWhatTakesMoreThan32Bits) {
  const int64_t divisor = (int64_t{1} << 40) + 1;
  EXPECT_EQ(MeanOf<double>({static_cast<double>(divisor)}, divisor), 1);
  EXPECT_EQ(MeanOf<double>({1}, divisor), 1 / static_cast<double>(divisor));
}

TEST(ExactSum, GoesByIeeeWithInfinitiesAndNan) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(MeanOf<double>({1, infinity, 2}, 3), infinity);
  EXPECT_EQ(MeanOf<double>({1, -infinity}, 2), -infinity);
  EXPECT_TRUE(std::isnan(MeanOf<double>({infinity, 1, -infinity}, 3)));
  EXPECT_TRUE(std::isnan(MeanOf<double>({infinity, std::nan("")}, 2)));
  EXPECT_TRUE(std::isnan(MeanOf<double>({std::nan(""), 1}, 2)));
}

TEST(RoundQuotient, EveryReading) {
  using R = AvgIntegerRounding;
  struct Row {
    int sum, divisor, truncate, even, away, floor, up;
  };
  const Row rows[] = {{7, 2, 3, 4, 4, 3, 4},       {5, 2, 2, 2, 3, 2, 3}, {-5, 2, -2, -2, -3, -3, -2},
                      {-7, 2, -3, -4, -4, -4, -3}, {5, 3, 1, 2, 2, 1, 2}, {-5, 3, -1, -2, -2, -2, -1},
                      {-4, 3, -1, -1, -1, -2, -1}, {6, 3, 2, 2, 2, 2, 2}, {-1, 2, 0, 0, -1, -1, 0},
                      {1, 2, 0, 0, 1, 0, 1},       {0, 9, 0, 0, 0, 0, 0}};
  for (const Row& row : rows) {
    EXPECT_EQ(RoundQuotient(row.sum, row.divisor, R::kTruncate), row.truncate) << row.sum;
    EXPECT_EQ(RoundQuotient(row.sum, row.divisor, R::kNearestEven), row.even) << row.sum;
    EXPECT_EQ(RoundQuotient(row.sum, row.divisor, R::kNearestAway), row.away) << row.sum;
    EXPECT_EQ(RoundQuotient(row.sum, row.divisor, R::kFloor), row.floor) << row.sum;
    EXPECT_EQ(RoundQuotient(row.sum, row.divisor, R::kUp), row.up) << row.sum;
  }
}

TestCall Average(const Shape& shape, int64_t kernel, int64_t stride, int64_t pad, bool exclude,
                 poolproof_element_type type = POOLPROOF_F32) {
  const size_t axes = shape.size() - 2;
  TestCall call("AvgPool-14", type, shape, 1);
  call.List("kernel", Shape(axes, kernel)).List("strides", Shape(axes, stride));
  call.List("pads_begin", Shape(axes, pad)).List("pads_end", Shape(axes, pad));
  call.Bool("exclude-pad", exclude);
  return call;
}

TEST(AvgPool, LayerExamples) {
  struct Layer {
    const char* auto_pad;
    int64_t kernel, stride, pad;
    bool exclude;
    int64_t size;
  };
  for (const Layer& l : {Layer{"same_upper", 2, 2, 0, true, 32},
                         {"same_upper", 5, 2, 0, false, 32},
                         {"explicit", 5, 3, 1, true, 10},
                         {"explicit", 5, 2, 1, false, 15},
                         {"valid", 5, 2, 0, true, 14}}) {
    TestCall call = Average({1, 3, 32, 32}, l.kernel, l.stride, l.pad, l.exclude);
    EXPECT_EQ(call.Word("auto_pad", l.auto_pad).Run().shapes[0], (Shape{1, 3, l.size, l.size}));
  }
}

TEST(AvgPool, PaddingCountsOrNot) {
  // One row 3 6 with a zero on either side: windows [0 3], [3 6], [6 0].
  const Values row = {3, 6};
  EXPECT_EQ(Average({1, 1, 2}, 2, 1, 1, true).Data(row).Run().Values(0), (Values{3, 4.5L, 6}));
  EXPECT_EQ(Average({1, 1, 2}, 2, 1, 1, false).Data(row).Run().Values(0), (Values{1.5L, 4.5L, 3}));
  // The padding that auto_pad makes counts as well.
  TestCall same = Average({1, 1, 2}, 2, 1, 0, false);
  EXPECT_EQ(same.Data(row).Word("auto_pad", "same_upper").Run().Values(0), (Values{4.5L, 3}));
}

// Size 4, kernel 3, stride 2, rounded up: the second window has two taps inside and one past the
// end.
TEST(AvgPool, OverhangByEveryReading) {
  const auto second = [](int64_t pad, AvgOverhang overhang, AvgIncludeWithoutPads without) {
    TestCall call = Average({1, 1, 4}, 3, 2, pad, false);
    Context context;
    context.readings[Entry::kAvgOverhang] = static_cast<uint8_t>(overhang);
    context.readings[Entry::kAvgIncludeWithoutPads] = static_cast<uint8_t>(without);
    return call.Data({6, 6, 6, 6}).Word("rounding_type", "ceil").Run(context).Values(0).back();
  };
  using O = AvgOverhang;
  using W = AvgIncludeWithoutPads;
  EXPECT_EQ(second(0, O::kCounted, W::kAsOverhang), 4);     // 12 / 3
  EXPECT_EQ(second(0, O::kNotCounted, W::kAsOverhang), 6);  // 12 / 2
  EXPECT_EQ(second(0, O::kCounted, W::kExcluded), 6);
  // With a pad on either side the last window starts at 3: one tap, one in padding, one beyond.
  EXPECT_EQ(second(1, O::kCounted, W::kAsOverhang), 2);     // 6 / 3
  EXPECT_EQ(second(1, O::kNotCounted, W::kAsOverhang), 3);  // 6 / 2
  EXPECT_EQ(second(1, O::kCounted, W::kExcluded), 2);
}

// Size 5, kernel 2, dilation and stride 3, rounded up: the second window has a tap at 3 and one at 6, past the end.
TEST(AvgPool, OverhangOfDilatedWindows) {
  for (const auto& [overhang, mean] : {std::pair(AvgOverhang::kCounted, 3.0L), {AvgOverhang::kNotCounted, 6.0L}}) {
    TestCall call("AvgPool-16", POOLPROOF_F32, {1, 1, 5}, 1);
    call.List("kernel", {2}).List("strides", {3}).List("dilations", {3}).List("pads_begin", {0}).List("pads_end", {0});
    Context context;
    context.readings[Entry::kAvgOverhang] = static_cast<uint8_t>(overhang);
    call.Bool("exclude-pad", false).Word("rounding_type", "ceil").Data({6, 6, 6, 6, 6});
    EXPECT_EQ(call.Run(context).Values(0), (Values{6, mean}));
  }
}

TEST(AvgPool, EmptyWindows) {
  TestCall call = Average({1, 1, 1}, 1, 1, 1, true);
  Context zero, nan;
  nan.readings[Entry::kAvgEmptyWindow] = static_cast<uint8_t>(AvgEmptyWindow::kNan);
  EXPECT_EQ(call.Data({5}).Run(zero).Values(0), (Values{0, 5, 0}));
  EXPECT_TRUE(zero.touched.Has(Entry::kAvgEmptyWindow));
  EXPECT_TRUE(std::isnan(call.Run(nan).Values(0)[0]));
  // An integer has no NaN, so nothing is open.
  TestCall integers = Average({1, 1, 1}, 1, 1, 1, true, POOLPROOF_I8);
  Context open = {nan.readings, {}, {}};
  EXPECT_EQ(integers.Data({5}).Run(open).Values(0), (Values{0, 5, 0}));
  EXPECT_TRUE(open.touched.Empty());
}

TEST(AvgPool, WideIntegersDoNotOverflow) {
  const long double high = 18446744073709551615.0L, low = -9223372036854775808.0L;
  EXPECT_EQ(Average({1, 1, 3}, 3, 1, 0, true, POOLPROOF_U64).Data({high, high, high}).Run().Values(0), Values{high});
  EXPECT_EQ(Average({1, 1, 2}, 2, 1, 0, true, POOLPROOF_I64).Data({low, low}).Run().Values(0), Values{low});
}

TEST(AvgPool, WideIntegersWrapWhereAReadingLetsThem) {
  const long double high = 18446744073709551615.0L, low = -9223372036854775808.0L;
  const auto wrapped = [](poolproof_element_type type, const Values& data, bool touches) {
    TestCall call =
        Average({1, 1, static_cast<int64_t>(data.size())}, static_cast<int64_t>(data.size()), 1, 0, true, type);
    Context context;
    context.readings[Entry::kIntegerSumOverflow] = static_cast<uint8_t>(IntegerSumOverflow::kWraps);
    const Outcome outcome = call.Data(data).Run(context);
    EXPECT_EQ(context.touched.Has(Entry::kIntegerSumOverflow), touches);
    return outcome.Values(0);
  };
  EXPECT_EQ(wrapped(POOLPROOF_U64, {high, 3}, true), Values{1});
  EXPECT_EQ(wrapped(POOLPROOF_I64, {low, low, 6}, true), Values{2});
  EXPECT_EQ(wrapped(POOLPROOF_I64, {low, -low - 1, 7}, false), Values{2});
  EXPECT_EQ(wrapped(POOLPROOF_U32, {4294967295.0L, 4294967295.0L}, false), Values{4294967295.0L});
}

TEST(AvgPool, HalvesNearTheirLimit) {
  for (const poolproof_element_type type : {POOLPROOF_F16, POOLPROOF_BF16}) {
    const long double limit = type == POOLPROOF_F16 ? 65504.0L : 0x1.FEp127L;
    const Values full(64, limit);
    EXPECT_EQ(Average({1, 1, 8, 8}, 8, 1, 0, true, type).Data(full).Run().Values(0), Values{limit});
  }
}

TEST(AdaptiveAvgPool, UnevenCells) {
  // 5 elements in 3 cells: [0, 2), [1, 4), [3, 5).
  TestCall call("AdaptiveAvgPool-8", POOLPROOF_F64, {1, 1, 5}, 1);
  call.Sizes(POOLPROOF_I32, {3}).Data({1, 2, 4, 6, 9});
  EXPECT_EQ(call.Run().Values(0), (Values{1.5L, 4, 7.5L}));
}

TEST(AdaptivePools, GiveNothingWhereNoCellIsAskedFor) {
  Context empty;
  empty.readings[Entry::kAdaptiveSizeZero] = static_cast<uint8_t>(AdaptiveSizeZero::kEmptyOutput);
  TestCall maxima("AdaptiveMaxPool-8", POOLPROOF_F32, {2, 3, 4, 5}, 2),
      means("AdaptiveAvgPool-8", POOLPROOF_F32, {1, 1, 0}, 1);
  EXPECT_EQ(maxima.Sizes(POOLPROOF_I64, {0, 2}).Run(empty).shapes[1], (Shape{2, 3, 0, 2}));
  EXPECT_TRUE(empty.touched.Has(Entry::kAdaptiveSizeZero));
  EXPECT_EQ(means.Sizes(POOLPROOF_I32, {0}).Run(empty).status, POOLPROOF_INVALID_ARGUMENT);
  empty.readings[Entry::kZeroSize] = static_cast<uint8_t>(ZeroSize::kEmptyOutput);
  EXPECT_EQ(means.Run(empty).shapes[0], (Shape{1, 1, 0}));
}

TEST(Pools, TakeAnEmptyBatchAlone) {
  Context context;
  context.readings[Entry::kZeroSize] = static_cast<uint8_t>(ZeroSize::kEmptyBatch);
  TestCall batch("torch.AvgPool", POOLPROOF_F32, {0, 1, 4}, 1), channels("torch.AvgPool", POOLPROOF_F32, {0, 0, 4}, 1);
  EXPECT_EQ(batch.List("kernel_size", {2}).Run(context).shapes[0], (Shape{0, 1, 2}));
  EXPECT_EQ(channels.List("kernel_size", {2}).Run(context).status, POOLPROOF_INVALID_ARGUMENT);
}

TEST(TorchAvgPool, DividesByWhatIsGiven) {
  Context negative;
  const auto mean_by = [&](int64_t divisor, bool include) {
    TestCall call("torch.AvgPool", POOLPROOF_F32, {1, 1, 2, 2}, 1);
    call.List("kernel_size", {2, 2}).List("padding", {1, 1}).Bool("count_include_pad", include);
    return call.Int("divisor_override", divisor).Data({8, 16, 24, 32}).Run(negative);
  };
  for (const bool include : {false, true}) EXPECT_EQ(mean_by(8, include).Values(0), (Values{1, 2, 3, 4}));
  for (const int64_t divisor : {0, -8}) EXPECT_EQ(mean_by(divisor, true).status, POOLPROOF_INVALID_ARGUMENT);
  negative.readings[Entry::kTorchDivisorRange] = static_cast<uint8_t>(TorchDivisorRange::kNegativeDivides);
  EXPECT_EQ(mean_by(-8, true).Values(0), (Values{-1, -2, -3, -4}));
  EXPECT_EQ(mean_by(0, true).status, POOLPROOF_INVALID_ARGUMENT);
  TestCall line("torch.AvgPool", POOLPROOF_F32, {1, 1, 2}, 1);
  EXPECT_EQ(line.List("kernel_size", {2}).Int("divisor_override", 2).Run().status, POOLPROOF_INVALID_ARGUMENT);
}

TEST(AdaptiveMaxPool, LayerExampleAndIndices) {
  TestCall layer("AdaptiveMaxPool-8", POOLPROOF_F32, {1, 3, 32, 32}, 2);
  EXPECT_EQ(layer.Sizes(POOLPROOF_I64, {16, 16}).Run().shapes[1], (Shape{1, 3, 16, 16}));
  // Indices count within the spatial axes of each channel; more cells than elements.
  TestCall call("AdaptiveMaxPool-8", POOLPROOF_F32, {1, 2, 2}, 2);
  const Outcome outcome = call.Sizes(POOLPROOF_I64, {3}).Data({1, 2, 4, 3}).Run();
  EXPECT_EQ(outcome.Values(0), (Values{1, 2, 2, 4, 4, 3}));
  EXPECT_EQ(outcome.Values(1), (Values{0, 1, 1, 0, 0, 1}));
}

}  // namespace
}  // namespace poolproof::reference
