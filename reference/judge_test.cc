// The judge: what a reading of a silence gives is accepted by its name, anything else is not.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

TestCall Row(const std::vector<long double>& data, int64_t kernel, poolproof_element_type type = POOLPROOF_F32) {
  TestCall call("MaxPool-8", type, {1, 1, static_cast<int64_t>(data.size())}, 2);
  call.List("kernel", {kernel}).List("strides", {1}).List("pads_begin", {0}).List("pads_end", {0});
  call.Data(data);
  return call;
}

ElementJudgement JudgeIndexAt0(TestCall& call, const Readings& readings, int64_t got) {
  return JudgeIt(call, readings, 1, 0, &got);
}

void ExpectSilence(const ElementJudgement& judgement, Entry entry, uint8_t reading) {
  EXPECT_EQ(judgement.acceptance, Acceptance::kSilence);
  EXPECT_EQ(judgement.entry, entry);
  EXPECT_EQ(judgement.reading, reading);
}

TEST(Judge, TiedIndices) {
  TestCall call = Row({1, 7, 7, 7, 2}, 5);
  ExpectSilence(JudgeIndexAt0(call, {}, 2), Entry::kTies, static_cast<uint8_t>(Ties::kOther));
  ExpectSilence(JudgeIndexAt0(call, {}, 3), Entry::kTies, static_cast<uint8_t>(Ties::kLast));
  Readings last;
  last[Entry::kTies] = static_cast<uint8_t>(Ties::kLast);
  ExpectSilence(JudgeIndexAt0(call, last, 1), Entry::kTies, static_cast<uint8_t>(Ties::kFirst));
  for (const int64_t wrong : {-1, 0, 4, 5}) {
    EXPECT_EQ(JudgeIndexAt0(call, {}, wrong).acceptance, Acceptance::kRejected);
  }
}

TEST(Judge, NanValuesAndIndices) {
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  TestCall call = Row({nan, 3, nan, 1, 2}, 5);
  const float payload = std::bit_cast<float>(0xFFC12345u);
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &payload).acceptance, Acceptance::kTolerated);
  const float three = 3, two = 2, one = 1;
  ExpectSilence(JudgeIt(call, {}, 0, 0, &three), Entry::kNan, static_cast<uint8_t>(Nan::kIgnore));
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &one).acceptance, Acceptance::kRejected);
  ExpectSilence(JudgeIt(call, {}, 0, 0, &two), Entry::kNan, static_cast<uint8_t>(Nan::kLastTap));
  ExpectSilence(JudgeIndexAt0(call, {}, 2), Entry::kNanIndex, static_cast<uint8_t>(NanIndex::kLast));
  ExpectSilence(JudgeIndexAt0(call, {}, 1), Entry::kNan, static_cast<uint8_t>(Nan::kIgnore));
  EXPECT_EQ(JudgeIndexAt0(call, {}, 3).acceptance, Acceptance::kRejected);
}

TEST(Judge, AllNanWindows) {
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  TestCall call = Row({nan, nan}, 2);
  const float infinity = std::numeric_limits<float>::infinity(), lowest = -3.40282347e38f;
  const float minus_infinity = -infinity;
  ExpectSilence(JudgeIt(call, {}, 0, 0, &minus_infinity), Entry::kNan, static_cast<uint8_t>(Nan::kIgnoreAll));
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &lowest).acceptance, Acceptance::kRejected);
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &infinity).acceptance, Acceptance::kRejected);
  const Readings openvino = FindProfile("openvino")->readings;
  const float payload = std::bit_cast<float>(0x7FC00001u);
  ExpectSilence(JudgeIt(call, openvino, 0, 0, &payload), Entry::kNan, static_cast<uint8_t>(Nan::kPropagate));
  EXPECT_EQ(JudgeIt(call, openvino, 0, 0, &minus_infinity).acceptance, Acceptance::kRejected);
}

TEST(Judge, ZerosOfBothSigns) {
  const float plus = 0.0f, minus = -0.0f;
  TestCall both = Row({-1, -0.0L, 0.0L}, 3);
  ExpectSilence(JudgeIt(both, {}, 0, 0, &plus), Entry::kSignedZero, static_cast<uint8_t>(SignedZero::kOther));
  TestCall one = Row({-1, -0.0L, -0.0L}, 3);
  EXPECT_EQ(JudgeIt(one, {}, 0, 0, &plus).acceptance, Acceptance::kRejected);
  TestCall other = Row({-1, 0.0L, 0.0L}, 3);
  EXPECT_EQ(JudgeIt(other, {}, 0, 0, &minus).acceptance, Acceptance::kRejected);
}

TEST(Judge, IndexOfAnEmptyWindow) {
  TestCall call("MaxPool-8", POOLPROOF_F32, {1, 2, 3}, 2);
  call.List("kernel", {1}).List("strides", {1}).List("pads_begin", {1}).List("pads_end", {0});
  call.Int("axis", 2);
  for (const int64_t any : {1, 2}) {
    ExpectSilence(JudgeIndexAt0(call, {}, any), Entry::kEmptyWindowIndex,
                  static_cast<uint8_t>(EmptyWindowIndex::kOther));
  }
  for (const int64_t wrong : {-1, 3, 5}) {
    EXPECT_EQ(JudgeIndexAt0(call, {}, wrong).acceptance, Acceptance::kRejected);
  }
}

// The second plane of a tensor is outside of the first one by every reading.
TEST(Judge, IndexOfAnEmptyWindowShowsNothingOfItsOrigin) {
  TestCall call("torch.MaxPool", POOLPROOF_F32, {2, 1, 1}, 2);
  call.List("kernel_size", {2}).List("stride", {1}).List("padding", {1}).List("dilation", {2});
  Readings tensor;
  tensor[Entry::kTorchIndexOrigin] = static_cast<uint8_t>(TorchIndexOrigin::kTensor);
  EXPECT_EQ(JudgeIndexAt0(call, tensor, 1).acceptance, Acceptance::kRejected);
}

TestCall Average(const std::vector<long double>& data, poolproof_element_type type) {
  const int64_t size = static_cast<int64_t>(data.size());
  TestCall call("AvgPool-1", type, {1, 1, size}, 1);
  call.List("kernel", {size}).List("strides", {1}).List("pads_begin", {0}).List("pads_end", {0});
  call.Bool("exclude-pad", true).Data(data);
  return call;
}

// taps 3, u = 2^-24, mean |x| = 5/3, an ulp at 1 is 2^-23: 3 * 5/3 * 2^-24 + 2^-23, but for what
// does not change the sums: they round.
TEST(Judge, FloatMeansInsideTheBound) {
  TestCall call = Average({1, -1, 3 - 0x1p-22L}, POOLPROOF_F32);
  const float ulp = 0x1p-24f, exact = static_cast<float>(1 - 0x1p-22L / 3);
  float got = exact - 6 * ulp;
  ElementJudgement judgement = JudgeIt(call, {}, 0, 0, &got);
  EXPECT_EQ(judgement.acceptance, Acceptance::kTolerated);
  EXPECT_NEAR(judgement.ulp, 3, 0.2);  // of the taps' mean magnitude
  EXPECT_NEAR(judgement.bound, (5 + 1) * 0x1p-24, 0x1p-40);
  // Scaled before they are added, elements may lose two roundings more.
  got = exact - 7 * ulp;
  ExpectSilence(JudgeIt(call, {}, 0, 0, &got), Entry::kMeanScaling, static_cast<uint8_t>(MeanScaling::kBefore));
  got = exact - 11 * ulp;
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &got).acceptance, Acceptance::kRejected);
  got = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &got).acceptance, Acceptance::kRejected);
  got = std::numeric_limits<float>::infinity();
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &got).acceptance, Acceptance::kRejected);
}

// Divided by less than the number of its taps, a sum may be so near the end of the range that to round is to overflow.
TEST(Judge, InfinityThatAQuotientIsRoundedTo) {
  const auto judged = [](long double second, uint16_t got) {
    TestCall call("torch.AvgPool", POOLPROOF_F16, {1, 1, 1, 2}, 1);
    call.List("kernel_size", {1, 2}).Int("divisor_override", 1).Data({65504, second});
    return JudgeIt(call, {}, 0, 0, &got).acceptance;
  };
  constexpr uint16_t kInfinity = 0x7c00, kMost = 0x7bff;
  EXPECT_EQ(judged(8, kInfinity), Acceptance::kTolerated);
  EXPECT_EQ(judged(8, kInfinity | 0x8000), Acceptance::kRejected);
  EXPECT_EQ(judged(16, kMost), Acceptance::kTolerated);
  EXPECT_EQ(judged(-256, kInfinity), Acceptance::kRejected);
}

// Where no sum rounds, a divisor that is off by one shows at any number of taps that the type can tell apart; past
// 4,000 taps, where elements may be scaled before they are added, as that reading.
TEST(Judge, FloatMeansOfSumsThatAreExact) {
  for (const int64_t taps : {3, 45, 300, 4000, 5000, 70000}) {
    std::vector<long double> data(static_cast<size_t>(taps), 1);
    TestCall call = Average(data, POOLPROOF_F32);
    for (const int64_t other : {taps - 1, taps + 1}) {
      const float got = static_cast<float>(taps) / static_cast<float>(other);
      if (taps <= 4000) {
        EXPECT_EQ(JudgeIt(call, {}, 0, 0, &got).acceptance, Acceptance::kRejected) << taps;
      } else {
        ExpectSilence(JudgeIt(call, {}, 0, 0, &got), Entry::kMeanScaling, static_cast<uint8_t>(MeanScaling::kBefore));
      }
    }
    const float next = std::nextafter(1.0f, 0.0f);
    EXPECT_EQ(JudgeIt(call, {}, 0, 0, &next).acceptance, Acceptance::kTolerated);
  }
  TestCall zero = Average({1, -1}, POOLPROOF_F32);
  const float least = std::numeric_limits<float>::denorm_min(), more = 0x1p-20f;
  ExpectSilence(JudgeIt(zero, {}, 0, 0, &least), Entry::kMeanScaling, static_cast<uint8_t>(MeanScaling::kBefore));
  EXPECT_EQ(JudgeIt(zero, {}, 0, 0, &more).acceptance, Acceptance::kRejected);
}

// 1 + 255 times 2^-8: in bf16 the sum stays 1 however long one adds to it.
TEST(Judge, MeansThatAreSummedInTheirType) {
  std::vector<long double> data(256, 0x1p-8L);
  data[0] = 1;
  TestCall call = Average(data, POOLPROOF_BF16);
  const uint16_t stagnant = 0x3B80;  // 2^-8
  ExpectSilence(JudgeIt(call, {}, 0, 0, &stagnant), Entry::kMeanAccumulation,
                static_cast<uint8_t>(MeanAccumulation::kType));
  Readings type;
  type[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  Context context{type, {}, {}};
  EXPECT_EQ(call.Run(context).Values(0), std::vector<long double>{0x1p-8L});
  const uint16_t exact = 0x3C00;  // 2^-7 in effect: 511 / 65536
  EXPECT_EQ(JudgeIt(call, type, 0, 0, &exact).acceptance, Acceptance::kTolerated);
  const uint16_t far = 0x3D00;  // 2^-5
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &far).acceptance, Acceptance::kRejected);
}

// Whether the reference's answer under `entry=reading` is as good under the documented readings, and for which reason.
template <typename Reading>
ElementJudgement JudgeOwn(TestCall& call, Entry entry, Reading reading) {
  Context context;
  context.readings[entry] = static_cast<uint8_t>(reading);
  const Outcome outcome = call.Run(context);
  return JudgeIt(call, {}, 0, 0, outcome.bytes[0].data());
}

// As a convolution; the mean of nine ones and their negative sum is exactly 0.
TEST(Judge, MeansOfElementsThatAreScaledBefore) {
  std::vector<long double> data(10, 1);
  data.back() = -9;
  for (const poolproof_element_type type : {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16}) {
    TestCall zero = Average(data, type);
    ExpectSilence(JudgeOwn(zero, Entry::kMeanScaling, MeanScaling::kBefore), Entry::kMeanScaling,
                  static_cast<uint8_t>(MeanScaling::kBefore));
  }
  TestCall ones = Average(std::vector<long double>(70000, 1), POOLPROOF_F32);
  ExpectSilence(JudgeOwn(ones, Entry::kMeanScaling, MeanScaling::kBefore), Entry::kMeanScaling,
                static_cast<uint8_t>(MeanScaling::kBefore));
  const float far = 1.01f;
  EXPECT_EQ(JudgeIt(ones, {}, 0, 0, &far).acceptance, Acceptance::kRejected);
  // Five products that are too small each to be told from 0.
  TestCall least = Average(std::vector<long double>(5, 0x1p-149L * 2), POOLPROOF_F32);
  ExpectSilence(JudgeOwn(least, Entry::kMeanScaling, MeanScaling::kBefore), Entry::kMeanScaling,
                static_cast<uint8_t>(MeanScaling::kBefore));
}

TEST(Judge, SubnormalsThatAreFlushed) {
  const long double small = 0x1p-127L, normal = 0x1p-126L;
  const auto judged = [](TestCall call, Subnormals own, Subnormals selected, size_t output) {
    Context context;
    context.readings[Entry::kSubnormals] = static_cast<uint8_t>(own);
    const Outcome outcome = call.Run(context);
    EXPECT_TRUE(context.touched.Has(Entry::kSubnormals));
    context.readings[Entry::kSubnormals] = static_cast<uint8_t>(selected);
    if (outcome.bytes[output] == call.Run(context).bytes[output]) return Acceptance::kTolerated;
    return JudgeIt(call, context.readings, output, 0, outcome.bytes[output].data()).acceptance;
  };
  const auto all = {Subnormals::kKept, Subnormals::kFlushed, Subnormals::kFlushedInput, Subnormals::kFlushedOutput};
  for (const Subnormals own : all) {
    for (const Subnormals selected : all) {
      const bool both_keep = (own == Subnormals::kKept) == (selected == Subnormals::kKept);
      const Acceptance same = both_keep ? Acceptance::kTolerated : Acceptance::kRejected;
      // The largest of three, and the mean of two, are subnormal.
      EXPECT_EQ(judged(Row({-1, small, -2}, 3), own, selected, 0), same);
      EXPECT_EQ(judged(Average({small, small}, POOLPROOF_F32), own, selected, 0), same);
      EXPECT_EQ(judged(Average({small, small}, POOLPROOF_BF16), own, selected, 0), same);
    }
  }
  // A mean of normal numbers is flushed where it comes out, and nowhere else.
  EXPECT_EQ(judged(Average({normal, 0}, POOLPROOF_F32), Subnormals::kFlushed, Subnormals::kFlushedOutput, 0),
            Acceptance::kTolerated);
  EXPECT_EQ(judged(Average({normal, 0}, POOLPROOF_F32), Subnormals::kFlushed, Subnormals::kFlushedInput, 0),
            Acceptance::kRejected);
  // Where it comes in it ties with 0, and the first of them is named.
  EXPECT_EQ(judged(Row({0, small, -2}, 3), Subnormals::kFlushedOutput, Subnormals::kKept, 1), Acceptance::kTolerated);
  EXPECT_EQ(judged(Row({0, small, -2}, 3), Subnormals::kFlushedInput, Subnormals::kKept, 1), Acceptance::kRejected);
}

TEST(Judge, MeansWhoseSumOverflows) {
  const float infinity = std::numeric_limits<float>::infinity(), minus = -infinity;
  const float nan = std::numeric_limits<float>::quiet_NaN(), large = 3e38f;
  Readings overflows;
  overflows[Entry::kMeanOverflow] = static_cast<uint8_t>(MeanOverflow::kOverflows);
  const auto silence = static_cast<uint8_t>(MeanOverflow::kOverflows);
  TestCall surely = Average({3e38L, 3e38L}, POOLPROOF_F32);
  ExpectSilence(JudgeIt(surely, {}, 0, 0, &infinity), Entry::kMeanOverflow, silence);
  EXPECT_EQ(JudgeIt(surely, {}, 0, 0, &minus).acceptance, Acceptance::kRejected);
  EXPECT_EQ(JudgeIt(surely, {}, 0, 0, &nan).acceptance, Acceptance::kRejected);
  Context context{overflows, {}, {}};
  EXPECT_TRUE(std::isinf(surely.Run(context).Values(0)[0]));
  EXPECT_TRUE(context.touched.Has(Entry::kMeanOverflow));
  ExpectSilence(JudgeIt(surely, overflows, 0, 0, &large), Entry::kMeanOverflow,
                static_cast<uint8_t>(MeanOverflow::kExact));
  // In some orders only: both answers, and between lanes NaN.
  TestCall perhaps = Average({3e38L, 3e38L, -3e38L, -3e38L}, POOLPROOF_F32);
  Context open;
  EXPECT_EQ(perhaps.Run(open).Values(0)[0], 0);
  EXPECT_TRUE(open.touched.Has(Entry::kMeanOverflow));
  for (const float& got : {infinity, minus, nan}) {
    ExpectSilence(JudgeIt(perhaps, {}, 0, 0, &got), Entry::kMeanOverflow, silence);
  }
  const float zero = -0.0f;
  EXPECT_EQ(JudgeIt(perhaps, overflows, 0, 0, &zero).acceptance, Acceptance::kTolerated);
  TestCall never = Average({1e38L, 1e38L}, POOLPROOF_F32);
  EXPECT_EQ(JudgeIt(never, {}, 0, 0, &infinity).acceptance, Acceptance::kRejected);
}

// Finite taps that have become one infinity before the tap that is the other one.
TEST(Judge, MeansWhoseSumOverflowsBeforeAnInfinity) {
  const long double infinite = std::numeric_limits<long double>::infinity();
  const float infinity = std::numeric_limits<float>::infinity(), minus = -infinity;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  TestCall call = Average({-3e38L, -3e38L, infinite}, POOLPROOF_F32);
  Context context;
  EXPECT_TRUE(std::isinf(call.Run(context).Values(0)[0]));
  EXPECT_TRUE(context.touched.Has(Entry::kMeanOverflow));
  const auto silence = static_cast<uint8_t>(MeanOverflow::kOverflows);
  ExpectSilence(JudgeIt(call, {}, 0, 0, &nan), Entry::kMeanOverflow, silence);
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &infinity).acceptance, Acceptance::kTolerated);
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &minus).acceptance, Acceptance::kRejected);
  Readings overflows;
  overflows[Entry::kMeanOverflow] = silence;
  EXPECT_EQ(JudgeIt(call, overflows, 0, 0, &nan).acceptance, Acceptance::kTolerated);
  TestCall same = Average({3e38L, 3e38L, infinite}, POOLPROOF_F32);
  EXPECT_EQ(JudgeIt(same, {}, 0, 0, &nan).acceptance, Acceptance::kRejected);
  TestCall never = Average({-1e38L, -1e38L, infinite}, POOLPROOF_F32);
  EXPECT_EQ(JudgeIt(never, {}, 0, 0, &nan).acceptance, Acceptance::kRejected);
}

// f16 overflows in f16 only: two open points at once.
TEST(Judge, HalvesThatOverflowInTheirType) {
  TestCall call = Average({65504, 65504}, POOLPROOF_F16);
  const uint16_t infinity = 0x7C00;
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &infinity).acceptance, Acceptance::kRejected);
  Readings type;
  type[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  ExpectSilence(JudgeIt(call, type, 0, 0, &infinity), Entry::kMeanOverflow,
                static_cast<uint8_t>(MeanOverflow::kOverflows));
  Context context;
  call.Run(context);
  EXPECT_TRUE(context.touched.Has(Entry::kMeanAccumulation));
}

TEST(Judge, ZeroMeansOfEitherSign) {
  TestCall call = Average({1, -1}, POOLPROOF_F16);
  const uint16_t minus_zero = 0x8000;
  EXPECT_EQ(JudgeIt(call, {}, 0, 0, &minus_zero).acceptance, Acceptance::kTolerated);
}

TEST(Judge, InfiniteAndNanMeans) {
  const long double infinity = std::numeric_limits<long double>::infinity();
  TestCall infinite = Average({1, infinity}, POOLPROOF_F32);
  TestCall none = Average({-infinity, infinity}, POOLPROOF_F32);
  const float plus = std::numeric_limits<float>::infinity(), minus = -plus;
  const float nan = std::bit_cast<float>(0x7FC00001u);
  EXPECT_EQ(JudgeIt(infinite, {}, 0, 0, &plus).acceptance, Acceptance::kTolerated);
  EXPECT_EQ(JudgeIt(infinite, {}, 0, 0, &minus).acceptance, Acceptance::kRejected);
  EXPECT_EQ(JudgeIt(infinite, {}, 0, 0, &nan).acceptance, Acceptance::kRejected);
  EXPECT_EQ(JudgeIt(none, {}, 0, 0, &nan).acceptance, Acceptance::kTolerated);
  EXPECT_EQ(JudgeIt(none, {}, 0, 0, &plus).acceptance, Acceptance::kRejected);
}

TEST(Judge, IntegerMeans) {
  using R = AvgIntegerRounding;
  TestCall call = Average({-2, -3}, POOLPROOF_I8);  // -2.5
  for (const auto& [got, reading] :
       {std::pair<int8_t, R>{-2, R::kTruncate}, std::pair<int8_t, R>{-3, R::kNearestAway}}) {
    ExpectSilence(JudgeIt(call, {}, 0, 0, &got), Entry::kAvgIntegerRounding, static_cast<uint8_t>(reading));
  }
  TestCall upward = Average({2, 2, 3}, POOLPROOF_I8);  // 7/3
  const int8_t three = 3, four = 4, one = 1;
  ExpectSilence(JudgeIt(upward, {}, 0, 0, &three), Entry::kAvgIntegerRounding, static_cast<uint8_t>(R::kUp));
  TestCall negative = Average({-2, -2, -3}, POOLPROOF_I8);  // -7/3
  const int8_t away = -3;
  ExpectSilence(JudgeIt(negative, {}, 0, 0, &away), Entry::kAvgIntegerRounding, static_cast<uint8_t>(R::kFloor));
  EXPECT_EQ(JudgeIt(upward, {}, 0, 0, &four).acceptance, Acceptance::kRejected);
  EXPECT_EQ(JudgeIt(upward, {}, 0, 0, &one).acceptance, Acceptance::kRejected);
}

TEST(Judge, MliMeans) {
  using R = MliAverageRounding;
  const auto make = [](poolproof_element_type type, const std::vector<long double>& data) {
    TestCall call(type == POOLPROOF_FX8 ? "mli_krn_avepool_hwc_fx8" : "mli_krn_avepool_hwc_fx16", type, {1, 3, 1}, 1);
    call.Int("kernel_width", 3).Int("kernel_height", 1).Int("stride_width", 1);
    call.Int("stride_height", 1).Int("padding_left", 0).Int("padding_right", 0);
    call.Int("padding_top", 0).Int("padding_bottom", 0).Data(data);
    return call;
  };
  TestCall call = make(POOLPROOF_FX8, {1, 1, 0});
  int8_t got = 1;
  ExpectSilence(JudgeIt(call, {}, 0, 0, &got), Entry::kMliAverageRounding, static_cast<uint8_t>(R::kDivisionUp));
  for (const int8_t wrong : {int8_t{-1}, int8_t{2}}) {
    EXPECT_EQ(JudgeIt(call, {}, 0, 0, &wrong).acceptance, Acceptance::kRejected);
  }
  TestCall exact = make(POOLPROOF_FX8, {5, 6, 7});
  for (const int8_t wrong : {int8_t{5}, int8_t{7}}) {
    EXPECT_EQ(JudgeIt(exact, {}, 0, 0, &wrong).acceptance, Acceptance::kRejected);
  }
  TestCall upward = make(POOLPROOF_FX8, {2, 2, 3});
  got = 3;
  ExpectSilence(JudgeIt(upward, {}, 0, 0, &got), Entry::kMliAverageRounding, static_cast<uint8_t>(R::kOther));
  TestCall truncated = make(POOLPROOF_FX8, {2, 2, 1});  // 5/3
  got = 1;
  ExpectSilence(JudgeIt(truncated, {}, 0, 0, &got), Entry::kMliAverageRounding, static_cast<uint8_t>(R::kTruncate));
  // fx16: 1 + 32766 / 2^14 is just below 3.
  TestCall wide = make(POOLPROOF_FX16, {32766, 32766, 32766});
  int16_t near = 32764, far = 32763;
  EXPECT_EQ(JudgeIt(wide, {}, 0, 0, &near).acceptance, Acceptance::kSilence);
  EXPECT_EQ(JudgeIt(wide, {}, 0, 0, &far).acceptance, Acceptance::kRejected);
}

}  // namespace
}  // namespace poolproof::reference
