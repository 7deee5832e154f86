// Mutants that make the wrong maximum of the right taps.
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

using reference::EmptyWindowValue;
using reference::Entry;
using reference::MinusInfinityInput;
using reference::Nan;
using reference::Readings;

constexpr Value kInfinity = std::numeric_limits<Value>::infinity();

template <typename Reading>
void Choose(Readings& readings, Entry entry, Reading reading) {
  readings[entry] = static_cast<uint8_t>(reading);
}

// The maximum with a start value that is never -inf, by comparisons that a NaN never wins.
Result MaxFrom(const Window& window, Value start) {
  Result best{start, -1};
  for (const Tap& tap : window.taps) {
    if (tap.value > best.value) best = {tap.value, tap.offset};
  }
  return best;
}

Result SkipNan(const Pool& pool, const Window& window) {
  Window kept = window;
  std::erase_if(kept.taps, [](const Tap& tap) { return std::isnan(tap.value); });
  return kept.taps.empty() ? ReduceMax(pool, window) : ReduceMax(pool, kept);
}

// The search starts at the lowest finite value, which neither NaN nor minus infinity is above; its index is then that
// of the first tap.
Result SearchFromLowest(const Pool& pool, const Window& window) {
  Result best{Lowest(pool.type), window.taps.empty() ? -1 : window.taps[0].offset};
  for (const Tap& tap : window.taps) {
    if (tap.value > best.value) best = {tap.value, tap.offset};
  }
  return best;
}

// A vector body of four elements propagates NaN, the scalar tail of a row does not.
Result NanByColumn(const Pool& pool, const Window& window) {
  const bool body = window.at[2] < pool.axes[2].out / 4 * 4;
  return body ? ReduceMax(pool, window) : SkipNan(pool, window);
}

// Vectors of 16 bytes of channels propagate NaN. The channels behind them start at the lowest number, and drop NaN.
Result NanByChannel(const Pool& pool, const Window& window) {
  const int64_t lanes = 128 / Bits(pool.type);
  if (window.channel < pool.channels / lanes * lanes) return ReduceMax(pool, window);
  const Result result = SkipNan(pool, window);
  return std::isnan(result.value) ? Result{Lowest(pool.type), result.tap} : result;
}

// Rows propagate NaN, but best = x > best ? x : best joins them: only that of the first row stays.
Result NanByRow(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return ReduceMax(pool, window);
  Result best;
  Window row;
  for (auto tap = window.taps.begin(); tap != window.taps.end(); tap += window.ranges[2].Inside()) {
    row.taps.assign(tap, tap + window.ranges[2].Inside());
    const Result most = ReduceMax(pool, row);
    if (tap == window.taps.begin() || most.value > best.value) best = most;
  }
  return best;
}

Result PaddingAsZero(const Pool& pool, const Window& window) {
  const Result result = ReduceMax(pool, window);
  const bool clipped = window.Inside() < window.Full();
  return clipped && result.value < 0 ? Result{0, result.tap} : result;
}

Result ClipInfinity(const Pool& pool, const Window& window) {
  Result result = Reduce(pool, window);
  const Value lowest = Lowest(pool.type);
  if (pool.Float() && !std::isnan(result.value)) result.value = std::clamp(result.value, lowest, -lowest);
  return result;
}

Result LargestMagnitude(const Pool& pool, const Window& window) {
  Result best = ReduceMax(pool, window);
  for (const Tap& tap : window.taps) {
    if (std::fabs(tap.value) > std::fabs(best.value)) best = {tap.value, tap.offset};
  }
  return best;
}

constexpr Mutant kValues[] = {
    {.id = "openvino-35935",
     .title = "a window of NaN alone gives the lowest finite value",
     .effect = "broken activations come out as a huge negative number and stay unnoticed",
     .link = "https://github.com/openvinotoolkit/openvino/issues/35935",
     .verdicts = "deviates fail",
     .operators = kMaxima,
     .hooks = {.readings =
                   [](Readings& readings) {
                     Choose(readings, Entry::kNan, Nan::kIgnoreAll);
                     Choose(readings, Entry::kEmptyWindowValue, EmptyWindowValue::kLowestFinite);
                   }}},
    {.id = "openvino-start-value",
     .title = "the start value is never replaced",
     .effect = "every output is the type's lowest value, which a comparison that skips that value "
               "does not see",
     .link = "https://github.com/openvinotoolkit/openvino",
     .operators = kMaxima,
     .hooks = {.reduce = [](const Pool& pool, const Window&) { return Result{Lowest(pool.type), -1}; }}},
    {.id = "onednn-1094",
     .title = "padding takes part in the maximum as zero",
     .effect = "negative activations at the border come out as 0",
     .link = "https://github.com/uxlfoundation/oneDNN/issues/1094",
     .operators = kSlidingMax,
     .role = Role::kPadBegin,
     .hooks = {.reduce = PaddingAsZero}},
    {.id = "onednn-1205",
     .title = "a window wholly in the padding gives the lowest finite value",
     .effect = "windows without a tap give -FLT_MAX instead of minus infinity",
     .link = "https://github.com/uxlfoundation/oneDNN/issues/1205",
     .verdicts = "deviates",
     .operators = kMaxima,
     .hooks = {.readings =
                   [](Readings& readings) {
                     Choose(readings, Entry::kEmptyWindowValue, EmptyWindowValue::kLowestFinite);
                   }}},
    {.id = "onednn-1387",
     .title = "minus infinity cannot be a maximum, the lowest finite value is",
     .effect = "windows without a tap, and windows of minus infinity, give -FLT_MAX",
     .link = "https://github.com/uxlfoundation/oneDNN/issues/1387",
     .verdicts = "deviates",
     .operators = kMaxima,
     .hooks = {.readings =
                   [](Readings& readings) {
                     Choose(readings, Entry::kEmptyWindowValue, EmptyWindowValue::kLowestFinite);
                     Choose(readings, Entry::kMinusInfinityInput, MinusInfinityInput::kLowestFinite);
                   }}},
    {.id = "cudnn-f16-lowest",
     .title = "the lowest finite f16 is taken for minus infinity",
     .effect = "f16 windows whose maximum is -65504 give minus infinity",
     .link = "https://github.com/uxlfoundation/oneDNN/tree/main/tests/benchdnn",
     .operators = kMaxima,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     Result result = ReduceMax(pool, window);
                     if (pool.type == POOLPROOF_F16 && result.value == -65504) result.value = -kInfinity;
                     return result;
                   }}},
    {.id = "cudnn-s8-lowest",
     .title = "the start value of signed 8-bit integers is -127",
     .effect = "int8 windows whose maximum is -128 give -127",
     .link = "https://github.com/uxlfoundation/oneDNN/tree/main/tests/benchdnn",
     .operators = kMaxima,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     Result result = ReduceMax(pool, window);
                     if (Lowest(pool.type) == -128 && result.value == -128) result.value = -127;
                     return result;
                   }}},
    {.id = "search-from-lowest-finite",
     .title = "maxima are searched for from the lowest finite value on, which no NaN and no minus infinity is above",
     .effect = "NaN and minus infinity come out as the lowest finite value, or are lost beside others",
     .operators = kMaxima,
     .hooks = {.reduce = SearchFromLowest}},
    {.id = "tensorflow-125965",
     .title = "channels in whole vectors propagate NaN, those behind them do not",
     .effect = "equal data give NaN in one channel and a number in the next",
     .link = "https://github.com/tensorflow/tensorflow/issues/125965",
     .verdicts = "fail inconsistent",
     .operators = kMaxima,
     .hooks = {.reduce = NanByChannel}},
    {.id = "nan-lost-at-end-of-row",
     .title = "columns in whole vectors propagate NaN, those at the end of a row do not",
     .effect = "equal data give NaN in one column and a number in the next",
     .verdicts = "inconsistent",
     .operators = kMaxima,
     .hooks = {.reduce = NanByColumn}},
    {.id = "nan-only-in-first-row",
     .title = "a NaN wins only in the first row of a window",
     .effect = "whether a NaN is passed on depends on where in the window it lies",
     .verdicts = "inconsistent",
     .operators = kMaxima,
     .hooks = {.reduce = NanByRow}},
    {.id = "nan-as-zero",
     .title = "NaN counts as zero",
     .effect = "a window of negative numbers and a NaN gives 0",
     .verdicts = "fail inconsistent",
     .operators = kMaxima,
     .hooks = {.taps =
                   [](const Pool&, Window& window) {
                     for (Tap& tap : window.taps) {
                       if (std::isnan(tap.value)) tap.value = 0;
                     }
                   }}},
    {.id = "maximum-starts-at-zero",
     .title = "the maximum starts at zero",
     .effect = "negative activations come out as 0 everywhere",
     .operators = kMaxima,
     .hooks = {.reduce = [](const Pool&, const Window& window) { return MaxFrom(window, 0); }}},
    {.id = "maximum-of-magnitudes",
     .title = "the value of largest magnitude wins",
     .effect = "a large negative activation hides the smaller positive ones beside it",
     .operators = kMaxima,
     .hooks = {.reduce = LargestMagnitude}},
    {.id = "infinity-clipped",
     .title = "results are clamped to the finite values of the type",
     .effect = "an overflow earlier in the network is hidden",
     .verdicts = "fail deviates",
     .operators = kSliding | kAdaptive,
     .hooks = {.reduce = ClipInfinity}},
};

}  // namespace

std::span<const Mutant> ValueMutants() { return kValues; }

}  // namespace poolproof::mutants
