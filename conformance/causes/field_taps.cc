// Defects of libraries in which taps a window has, and in planes and channels that are left out, drawn at random from
// public reports by somebody who did not know which causes the diagnosis can name.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "conformance/causes/forms.h"

namespace poolproof::mutants {
namespace {

constexpr size_t kHeight = 1, kWidth = 2;

// ---- attributes of axes

void StridesExchanged(Pool& pool) { std::swap(pool.axes[kHeight].stride, pool.axes[kWidth].stride); }

void WidthStepsAsHeight(Pool& pool) { pool.axes[kWidth].stride = pool.axes[kHeight].stride; }

void AllDense(Pool& pool) {
  for (Axis& axis : pool.axes) axis.dilation = 1;
}

// ---- taps

// The start is cut to the edge of the input, so that taps no longer fall on the dilation's grid.
void StartCutToEdge(const Pool& pool, size_t i, int64_t, Range& range) {
  if (range.step == 1 || range.start >= 0) return;
  const int64_t end = range.start + (range.full - 1) * range.step + 1;
  range.start = 0;
  range.full = std::max<int64_t>(0, (end + range.step - 1) / range.step);
  range.Clip(pool.axes[i]);
}

void LastWindowLosesColumn(const Pool& pool, size_t i, int64_t at, Range& range) {
  if (i == kWidth && at + 1 == pool.axes[i].out && range.Inside() == range.full) --range.end;
}

// Rows are read as if they were longer.
void ReadsOneColumnMore(const Pool&, size_t i, int64_t, Range& range) {
  if (i == kWidth) ++range.end;
}

void KeepFirst(Window& window) {
  if (window.taps.size() > 1) window.taps.resize(1);
}

void LastChannelsKeepFirstTap(const Pool& pool, Window& window) {
  if (window.channel >= pool.channels / 4 * 4) KeepFirst(window);
}

// ---- adaptive cells

void EndRoundedDown(const Pool& pool, size_t i, int64_t at, Range& range) {
  const Axis& axis = pool.axes[i];
  range.full = std::max<int64_t>((at + 1) * axis.size / axis.out - range.start, 1);
  range.Clip(axis);
}

void BoundsInFloat(const Pool& pool, size_t i, int64_t at, Range& range) {
  const Axis& axis = pool.axes[i];
  const float cell = static_cast<float>(axis.size) / static_cast<float>(axis.out);
  range.start = static_cast<int64_t>(std::floor(static_cast<float>(at) * cell));
  range.full = static_cast<int64_t>(std::ceil(static_cast<float>(at + 1) * cell)) - range.start;
  range.Clip(axis);
}

// Where cells are of one size, each has elements that are as far apart as there are cells.
void EveryNth(const Pool& pool, size_t i, int64_t at, Range& range) {
  const Axis& axis = pool.axes[i];
  if (axis.size % axis.out != 0) return;
  range.start = at;
  range.step = axis.out;
  range.Clip(axis);
}

// Keeps the taps whose row and column in the window are as kept(row, column) says; the divisor stays.
template <typename Kept>
void KeepTaps(const Pool& pool, Window& window, Kept kept) {
  std::erase_if(window.taps, [&](const Tap& tap) {
    const int64_t column = tap.offset % pool.axes[kWidth].size;
    const int64_t row = tap.offset / pool.axes[kWidth].size % pool.axes[kHeight].size;
    return !kept(row - window.ranges[kHeight].start, column - window.ranges[kWidth].start);
  });
}

void First64(const Pool& pool, Window& window) {
  KeepTaps(pool, window, [](int64_t row, int64_t column) { return row < 64 && column < 64; });
}

// The sum begins again in each column.
void LastColumnAlone(const Pool& pool, Window& window) {
  const int64_t last = window.ranges[kWidth].end - 1;
  KeepTaps(pool, window, [last](int64_t, int64_t column) { return column == last; });
}

// ---- outputs that are not computed

constexpr Result kUnwritten = {0, -1};

Result FirstImageAlone(const Pool& pool, const Window& window) {
  return window.batch > 0 ? kUnwritten : Reduce(pool, window);
}

Result LastOfMoreThan32(const Pool& pool, const Window& window) {
  return pool.channels > 32 && window.channel >= pool.channels / 32 * 32 ? kUnwritten : Reduce(pool, window);
}

Result FoursOfOutputs(const Pool& pool, const Window& window) {
  return window.element >= pool.batches * pool.channels / 4 * 4 ? kUnwritten : Reduce(pool, window);
}

Result Unwritten(const Pool&, const Window&) { return kUnwritten; }

// Holds what was in memory.
Result LastPixelIsStale(const Pool& pool, const Window& window) {
  const bool last = window.batch + 1 == pool.batches && window.at[kHeight] + 1 == pool.axes[kHeight].out &&
                    window.at[kWidth] + 1 == pool.axes[kWidth].out;
  return last ? Result{std::numeric_limits<Value>::infinity(), -1} : Reduce(pool, window);
}

// ---- the rest behind the last whole vector

// Vectors propagate a NaN, the rest drops it.
Result NanInVectorsAlone(const Pool& pool, const Window& window) {
  const int64_t lanes = 128 / Bits(pool.type);
  if (window.channel < pool.channels / lanes * lanes) return ReduceMax(pool, window);
  Window numbers = window;
  std::erase_if(numbers.taps, [](const Tap& tap) { return std::isnan(tap.value); });
  return numbers.taps.empty() && !window.taps.empty() ? Result{Lowest(pool.type), window.taps[0].offset}
                                                      : ReduceMax(pool, numbers);
}

constexpr Mutant kForms[] = {
    Form("darknet-77", "darknet 77: maxima step along the height by the stride of the width, and the other way round",
         kSlidingMax, {.pool = StridesExchanged}, "axes = 2"),
    Form("nnpack-16", "NNPACK 16: maxima step along the width by the stride of the height", kSlidingMax,
         {.pool = WidthStepsAsHeight}, "axes = 2"),
    Form("fastnn-4", "FastNN 4: sizes know the dilation, windows do not", kDilates, {.pool = AllDense}),
    Form("ort-29637",
         "ONNX Runtime 29637, CUDA: a dilated window that begins in the padding begins at the edge instead",
         kSlidingMax, {.range = StartCutToEdge}),
    Form("anakin-210", "Anakin 210: the last window of a row, 3x3 at stride 2, loses its last column", kSlidingMax,
         {.range = LastWindowLosesColumn}, "axes = 2 and all(kernel = 3 and stride = 2)"),
    Form("acl-924", "Compute Library 924: 2x2 windows at stride 2 of short rows of i8 are too wide", kSlidingMax,
         {.range = ReadsOneColumnMore}, "type = i8 and axes = 2 and all(kernel = 2 and stride = 2) and width < 7"),
    Form("cmsis-511", "CMSIS-NN 511: channels behind the last 4 are not compared", kSlidingMax,
         {.taps = LastChannelsKeepFirstTap}, "type = i8"),
    Form("flaggems-4915", "FlagGems 4915: the end of a cell is rounded down", kAdaptiveMean, {.range = EndRoundedDown}),
    Form("openvino-17429", "OpenVINO 17429, GPU: bounds of cells are computed in f32", kAdaptive,
         {.range = BoundsInFloat}),
    Form("mlx-image-16", "mlx-image 16: cells have elements that are as far apart as there are cells", kAdaptiveMean,
         {.range = EveryNth}),
    Form("flaggems-4924", "FlagGems 4924: cells have at most 64 rows and columns", kAdaptiveMean, {.taps = First64},
         "axes = 2"),
    Form("tvm-20105", "TVM 20105: of a cell the last column alone is added", kAdaptiveMean, {.taps = LastColumnAlone},
         "axes = 2"),
    Form("tflite-micro-3584", "TensorFlow Lite Micro 3584: the first image of a batch alone is computed",
         kSlidingMax | kSlidingMean, {.reduce = FirstImageAlone}, "type in {i8, i16}"),
    Form("tt-metal-15731", "tt-metal 15731: of more than 32 channels those behind the last 32 are not computed",
         kSlidingMax, {.reduce = LastOfMoreThan32}),
    Form("wonnx-34", "wonnx 34: of the means of whole planes those behind the last 4 are not computed", kSlidingMean,
         {.reduce = FoursOfOutputs}, "op = onnx.GlobalAveragePool-22"),
    Form("tfjs-5920", "TensorFlow.js 5920, wasm: windows of one element are not computed", kSlidingMax | kSlidingMean,
         {.reduce = Unwritten}, "type = f32 and axes = 2 and taps = 1"),
    Form("tt-metal-14260", "tt-metal 14260: the last maximum of 3x3, stride 1 and padding 1 is what was in memory",
         kSlidingMax, {.reduce = LastPixelIsStale},
         "is_float and axes = 2 and all(kernel = 3 and stride = 1 and pad_before = 1 and pad_after = 1)"),
    Form("tf-125965", "TensorFlow 125965: channels behind the last whole vector drop a NaN, the others keep it",
         kSlidingMax, {.reduce = NanInVectorsAlone}, "type in {f32, f64}"),
};

}  // namespace

std::span<const Mutant> FieldTapForms() { return kForms; }

}  // namespace poolproof::mutants
