// embARC MLI: the names, the rounding of averages, both layouts, the contract.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reference/mli_mean.h"
#include "reference/mli_name.h"
#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

using Values = std::vector<long double>;
using Shape = std::vector<int64_t>;

// Every suffix that the parts of a name can make.
std::vector<std::string> AllSuffixes() {
  std::vector<std::string> kernels = {""};
  for (int w = 0; w <= 12; ++w) {
    for (int h = 0; h <= 12; ++h) {
      kernels.push_back("_k" + (w == 0 ? "n" : std::to_string(w)) + "x" + (h == 0 ? "n" : std::to_string(h)));
    }
  }
  std::vector<std::string> suffixes = {"_generic", ""};
  for (const auto& kernel : kernels) {
    for (const std::string channels : {"", "_ch1", "_ch2", "_ch3", "_ch4"}) {
      for (const std::string stride : {"", "_str1", "_str2"}) {
        for (const std::string pad : {"", "_nopad", "_krnpad", "_nopad_krnpad"}) {
          const std::string suffix = kernel + channels + stride + pad;
          if (!suffix.empty()) suffixes.push_back(suffix);
        }
      }
    }
  }
  return suffixes;
}

TEST(MliNames, AsManySpecializationsAsTheCodeDeclares) {
  const std::vector<std::string> suffixes = AllSuffixes();
  EXPECT_EQ(std::set<std::string>(suffixes.begin(), suffixes.end()).size(), suffixes.size());
  for (const auto& [operation, per_type] : {std::pair{"maxpool", 78}, std::pair{"avepool", 40}}) {
    for (const std::string type : {"fx8", "fx16"}) {
      const std::string start = std::string("mli_krn_") + operation;
      int chw = 0, hwc = 0;
      for (const auto& suffix : suffixes) {
        chw += FindOperator(start + "_chw_" + type + suffix) != nullptr;
        hwc += FindOperator(start + "_hwc_" + type + suffix) != nullptr;
      }
      EXPECT_EQ(chw, per_type + 1);  // and the switch
      EXPECT_EQ(hwc, 1);
    }
  }
}

TEST(MliNames, WidthComesFirst) {
  const auto function = ParseMliName("maxpool", "mli_krn_maxpool_chw_fx8_k1x3_ch1_str1_krnpad");
  ASSERT_TRUE(function.has_value());
  EXPECT_EQ(function->kernel_width, 1);
  EXPECT_EQ(function->kernel_height, 3);
  EXPECT_EQ(function->channels, 1);
  EXPECT_TRUE(function->stride_1);
  EXPECT_EQ(function->padding, MliPadding::kKernel);
}

TEST(MliNames, OthersAreNotHandled) {
  for (const char* name :
       {"mli_krn_maxpool_chw", "mli_krn_maxpool_chw_fx32", "mli_krn_minpool_chw_fx8", "mli_krn_maxpool_chw_fx8_",
        "mli_krn_maxpool_chw_fx8_k02x2", "mli_krn_maxpool_chw_fx8_k2x2_str1", "mli_krn_maxpool_chw_fx8 ",
        "mli_krn_avepool_chw_fx8_k99999999999x2_krnpad"}) {
    EXPECT_EQ(FindOperator(name), nullptr) << name;
  }
}

using R = MliAverageRounding;
constexpr R kAll[] = {R::kDivisionConvergent, R::kDivisionUp, R::kReciprocalConvergent,
                      R::kReciprocalUp,       R::kTruncate,   R::kNearestAway};

TEST(MliRounding, WindowOneOneZero) {
  EXPECT_EQ(MliQuotient(2, 3, R::kDivisionConvergent, -128, 127), 0);
  EXPECT_EQ(MliQuotient(2, 3, R::kDivisionUp, -128, 127), 1);
  EXPECT_EQ(MliQuotient(2, 3, R::kReciprocalConvergent, -128, 127), 1);
  EXPECT_EQ(MliQuotient(2, 3, R::kReciprocalUp, -128, 127), 1);
}

TEST(MliRounding, TiesOfNegativeMeans) {
  // -3 / 2 = -1.5 and -1 / 2 = -0.5: to the even neighbour, or up.
  EXPECT_EQ(MliQuotient(-3, 2, R::kDivisionConvergent, -128, 127), -2);
  EXPECT_EQ(MliQuotient(-3, 2, R::kDivisionUp, -128, 127), -1);
  EXPECT_EQ(MliQuotient(-1, 2, R::kReciprocalConvergent, -128, 127), 0);
  EXPECT_EQ(MliQuotient(-1, 2, R::kReciprocalUp, -128, 127), 0);
  EXPECT_EQ(MliQuotient(-3, 2, R::kReciprocalConvergent, -128, 127), -2);
}

// The definitions of the readings, in floating point wide enough to be exact.
int64_t ByDefinition(int64_t sum, int64_t points, R rounding) {
  const bool convergent = rounding == R::kDivisionConvergent || rounding == R::kReciprocalConvergent;
  const long double exact_sum = static_cast<long double>(sum);
  const long double k = static_cast<long double>(points);
  long double x;
  if (rounding == R::kTruncate) return static_cast<int64_t>(std::trunc(exact_sum / k));
  if (rounding == R::kNearestAway) return static_cast<int64_t>(std::round(exact_sum / k));
  if (rounding == R::kDivisionConvergent || rounding == R::kDivisionUp) {
    const long double doubled = std::clamp<long double>(2 * exact_sum, INT32_MIN, INT32_MAX);
    x = std::trunc(doubled / k) / 2;
  } else {
    const int s = 14 + static_cast<int>(std::ceil(std::log2(k)));
    x = std::ldexp(exact_sum * std::floor(std::ldexp(1.0L, s) / k), -s);
  }
  return static_cast<int64_t>(convergent ? std::nearbyint(x) : std::floor(x + 0.5L));
}

TEST(MliRounding, IsAsDefinedAndInsideTheTolerance) {
  for (int64_t points = 1; points <= 512; ++points) {
    for (int64_t i = -40; i <= 40; ++i) {
      const int64_t sum = i * i * i * points / 2 + i;
      const long double mean = static_cast<long double>(sum) / static_cast<long double>(points);
      if (std::fabs(mean) > 32767) continue;
      for (const R rounding : kAll) {
        const int64_t got = MliQuotient(sum, points, rounding, -32768, 32767);
        ASSERT_EQ(got, ByDefinition(sum, points, rounding)) << sum << " / " << points;
        ASSERT_LE(std::fabs(static_cast<long double>(got) - mean), 1 + std::fabs(mean) / 16384);
        if (std::fabs(mean) > 127) continue;
        ASSERT_LT(std::fabs(static_cast<long double>(got) - mean), 1) << sum << " / " << points;
        ASSERT_TRUE(sum % points != 0 || got == sum / points) << sum << " / " << points;
      }
    }
  }
}

TestCall Mli(const std::string& name, const Shape& shape, const std::vector<int64_t>& cfg) {
  const bool wide = name.find("fx16") != std::string::npos;
  TestCall call(name, wide ? POOLPROOF_FX16 : POOLPROOF_FX8, shape, 1);
  const char* fields[] = {"kernel_width", "kernel_height", "stride_width", "stride_height",
                          "padding_left", "padding_right", "padding_top",  "padding_bottom"};
  for (size_t i = 0; i < cfg.size(); ++i) call.Int(fields[i], cfg[i]);
  return call;
}

TEST(Mli, PaddingDoesNotExist) {
  const Values negative = {-5, -6, -7, -8};
  const std::vector<int64_t> cfg = {2, 2, 1, 1, 1, 0, 1, 0};
  for (const std::string type : {"fx8", "fx16"}) {
    TestCall max = Mli("mli_krn_maxpool_chw_" + type, {1, 2, 2}, cfg);
    const Outcome maximum = max.Data(negative).FracBits(7).Run();
    EXPECT_EQ(maximum.Values(0), (Values{-5, -5, -5, -5}));
    EXPECT_EQ(max.Output(0).frac_bits, 7);
    const Outcome mean = Mli("mli_krn_avepool_chw_" + type, {1, 2, 2}, cfg).Data(negative).Run();
    // -5; (-5 - 6) / 2 = -5.5; (-5 - 7) / 2 = -6; (-5 - 6 - 7 - 8) / 4 = -6.5, halves to even.
    EXPECT_EQ(mean.Values(0), (Values{-5, -6, -6, -6}));
  }
}

TEST(Mli, TrailingPartialWindowsAreDropped) {
  const Outcome outcome = Mli("mli_krn_maxpool_chw_fx8", {2, 5, 6}, {3, 2, 2, 2, 0, 0, 0, 0}).Run();
  EXPECT_EQ(outcome.shapes[0], (Shape{2, 2, 2}));
}

TEST(Mli, HwcIsChwTransposed) {
  const int64_t c = 3, h = 4, w = 5;
  Values chw(static_cast<size_t>(c * h * w)), hwc(chw.size());
  for (int64_t i = 0; i < c * h * w; ++i) chw[static_cast<size_t>(i)] = (i * 37 + 11) % 101 - 50;
  const auto transpose = [](const Values& from, int64_t planes, int64_t points) {
    Values to(from.size());
    for (int64_t p = 0; p < planes; ++p) {
      for (int64_t i = 0; i < points; ++i) {
        to[static_cast<size_t>(i * planes + p)] = from[static_cast<size_t>(p * points + i)];
      }
    }
    return to;
  };
  hwc = transpose(chw, c, h * w);
  const std::vector<int64_t> cfg = {3, 2, 2, 1, 1, 2, 0, 1};
  for (const std::string operation : {"maxpool", "avepool"}) {
    const Outcome a = Mli("mli_krn_" + operation + "_chw_fx8", {c, h, w}, cfg).Data(chw).Run();
    const Outcome b = Mli("mli_krn_" + operation + "_hwc_fx8", {h, w, c}, cfg).Data(hwc).Run();
    ASSERT_EQ(a.status, POOLPROOF_OK);
    EXPECT_EQ(a.shapes[0], (Shape{c, 4, 3}));
    EXPECT_EQ(b.shapes[0], (Shape{4, 3, c}));
    EXPECT_EQ(b.Values(0), transpose(a.Values(0), c, 12));
  }
}

TEST(Mli, BrokenContractIsRefusedAndTouchesTheReleaseChecks) {
  const std::vector<int64_t> good = {3, 2, 1, 1, 1, 1, 1, 0};
  struct Case {
    std::string name;
    Shape shape;
    std::vector<int64_t> cfg;
  };
  const std::string max = "mli_krn_maxpool_chw_fx8";
  const Case cases[] = {
      {max, {4, 4}, good},                         // rank
      {max, {1, 4, 4, 4}, good},                   // rank
      {max, {1, 4, 4}, {3, 2, 1, 1, 3, 1, 1, 0}},  // padding_left = kernel_width
      {max, {1, 4, 4}, {3, 2, 1, 1, 1, 1, 1, 2}},  // padding_bottom = kernel_height
      {max, {1, 4, 4}, {3, 2, 0, 1, 1, 1, 1, 0}},  // stride 0
      {max, {1, 4, 4}, {0, 2, 1, 1, 0, 0, 1, 0}},  // kernel 0
      {max, {1, 4, 4}, {5, 2, 1, 1, 1, 1, 1, 0}},  // kernel larger than the width
      {max, {0, 4, 4}, good},                      // no channels
      {max + "_k2x2_str1_nopad", {1, 4, 4}, {3, 2, 1, 1, 0, 0, 0, 0}},
      {max + "_k3x3_ch3_str1_nopad", {1, 4, 4}, {3, 3, 1, 1, 0, 0, 0, 0}},
      {max + "_k2x2_str1_nopad", {1, 4, 4}, {2, 2, 2, 1, 0, 0, 0, 0}},
      {max + "_k2x2_str1_nopad", {1, 4, 4}, {2, 2, 1, 1, 1, 0, 0, 0}},
      {max + "_k2x2_str1_krnpad", {1, 4, 4}, {2, 2, 1, 1, 1, 0, 1, 0}},
      {max + "_k1xn_str1", {1, 4, 4}, {2, 3, 1, 1, 0, 0, 0, 0}},
  };
  for (const Case& c : cases) {
    Context context;
    EXPECT_EQ(Mli(c.name, c.shape, c.cfg).Run(context).status, POOLPROOF_INVALID_ARGUMENT);
    EXPECT_TRUE(context.touched.Has(Entry::kMliReleaseChecks)) << context.error;
    EXPECT_FALSE(context.error.empty());
  }
  Context context;
  EXPECT_EQ(Mli(max, {1, 4, 4}, good).Run(context).status, POOLPROOF_OK) << context.error;
  EXPECT_TRUE(context.touched.Empty());
  // krnpad: the smaller half before, the larger after.
  EXPECT_EQ(Mli(max + "_k2x2_str1_krnpad", {1, 4, 4}, {2, 2, 1, 1, 0, 1, 0, 1}).Run().status, POOLPROOF_OK);
}

TEST(Mli, TypeAndCapacityArePartOfTheContract) {
  Context type, capacity;
  TestCall call = Mli("mli_krn_maxpool_chw_fx16", {1, 4, 4}, {2, 2, 1, 1, 0, 0, 0, 0});
  ASSERT_EQ(InferShapes(call.Get(), capacity), POOLPROOF_OK);
  std::vector<unsigned char> output(call.Output(0).size_bytes);
  call.Output(0).data = output.data();
  EXPECT_EQ(reference::Run(call.Get(), capacity), POOLPROOF_OK);
  EXPECT_TRUE(capacity.touched.Empty());
  call.Output(0).size_bytes -= 1;
  EXPECT_EQ(reference::Run(call.Get(), capacity), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_TRUE(capacity.touched.Has(Entry::kMliReleaseChecks));
  call.Input(0).element_type = POOLPROOF_FX8;
  EXPECT_EQ(InferShapes(call.Get(), type), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_TRUE(type.touched.Has(Entry::kMliReleaseChecks));
}

TEST(Mli, FieldsAreBytesAndAllRequired) {
  EXPECT_EQ(Mli("mli_krn_maxpool_chw_fx8", {1, 4, 4}, {3, 2, 1, 1, 1, 1, 1}).Run().status, POOLPROOF_INVALID_ARGUMENT);
  EXPECT_EQ(Mli("mli_krn_maxpool_chw_fx8", {1, 4, 4}, {256, 2, 1, 1, 1, 1, 1, 0}).Run().status,
            POOLPROOF_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace poolproof::reference
