// Norms of powers that keep their signs: what cancels, what has no root, what passes the end.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

TestCall NormOfAll(int64_t power, const std::vector<long double>& data) {
  TestCall call("torch.LPPool", POOLPROOF_F32, {1, 1, static_cast<int64_t>(data.size())}, 1);
  call.List("kernel_size", {static_cast<int64_t>(data.size())}).Int("norm_type", power).Data(data);
  return call;
}

// The cubes of 1 + 2^-10 and -1, added in f32, leave 3 * 2^-10 but for some of 2^-24, of which the cube root has a
// third.
TEST(Norms, JudgedOfPowersThatCancel) {
  TestCall call = NormOfAll(3, {1 + 0x1p-10L, -1});
  const auto judged = [&](float got) { return JudgeIt(call, {}, 0, 0, &got).acceptance; };
  const float exact = static_cast<float>(std::cbrt(3 * 0x1p-10L + 3 * 0x1p-20L + 0x1p-30L));
  EXPECT_EQ(judged(exact), Acceptance::kTolerated);
  EXPECT_EQ(judged(exact * 1.0001f), Acceptance::kTolerated);
  EXPECT_EQ(judged(exact * 1.01f), Acceptance::kRejected);
  EXPECT_EQ(judged(-exact), Acceptance::kRejected);
}

// Beside an element of 0 a float of 64 bits has 2^1074 ulp for each 1.
TEST(Norms, JudgedInUlpsOfTheirElements) {
  TestCall call("torch.LPPool", POOLPROOF_F64, {1, 1, 3}, 1);
  call.List("kernel_size", {3}).Int("norm_type", 3).Data({1, 0.1L, -1});
  const double got = 0.1 + 0x1p-45;
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &got).acceptance, Acceptance::kTolerated);
  call.Data({1, 0, -1});
  const double rest = 0x1p-18;
  const ElementJudgement judged = JudgeIt(call, {}, 0, 0, &rest);
  EXPECT_EQ(judged.acceptance, Acceptance::kTolerated);
  EXPECT_LT(judged.ulp, 0x1p40);
  EXPECT_TRUE(std::isfinite(judged.bound));
}

TEST(Norms, JudgedWhereToRoundIsToOverflow) {
  constexpr double kMost = std::numeric_limits<double>::max(), kInfinity = std::numeric_limits<double>::infinity();
  TestCall call("torch.LPPool", POOLPROOF_F64, {1, 1, 3}, 1);
  call.List("kernel_size", {3}).Int("norm_type", 3).Data({kMost, kMost, -kMost});
  const auto judged = [&](double got) { return JudgeIt(call, {}, 0, 0, &got).acceptance; };
  EXPECT_EQ(judged(kMost), Acceptance::kTolerated);
  EXPECT_EQ(judged(kInfinity), Acceptance::kTolerated);
  EXPECT_EQ(judged(-kInfinity), Acceptance::kSilence);
}

// Near 0 a sum may be on either side, and NaN is what has no root.
TEST(Norms, JudgedOfNegativeSums) {
  Readings nan;
  nan[Entry::kTorchLpNegative] = static_cast<uint8_t>(TorchLpNegative::kNan);
  TestCall zero = NormOfAll(3, {1, -1}), negative = NormOfAll(3, {1, -2}), sum = NormOfAll(1, {1, -2});
  const float none = std::numeric_limits<float>::quiet_NaN(), root = -static_cast<float>(std::cbrt(7)), one = -1;
  EXPECT_EQ(JudgeIt(zero, nan, 0, 0, &none).acceptance, Acceptance::kTolerated);
  EXPECT_EQ(JudgeIt(zero, {}, 0, 0, &none).acceptance, Acceptance::kRejected);
  EXPECT_EQ(JudgeIt(negative, nan, 0, 0, &none).acceptance, Acceptance::kTolerated);
  EXPECT_EQ(JudgeIt(negative, nan, 0, 0, &root).acceptance, Acceptance::kRejected);
  EXPECT_EQ(JudgeIt(negative, {}, 0, 0, &root).acceptance, Acceptance::kTolerated);
  EXPECT_EQ(JudgeIt(sum, nan, 0, 0, &one).acceptance, Acceptance::kTolerated);
}

// pow has them so.
TEST(Norms, OfMinusInfinity) {
  const long double infinity = std::numeric_limits<long double>::infinity();
  Context nan;
  nan.readings[Entry::kTorchLpNegative] = static_cast<uint8_t>(TorchLpNegative::kNan);
  EXPECT_EQ(NormOfAll(3, {-infinity, 1}).Run(nan).Values(0)[0], infinity);
  EXPECT_EQ(NormOfAll(3, {-infinity, 1}).Run().Values(0)[0], -infinity);
  EXPECT_EQ(NormOfAll(1, {-infinity, 1}).Run(nan).Values(0)[0], -infinity);
  EXPECT_TRUE(std::isnan(NormOfAll(3, {-infinity, infinity}).Run(nan).Values(0)[0]));
}

// Cubes of -1e30 become -infinity in f32, which infinity, met later, makes NaN of; those of -1 do not.
TEST(Norms, JudgedOfInfinityThatMeetsAnOverflow) {
  const long double infinity = std::numeric_limits<long double>::infinity();
  const float none = std::numeric_limits<float>::quiet_NaN(), least = -std::numeric_limits<float>::infinity();
  TestCall may = NormOfAll(3, {-1e30L, 1, infinity}), never = NormOfAll(3, {-1, 1e30L, infinity});
  EXPECT_EQ(JudgeIt(may, {}, 0, 0, &none).acceptance, Acceptance::kSilence);
  EXPECT_EQ(JudgeIt(may, {}, 0, 0, &none).entry, Entry::kMeanOverflow);
  EXPECT_EQ(JudgeIt(may, {}, 0, 0, &least).acceptance, Acceptance::kRejected);
  EXPECT_EQ(JudgeIt(never, {}, 0, 0, &none).acceptance, Acceptance::kRejected);
  Readings overflows;
  overflows[Entry::kMeanOverflow] = static_cast<uint8_t>(MeanOverflow::kOverflows);
  EXPECT_EQ(JudgeIt(may, overflows, 0, 0, &none).acceptance, Acceptance::kTolerated);
  Context context, untouched;
  EXPECT_EQ(may.Run(context).Values(0)[0], infinity);
  EXPECT_TRUE(context.touched.Has(Entry::kMeanOverflow));
  never.Run(untouched);
  EXPECT_FALSE(untouched.touched.Has(Entry::kMeanOverflow));
}

TEST(Norms, OfAWindowThatPassesTheEnd) {
  TestCall call("torch.LPPool", POOLPROOF_F32, {1, 1, 3}, 1);
  call.List("kernel_size", {2}).Int("norm_type", 1).Bool("ceil_mode", true).Data({1, 2, 4});
  EXPECT_EQ(call.Run().Values(0), (std::vector<long double>{3, 4}));
  Context scaled;
  scaled.readings[Entry::kTorchLpOverhang] = static_cast<uint8_t>(TorchLpOverhang::kScaled);
  EXPECT_EQ(call.Run(scaled).Values(0), (std::vector<long double>{3, 8}));
}

}  // namespace
}  // namespace poolproof::reference
