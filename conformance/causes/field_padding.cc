// Defects of libraries in what padding and divisors are taken for, drawn at random from public reports by somebody who
// did not know which causes the diagnosis can name.
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/causes/forms.h"

namespace poolproof::mutants {
namespace {

// ---- padding of maxima and norms

bool ReachesPadding(const Window& window) { return window.Inside() < window.Padded(); }

Result ZeroInPadding(const Pool& pool, const Window& window) {
  Result result = ReduceMax(pool, window);
  if (ReachesPadding(window) && result.value < 0) result.value = 0;
  return result;
}

// The lowest number to any power is infinite.
Result LowestInPadding(const Pool& pool, const Window& window) {
  return ReachesPadding(window) ? Result{std::numeric_limits<Value>::infinity(), -1} : Reduce(pool, window);
}

// ---- padding of means

// Calls visit(inside) for every tap in the padded input, row by row.
template <typename Visit>
void VisitPadded(const Window& window, Visit visit) {
  const auto inside = [](const Range& range, int64_t k) { return range.first <= k && k < range.end; };
  const auto& [d, h, w] = window.ranges;
  for (int64_t i = d.padded_first; i < d.padded_end; ++i) {
    for (int64_t j = h.padded_first; j < h.padded_end; ++j) {
      for (int64_t k = w.padded_first; k < w.padded_end; ++k) visit(inside(d, i) && inside(h, j) && inside(w, k));
    }
  }
}

// Padded taps are compared with the sum so far, as if it were a maximum.
Result SumRaisedByPadding(const Pool& pool, const Window& window) {
  if (!pool.CountsPadding() || window.taps.empty()) return Reduce(pool, window);
  Value sum = 0;
  size_t next = 0;
  VisitPadded(window, [&](bool inside) { sum = inside ? sum + window.taps[next++].value : std::max<Value>(sum, 0); });
  return {sum / static_cast<Value>(window.Full()), -1};
}

Result NotANumber(const Pool&, const Window&) { return {std::nanl(""), -1}; }

Result Undivided(const Pool& pool, const Window& window) { return ReduceMean(pool, window, window.Inside()); }

// ---- divisors

int64_t CountOn(const Pool& pool, const Axis& as, const Axis& axis, int64_t at) {
  const int64_t start = at * as.stride - as.pad_begin;
  const int64_t end = std::min(start + as.kernel, axis.size + as.pad_end);
  if (pool.CountsPadding()) return end - start;
  return std::min(end, axis.size) - std::max<int64_t>(start, 0);
}

// The divisor reads kernel, stride and padding of the axes in reverse order.
Result DivisorOfReversedAxes(const Pool& pool, const Window& window) {
  if (pool.divisor != 0 || window.taps.empty()) return Reduce(pool, window);
  int64_t divisor = 1;
  for (size_t i = pool.FirstAxis(); i < 3; ++i) {
    divisor *= CountOn(pool, pool.axes[pool.FirstAxis() + 2 - i], pool.axes[i], window.at[i]);
  }
  if (divisor == 0 && pool.Float()) return {std::nanl(""), -1};
  return ReduceMean(pool, window, divisor);
}

void NoDivisorForWholePlane(Pool& pool) {
  const auto whole = [](const Axis& axis) {
    return axis.kernel == axis.size && axis.stride == axis.size && axis.pad_begin == 0 && axis.pad_end == 0;
  };
  if (std::all_of(pool.axes.begin() + 1, pool.axes.end(), whole)) pool.divisor = 0;
}

void NoDivisorWithoutPadding(Pool& pool) {
  if (pool.exclude_pad) pool.divisor = 0;
}

// ---- pads as they are read

void WidthPaddedAsHeight(Pool& pool) {
  pool.axes[2].pad_begin = pool.axes[1].pad_begin;
  pool.axes[2].pad_end = pool.axes[1].pad_end;
}

void EndPaddedAsFront(Asked& asked) {
  const IntList* begin = ListOf(asked, Role::kPadBegin);
  IntList* end = ListOf(asked, Role::kPadEnd);
  if (begin != nullptr && end != nullptr) *end = *begin;
}

// All begins, then all ends, are read as begin and end of each axis.
void PadsInPairs(Asked& asked) {
  IntList *begin = ListOf(asked, Role::kPadBegin), *end = ListOf(asked, Role::kPadEnd);
  if (begin == nullptr || end == nullptr || begin->size != end->size) return;
  const IntList begins = *begin, ends = *end;
  const auto written = [&](size_t i) { return i < begins.size ? begins[i] : ends[i - begins.size]; };
  for (size_t i = 0; i < begins.size; ++i) {
    (*begin)[i] = written(2 * i);
    (*end)[i] = written(2 * i + 1);
  }
}

constexpr Mutant kForms[] = {
    Form("mxnet-2753", "MXNet 2753: maxima are padded with 0", kSlidingMax, {.reduce = ZeroInPadding}),
    Form("nnvm-486", "NNVM 486: under automatic padding maxima are padded with 0", kSlidingMax,
         {.reduce = ZeroInPadding}, "keeps_size"),
    Form("migraphx-2991", "MIGraphX 2991: maxima of i8 are padded with the lowest f32, cast to i8", kSlidingMax,
         {.reduce = ZeroInPadding}, "type = i8"),
    Form("migraphx-3316", "MIGraphX 3316: norms with pads that differ are padded with the lowest number", kSlidingNorm,
         {.reduce = LowestInPadding}, "any(pad_begin != pad_end)"),
    Form("nnlib-238", "NNlib 238: padding raises the sum of a mean to 0 where it is below", kSlidingMean,
         {.reduce = SumRaisedByPadding}, "is_float"),
    Form("tfjs-7122", "TensorFlow.js 7122: means over three axes with padding are NaN", kSlidingMean,
         {.reduce = NotANumber}, "type = f32 and axes = 3 and not keeps_size and any(pad_before > 0 or pad_after > 0)"),
    Form("torch-143720", "PyTorch 143720, Inductor: padding does not count where the input has one element",
         kSlidingMean, {.reduce = Undivided}, "elements = 1 and axes = 1"),
    Form("timvx-423", "TIM-VX 423: padding counts although it is to be left out", kSlidingMean,
         {.pool = [](Pool& pool) { pool.exclude_pad = false; }}),
    Form("ncnn-924", "ncnn 924: padding does not count although it is to be counted", kSlidingMean,
         {.pool = [](Pool& pool) { pool.exclude_pad = true; }}),
    Form("torch-mlir-4144", "torch-mlir 4144: divisors read kernel, stride and padding of the axes in reverse order",
         kSlidingMean, {.reduce = DivisorOfReversedAxes}, "axes >= 2 and all(dilation = 1)"),
    Form("tt-torch-1247", "tt-torch 1247: a given divisor is ignored where the window is the whole input",
         kTakesDivisor, {.pool = NoDivisorForWholePlane}, "axes = 2"),
    Form("executorch-18616", "ExecuTorch 18616: a given divisor is ignored where padding does not count", kTakesDivisor,
         {.pool = NoDivisorWithoutPadding}, "axes = 2"),
    Form("opencv-22844", "OpenCV 22844, Vulkan: under automatic padding the width is padded as the height", kSliding,
         {.pool = WidthPaddedAsHeight}, "keeps_size and axes >= 2"),
    Form("torch-mlir-4740", "torch-mlir 4740: means are padded at the end as in front", kSlidingMean,
         {.edit = EndPaddedAsFront}),
    Form("evaluator-pads", "ONNX evaluator: pads are read as begin and end of each axis in turn", kSliding,
         {.edit = PadsInPairs}, "family = onnx"),
};

}  // namespace

std::span<const Mutant> FieldPaddingForms() { return kForms; }

}  // namespace poolproof::mutants
