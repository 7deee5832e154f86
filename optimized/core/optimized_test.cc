// The parts of the optimized backend that no random problem reaches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "optimized/core/backend.h"
#include "optimized/core/executor.h"
#include "optimized/core/plan.h"
#include "optimized/core/target.h"
#include "optimized/kernels/half.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

TEST(Optimized, HasSeveralTargets) {
  const std::vector<std::string> targets = Targets();
  EXPECT_GE(targets.size(), 2u);
  for (const std::string& name : targets) EXPECT_TRUE(SelectTarget(name)) << name;
  EXPECT_FALSE(SelectTarget("AVX1024"));
  EXPECT_TRUE(SelectTarget(""));
}

std::string CreateError(std::vector<const char*> options) {
  char error[200] = "";
  poolproof_instance* instance = nullptr;
  const poolproof_status status = Backend().create(options.data(), options.size(), &instance, error, sizeof(error));
  if (status == POOLPROOF_OK) Backend().destroy(instance);
  EXPECT_EQ(status == POOLPROOF_OK, error[0] == '\0');
  return error;
}

TEST(Optimized, SaysWhichOptionIsWrong) {
  EXPECT_EQ(CreateError({}), "");
  EXPECT_EQ(CreateError({"threads=2"}), "");
  EXPECT_EQ(CreateError({"threads=0"}), "option threads must be in [1, 1024]");
  EXPECT_EQ(CreateError({"threads=2x"}), "option threads must be in [1, 1024]");
  EXPECT_EQ(CreateError({"colour=red"}), "unknown option colour");
  EXPECT_NE(CreateError({"target=AVX1024"}).find("AVX1024"), std::string::npos);
}

// An error shorter than its sentence is cut, not overrun.
TEST(Optimized, CutsErrorToItsBuffer) {
  char error[8];
  std::memset(error, 'x', sizeof(error));
  const char* options[] = {"colour=red"};
  poolproof_instance* instance = nullptr;
  EXPECT_EQ(Backend().create(options, 1, &instance, error, 4), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_STREQ(error, "unk");
  EXPECT_EQ(error[4], 'x');
}

// One slice that two outputs along the depth see: the second one begins again with the first rows.
TEST(Optimized, PoolsPaddedDepthAgainForEveryOutput) {
  float in[18], out[2 * 11 * 2];
  for (int i = 0; i < 18; ++i) in[i] = static_cast<float>(i * i % 23);
  const int64_t kernel[] = {2, 6, 2}, strides[] = {1, 1, 1}, pads[] = {1, 5, 0};
  const auto list = [](const char* name, const int64_t* values) {
    return poolproof_attribute{sizeof(poolproof_attribute), name, POOLPROOF_INT_LIST, 0, values, 3, nullptr};
  };
  const poolproof_attribute attributes[] = {
      list("kernel", kernel),
      list("strides", strides),
      list("pads_begin", pads),
      list("pads_end", pads),
      {sizeof(poolproof_attribute), "exclude-pad", POOLPROOF_BOOL, 1, nullptr, 0, nullptr}};
  const poolproof_attribute* pointers[5];
  for (int i = 0; i < 5; ++i) pointers[i] = &attributes[i];
  poolproof_tensor input = {sizeof(poolproof_tensor), POOLPROOF_F32, 5, {1, 1, 1, 6, 3}, in, sizeof(in), 0};
  poolproof_tensor output = {sizeof(poolproof_tensor), POOLPROOF_F32, 5, {1, 1, 2, 11, 2}, out, sizeof(out), 0};
  const poolproof_tensor* inputs[] = {&input};
  poolproof_tensor* outputs[] = {&output};
  const poolproof_call call = {sizeof(poolproof_call), "AvgPool-1", pointers, 5, inputs, 1, outputs, 1};
  poolproof_instance* instance = nullptr;
  ASSERT_EQ(Backend().create(nullptr, 0, &instance, nullptr, 0), POOLPROOF_OK);
  EXPECT_EQ(Backend().run(instance, &call), POOLPROOF_OK) << Backend().last_error(instance);
  for (int i = 0; i < 22; ++i) EXPECT_EQ(out[i], out[22 + i]) << i;
  Backend().destroy(instance);
}

// The mean of one window of `taps` elements that are all `value`, but for the last, which is `last`.
template <typename T>
T MeanOfWindow(poolproof_element_type type, int64_t taps, T value, T last) {
  std::vector<T> in(static_cast<size_t>(taps), value);
  in.back() = last;
  Plan plan;
  plan.type = type;
  plan.quotient = Quotient::kTruncate;
  plan.axis[2].in = plan.axis[2].kernel = taps;
  Executor executor(1);
  T out{};
  AveragePool(plan, {in.data(), &out, nullptr}, executor);
  return out;
}

// Windows with more taps than a sum in a vector lane is exact for.
TEST(Optimized, TruncatesMeansOfHugeWindows) {
  constexpr int64_t kTaps64 = (1 << 20) + 1, kTaps32 = (1 << 21) + 1;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(MeanOfWindow<int64_t>(POOLPROOF_I64, kTaps64, kMost - 1, kMost), kMost - 1);
  EXPECT_EQ(MeanOfWindow<int64_t>(POOLPROOF_I64, kTaps64, kLeast + 1, kLeast), kLeast + 1);
  EXPECT_EQ(MeanOfWindow<int64_t>(POOLPROOF_I64, kTaps64, kMost, kMost), kMost);
  EXPECT_EQ(MeanOfWindow<uint64_t>(POOLPROOF_U64, kTaps64, ~uint64_t{1}, ~uint64_t{0}), ~uint64_t{1});
  EXPECT_EQ(MeanOfWindow<uint64_t>(POOLPROOF_U64, kTaps64, 0, ~uint64_t{0}), ~uint64_t{0} / kTaps64);
  constexpr int32_t kLeast32 = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(MeanOfWindow<int32_t>(POOLPROOF_I32, kTaps32, kLeast32 + 1, kLeast32), kLeast32 + 1);
  EXPECT_EQ(MeanOfWindow<uint32_t>(POOLPROOF_U32, kTaps32, ~uint32_t{1}, ~uint32_t{0}), ~uint32_t{1});
}

// Every f16 survives the way to f32 and back, and halfway cases go to even.
TEST(Half, RoundTripsEveryF16) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const F16 x = {static_cast<uint16_t>(bits)};
    const float wide = ToFloat(x);
    if ((bits & 0x7FFF) > 0x7C00) {
      EXPECT_TRUE(std::isnan(wide));
      EXPECT_GT(ToF16(wide).bits & 0x7FFF, 0x7C00);
    } else {
      ASSERT_EQ(ToF16(wide).bits, bits);
    }
  }
  EXPECT_EQ(ToF16(1.0f + 0x1p-11f).bits, 0x3C00);
  EXPECT_EQ(ToF16(1.0f + 0x3p-11f).bits, 0x3C02);
  EXPECT_EQ(ToF16(0x1p-25f).bits, 0);
  EXPECT_EQ(ToF16(0x3p-25f).bits, 2);
  EXPECT_EQ(ToF16(65519.f).bits, 0x7BFF);
  EXPECT_EQ(ToF16(65520.f).bits, 0x7C00);
}

TEST(Half, RoundTripsEveryBF16) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float wide = ToFloat(BF16{static_cast<uint16_t>(bits)});
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(ToFloat(ToBF16(wide))));
    } else {
      ASSERT_EQ(ToBF16(wide).bits, bits);
    }
  }
  EXPECT_EQ(ToBF16(1.0f + 0x1p-8f).bits, 0x3F80);
  EXPECT_EQ(ToBF16(1.0f + 0x3p-8f).bits, 0x3F82);
}

// By the formula, tap by tap.
TEST(Axis, SpanHoldsTheTapsInside) {
  for (int64_t in = 1; in <= 6; ++in) {
    for (int64_t kernel = 1; kernel <= 4; ++kernel) {
      for (int64_t dilation = 1; dilation <= 3; ++dilation) {
        const Axis axis = {in, 12, kernel, 1, dilation, 5, false};
        for (int64_t j = 0; j < axis.out; ++j) {
          std::vector<int64_t> inside;
          for (int64_t t = 0; t < kernel; ++t) {
            const int64_t x = j - 5 + t * dilation;
            if (x >= 0 && x < in) inside.push_back(x);
          }
          const Span span = axis.SpanAt(j);
          ASSERT_EQ(span.taps, static_cast<int64_t>(inside.size()));
          if (span.taps > 0) {
            ASSERT_EQ(span.first, inside[0]);
          }
        }
      }
    }
  }
}

void ExpectSpans(const Axis& axis) {
  std::vector<Span> spans(static_cast<size_t>(axis.out));
  axis.FillSpans(spans.data());
  for (int64_t j = 0; j < axis.out; ++j) {
    const Span one = axis.SpanAt(j), filled = spans[static_cast<size_t>(j)];
    ASSERT_EQ(filled.taps, one.taps);
    if (one.taps > 0) {
      ASSERT_EQ(filled.first, one.first);
    }
  }
}

TEST(Axis, FillsTheSpansOfAllWindows) {
  for (int64_t in = 1; in <= 9; ++in) {
    for (int64_t kernel = 1; kernel <= 11; ++kernel) {
      for (int64_t stride = 1; stride <= 4; ++stride) {
        for (int64_t pad = 0; pad <= kernel; ++pad) ExpectSpans({in, 12, kernel, stride, 1, pad, false});
        ExpectSpans({in, 12, kernel, stride, 2, 3, false});
      }
    }
    ExpectSpans({in, 7, 1, 1, 1, 0, true});
  }
  ExpectSpans({5, 12, std::numeric_limits<int64_t>::max() / 2, 1, 1, std::numeric_limits<int64_t>::max() / 4, false});
}

}  // namespace
}  // namespace poolproof::optimized
