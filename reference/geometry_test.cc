// Output sizes, padding and windows at their boundaries, by hand and against a brute-force count.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "reference/output_size.h"
#include "reference/test_call.h"
#include "reference/window.h"

namespace poolproof::reference {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Axis MakeAxis(int64_t size, int64_t kernel, int64_t stride, int64_t pad_begin, int64_t pad_end, int64_t dilation = 1) {
  return {size, 1, kernel, stride, dilation, pad_begin, pad_end, false};
}

// The output size, -1 where refused.
int64_t Out(Axis axis, Rounding rounding, AutoPad auto_pad = AutoPad::kExplicit, Readings readings = {},
            EntrySet* touched = nullptr, bool maxpool_1 = false) {
  Context context{readings, {}, {}};
  const bool ok = ComputeOutputSize({rounding, auto_pad, maxpool_1}, 0, context, &axis);
  if (touched != nullptr) *touched = context.touched;
  EXPECT_EQ(ok, context.error.empty());
  return ok ? axis.out : -1;
}

template <typename Reading>
Readings With(Entry entry, Reading reading) {
  Readings readings;
  readings[entry] = static_cast<uint8_t>(reading);
  return readings;
}

TEST(OutputSize, FloorAndCeil) {
  EXPECT_EQ(Out(MakeAxis(32, 2, 2, 1, 1), Rounding::kFloor), 17);
  EXPECT_EQ(Out(MakeAxis(5, 2, 2, 0, 0), Rounding::kFloor), 2);
  EXPECT_EQ(Out(MakeAxis(5, 2, 2, 0, 0), Rounding::kCeil), 3);
  EXPECT_EQ(Out(MakeAxis(5, 3, 1, 0, 0, 2), Rounding::kFloor), 1);
  EXPECT_EQ(Out(MakeAxis(3, 3, 7, 0, 0), Rounding::kCeil), 1);
}

TEST(OutputSize, KernelLargerThanThePaddedInputIsRefused) {
  EXPECT_EQ(Out(MakeAxis(3, 4, 1, 0, 0), Rounding::kFloor), -1);
  EXPECT_EQ(Out(MakeAxis(3, 4, 1, 0, 0), Rounding::kCeil), -1);
  EXPECT_EQ(Out(MakeAxis(3, 2, 1, 0, 0, 3), Rounding::kFloor), -1);
  EXPECT_EQ(Out(MakeAxis(3, 4, 1, 0, 1), Rounding::kFloor), 1);
  EXPECT_EQ(Out(MakeAxis(3, 4, 1, 0, 1), Rounding::kFloor, AutoPad::kValid), -1);
}

TEST(OutputSize, KernelLargerByLessThanAStrideHasAPositionRoundedUp) {
  EntrySet touched;
  EXPECT_EQ(Out(MakeAxis(5, 6, 2, 0, 0), Rounding::kCeil, AutoPad::kExplicit, {}, &touched), 1);
  EXPECT_TRUE(touched.Has(Entry::kWindowBeyondCeil));
  EXPECT_EQ(Out(MakeAxis(5, 6, 2, 0, 0), Rounding::kCeilTorch), 1);
  EXPECT_EQ(Out(MakeAxis(5, 7, 2, 0, 0), Rounding::kCeil), -1);
  EXPECT_EQ(Out(MakeAxis(5, 6, 2, 0, 0), Rounding::kFloor), -1);
  const Readings reject = With(Entry::kWindowBeyondCeil, WindowBeyondCeil::kReject);
  EXPECT_EQ(Out(MakeAxis(5, 6, 2, 0, 0), Rounding::kCeil, AutoPad::kExplicit, reject), -1);
}

// Where the input is smaller than its padding the last window may start in front of it.
TEST(OutputSize, CeilTorchMayHoldTheLeadingPaddingForPaddingAsWell) {
  const Readings both = With(Entry::kPaddingArea, PaddingArea::kBoth);
  Readings until_inside = both;
  until_inside[Entry::kCeilTorchOnce] = static_cast<uint8_t>(CeilTorchOnce::kUntilInside);
  EntrySet touched;
  EXPECT_EQ(Out(MakeAxis(1, 3, 1, 3, 0), Rounding::kCeilTorch, AutoPad::kExplicit, {}, &touched), 2);
  EXPECT_TRUE(touched.Has(Entry::kPaddingArea));
  EXPECT_EQ(Out(MakeAxis(1, 3, 1, 3, 0), Rounding::kCeilTorch, AutoPad::kExplicit, both), 1);
  EXPECT_EQ(Out(MakeAxis(1, 3, 1, 3, 0), Rounding::kCeilTorch, AutoPad::kExplicit, until_inside), -1);
  EXPECT_EQ(Out(MakeAxis(1, 3, 1, 3, 0), Rounding::kCeil, AutoPad::kExplicit, both), 2);
  EXPECT_EQ(Out(MakeAxis(1, 2, 1, 1, 0), Rounding::kCeilTorch, AutoPad::kExplicit, both), -1);
  EXPECT_EQ(Out(MakeAxis(1, 5, 1, 3, 0), Rounding::kCeilTorch, AutoPad::kSameUpper, both), 1);
  EXPECT_EQ(Out(MakeAxis(3, 2, 2, 1, 1), Rounding::kCeilTorch, AutoPad::kExplicit, both), 2);
}

TEST(OutputSize, CeilKeepsAWindowPastTheEndUnlessTold) {
  EntrySet touched;
  EXPECT_EQ(Out(MakeAxis(32, 1, 2, 0, 0), Rounding::kCeil, AutoPad::kExplicit, {}, &touched), 17);
  EXPECT_TRUE(touched.Has(Entry::kCeilPastEnd));
  const Readings dropped = With(Entry::kCeilPastEnd, CeilPastEnd::kDropped);
  EXPECT_EQ(Out(MakeAxis(32, 1, 2, 0, 0), Rounding::kCeil, AutoPad::kExplicit, dropped), 16);
  EXPECT_EQ(Out(MakeAxis(32, 1, 2, 0, 0), Rounding::kCeilTorch), 16);
  // Starts in the end padding: 5, k2, s2, p1 (openvino 18731).
  EXPECT_EQ(Out(MakeAxis(5, 2, 2, 1, 1), Rounding::kCeil), 4);
  EXPECT_EQ(Out(MakeAxis(5, 2, 2, 1, 1), Rounding::kCeilTorch), 3);
}

TEST(OutputSize, CeilTorchReducesOnceOrUntilInside) {
  EntrySet touched;
  const Axis axis = MakeAxis(3, 1, 2, 0, 6);
  EXPECT_EQ(Out(axis, Rounding::kCeil), 5);
  EXPECT_EQ(Out(axis, Rounding::kCeilTorch, AutoPad::kExplicit, {}, &touched), 4);
  EXPECT_TRUE(touched.Has(Entry::kCeilTorchOnce));
  const Readings until = With(Entry::kCeilTorchOnce, CeilTorchOnce::kUntilInside);
  EXPECT_EQ(Out(axis, Rounding::kCeilTorch, AutoPad::kExplicit, until), 2);
}

TEST(OutputSize, Valid) {
  EntrySet touched;
  EXPECT_EQ(Out(MakeAxis(32, 2, 2, 1, 1), Rounding::kFloor, AutoPad::kValid), 16);
  EXPECT_EQ(Out(MakeAxis(3, 2, 2, 0, 0), Rounding::kCeil, AutoPad::kValid, {}, &touched), 2);
  EXPECT_TRUE(touched.Has(Entry::kValidCeil));
  const Readings formula = With(Entry::kValidCeil, ValidCeil::kFormula);
  EXPECT_EQ(Out(MakeAxis(3, 2, 2, 0, 0), Rounding::kCeil, AutoPad::kValid, formula), 1);
  // MaxPool-1 has a formula for valid with ceil.
  EXPECT_EQ(Out(MakeAxis(3, 2, 2, 0, 0), Rounding::kCeil, AutoPad::kValid, formula, &touched, true), 2);
  EXPECT_FALSE(touched.Has(Entry::kValidCeil));
  // ceil_torch drops what would start past the input, also where nothing is padded.
  const Readings ignored = With(Entry::kCeilTorchAutoPad, CeilTorchAutoPad::kIgnored);
  EXPECT_EQ(Out(MakeAxis(4, 1, 2, 0, 0), Rounding::kCeilTorch, AutoPad::kValid), 2);
  EXPECT_EQ(Out(MakeAxis(4, 1, 2, 0, 0), Rounding::kCeilTorch, AutoPad::kValid, ignored), 3);
}

TEST(OutputSize, MaxPool1AsPrinted) {
  EntrySet touched;
  const Readings printed = With(Entry::kMaxpool1Formula, Maxpool1Formula::kPrinted);
  // floor(32 + 1 + 1 - 2 / 2) + 1, against floor((32 + 1 + 1 - 2) / 2) + 1.
  EXPECT_EQ(Out(MakeAxis(32, 2, 2, 1, 1), Rounding::kFloor, AutoPad::kExplicit, printed, &touched, true), 34);
  EXPECT_TRUE(touched.Has(Entry::kMaxpool1Formula));
  EXPECT_EQ(Out(MakeAxis(32, 3, 2, 1, 1), Rounding::kFloor, AutoPad::kExplicit, printed, nullptr, true),
            33);  // floor(34 - 1.5) + 1
  EXPECT_EQ(Out(MakeAxis(32, 3, 2, 1, 1), Rounding::kCeil, AutoPad::kExplicit, printed, nullptr, true),
            34);  // ceil(34 - 1.5) + 1
  EXPECT_EQ(Out(MakeAxis(32, 2, 1, 1, 1), Rounding::kFloor, AutoPad::kExplicit, {}, &touched, true), 33);
  EXPECT_FALSE(touched.Has(Entry::kMaxpool1Formula));  // stride 1: no difference
}

TEST(OutputSize, SamePutsTheOddPixelWhereTheWordSays) {
  for (const auto& [auto_pad, begin] : {std::pair{AutoPad::kSameUpper, 1}, std::pair{AutoPad::kSameLower, 2}}) {
    Axis axis = MakeAxis(7, 4, 1, 5, 5);
    Context context;
    ASSERT_TRUE(ComputeOutputSize({Rounding::kCeil, auto_pad, false}, 0, context, &axis));
    EXPECT_EQ(axis.out, 7);
    EXPECT_EQ(axis.pad_begin, begin);
    EXPECT_EQ(axis.pad_end, 3 - begin);
    EXPECT_TRUE(context.touched.Empty());
  }
}

TEST(OutputSize, SameWithStrides) {
  EntrySet touched;
  EXPECT_EQ(Out(MakeAxis(32, 2, 2, 1, 1), Rounding::kFloor, AutoPad::kSameUpper, {}, &touched), 32);
  EXPECT_TRUE(touched.Has(Entry::kSameStride));
  const Readings divided = With(Entry::kSameStride, SameStride::kCeilDiv);
  EXPECT_EQ(Out(MakeAxis(5, 2, 2, 1, 1), Rounding::kFloor, AutoPad::kSameUpper, divided), 3);
  const Readings rounded = With(Entry::kSameStride, SameStride::kRounded);
  EXPECT_EQ(Out(MakeAxis(5, 2, 2, 1, 1), Rounding::kFloor, AutoPad::kSameUpper, rounded), 3);
  // No padding is needed for one position, and then there is room for a second, which ceil takes.
  EXPECT_EQ(Out(MakeAxis(2, 1, 2, 0, 0), Rounding::kFloor, AutoPad::kSameUpper, rounded), 1);
  EXPECT_EQ(Out(MakeAxis(2, 1, 2, 0, 0), Rounding::kCeil, AutoPad::kSameUpper, rounded), 2);
  EXPECT_EQ(Out(MakeAxis(2, 1, 2, 0, 0), Rounding::kCeilTorch, AutoPad::kSameUpper, rounded), 1);
  // The formula knows no rounding, so ceil_torch changes nothing.
  EXPECT_EQ(Out(MakeAxis(32, 2, 2, 0, 0), Rounding::kCeilTorch, AutoPad::kSameLower), 32);
}

TEST(OutputSize, HugeValuesAreRefusedOrExact) {
  EXPECT_EQ(Out(MakeAxis(4, kMax, 1, 0, 0), Rounding::kFloor), -1);
  EXPECT_EQ(Out(MakeAxis(4, 3, 1, 0, 0, kMax), Rounding::kFloor), -1);
  EXPECT_EQ(Out(MakeAxis(4, 1, 1, kMax, 0), Rounding::kFloor), -1);
  EXPECT_EQ(Out(MakeAxis(4, 1, 1, kMax - 4, 0), Rounding::kFloor), -1);
  EXPECT_EQ(Out(MakeAxis(4, 1, kMax, 0, 0), Rounding::kFloor), 1);
  EXPECT_EQ(Out(MakeAxis(4, 1, kMax, 0, 0), Rounding::kCeil), 2);
  EXPECT_EQ(Out(MakeAxis(4, 1, kMax, 0, 0), Rounding::kCeilTorch), 1);
  EXPECT_EQ(Out(MakeAxis(4, 1, 1, 0, 0, kMax), Rounding::kFloor), 4);
  EXPECT_EQ(Out(MakeAxis(4, 2, kMax, 0, 0), Rounding::kFloor, AutoPad::kSameUpper), -1);
  EXPECT_EQ(Out(MakeAxis(4, kMax, 1, 0, 0), Rounding::kFloor, AutoPad::kSameUpper), -1);
  // The second window starts beyond 2^63.
  const int64_t half = int64_t{1} << 62;
  EXPECT_EQ(Out(MakeAxis(4, 1, half, half, half - 8), Rounding::kCeil), -1);
  EXPECT_EQ(Out(MakeAxis(4, half, 1, half, 0), Rounding::kFloor), 5);
}

// Taps by definition: all k with 0 <= o * stride - pad_begin + k * dilation < size.
RC_GTEST_PROP(Axis, ClippedTapsAreThoseInsideTheInput, ()) {
  Axis axis = MakeAxis(*rc::gen::inRange(1, 12), *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6),
                       *rc::gen::inRange(0, 9), *rc::gen::inRange(0, 9), *rc::gen::inRange(1, 5));
  axis.out = 12;
  const int64_t o = *rc::gen::inRange<int64_t>(0, axis.out);
  const Taps taps = axis.TapsOf(o);
  std::vector<int64_t> expected, got;
  for (int64_t k = 0; k < axis.kernel; ++k) {
    const int64_t i = o * axis.stride - axis.pad_begin + k * axis.dilation;
    if (i >= 0 && i < axis.size) expected.push_back(i);
  }
  for (int64_t k = 0; k < taps.count; ++k) got.push_back(taps.begin + k * taps.step);
  RC_ASSERT(got == expected);
}

RC_GTEST_PROP(Axis, AdaptiveCellsCoverTheInputInOrder, ()) {
  Axis axis;
  axis.adaptive = true;
  axis.size = *rc::gen::inRange(1, 40);
  axis.out = *rc::gen::inRange(1, 40);
  for (int64_t o = 0; o < axis.out; ++o) {
    const Taps taps = axis.TapsOf(o);
    // floor(o * size / out) is the largest n with n * out <= o * size; the ceiling is the smallest.
    RC_ASSERT(taps.begin * axis.out <= o * axis.size);
    RC_ASSERT((taps.begin + 1) * axis.out > o * axis.size);
    const int64_t end = taps.begin + taps.count;
    RC_ASSERT(end * axis.out >= (o + 1) * axis.size);
    RC_ASSERT((end - 1) * axis.out < (o + 1) * axis.size);
    RC_ASSERT(taps.count >= 1 && end <= axis.size);
  }
}

TEST(Window, IsDrawnInInputCoordinates) {
  TestCall call("MaxPool-8", POOLPROOF_F32, {1, 2, 3, 4}, 2);
  call.List("kernel", {2, 3}).List("strides", {1, 2}).List("dilations", {2, 1});
  call.List("pads_begin", {1, 1}).List("pads_end", {1, 0});
  // Output [1, 2, 3, 2]; element 7 is channel 1, row 0, column 1.
  const Window window = FindOperator("MaxPool-8")->window(call.Get(), {}, 7);
  EXPECT_EQ(window.spatial_rank, 2);
  EXPECT_EQ(window.begin[0], -1);
  EXPECT_EQ(window.begin[1], 1);
  EXPECT_EQ(window.step[0], 2);
  EXPECT_EQ(window.taps[0], 2);
  EXPECT_EQ(window.taps[1], 3);
  EXPECT_EQ(window.axis[0], 2);
  EXPECT_EQ(window.axis[1], 3);
  EXPECT_EQ(window.offsets, (std::vector<int64_t>{17, 18, 19}));
}

TEST(Window, OfChannelsLast) {
  TestCall call("mli_krn_maxpool_hwc_fx8", POOLPROOF_FX8, {3, 4, 2}, 1);
  for (const char* name : {"kernel_width", "kernel_height", "stride_width", "stride_height"}) {
    call.Int(name, 2);
  }
  for (const char* name : {"padding_left", "padding_right", "padding_top", "padding_bottom"}) {
    call.Int(name, 0);
  }
  // Output [1, 2, 2]; element 3 is column 1, channel 1.
  const Window window = FindOperator("mli_krn_maxpool_hwc_fx8")->window(call.Get(), {}, 3);
  EXPECT_EQ(window.axis[0], 0);
  EXPECT_EQ(window.axis[1], 1);
  EXPECT_EQ(window.begin[1], 2);
  EXPECT_EQ(window.offsets, (std::vector<int64_t>{5, 7, 13, 15}));
}

}  // namespace
}  // namespace poolproof::reference
