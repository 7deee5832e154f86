// Mutants that take the wrong mean of the right taps.
#include <algorithm>
#include <cmath>
#include <csignal>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

// Taps from the window's start to the end of an input padded by pads[i] along axes[i].
int64_t TapsUpTo(const Pool& pool, const Window& window, const std::array<int64_t, 3>& pads) {
  int64_t taps = 1;
  for (size_t i = 0; i < 3; ++i) {
    const Range& range = window.ranges[i];
    const int64_t reach = std::max<int64_t>(pool.axes[i].size + pads[i] - range.start, 0);
    taps *= std::min((reach + range.step - 1) / range.step, range.full);
  }
  return taps;
}

Result WrongPadInDivisor(const Pool& pool, const Window& window) {
  if (!pool.CountsPadding()) return Reduce(pool, window);
  const auto& [d, h, w] = pool.axes;
  std::array<int64_t, 3> pads = {d.pad_end, h.pad_end, w.pad_end};
  if (pool.spatial_rank == 2) pads[1] = w.pad_begin;
  if (pool.spatial_rank == 3) {
    pads[0] = h.pad_begin;
    pads[1] = d.pad_end;
  }
  return ReduceMean(pool, window, TapsUpTo(pool, window, pads));
}

// Full kernel for f32, taps in the padded input for other types.
Result OverhangForF32(const Pool& pool, const Window& window) {
  if (!pool.CountsPadding() || pool.type == POOLPROOF_F32) return Reduce(pool, window);
  const auto& [d, h, w] = pool.axes;
  return ReduceMean(pool, window, TapsUpTo(pool, window, {d.pad_end, h.pad_end, w.pad_end}));
}

// Taps in the padding are left out, those past it are counted.
Result OverhangWhenExcluding(const Pool& pool, const Window& window) {
  if (!pool.LeavesOutPadding()) return Reduce(pool, window);
  int64_t taps = 1;
  for (const Range& range : window.ranges) {
    taps *= range.Inside() + range.full - range.padded_end;
  }
  return ReduceMean(pool, window, taps);
}

Result DivideByZero(const Pool& pool, const Window& window) {
  const int64_t divisor = RightDivisor(pool, window);
  if (divisor != 0) return Reduce(pool, window);
  if (!pool.Float()) std::raise(SIGFPE);  // what an integer division by zero does on x86
  return {std::nanl(""), -1};
}

// Every addition of another type rounded to this narrow one.
Result AccumulateIn(poolproof_element_type type, const Pool& pool, const Window& window) {
  if (!pool.Float() || pool.type == type || window.taps.empty()) return Reduce(pool, window);
  Value sum = 0;
  for (const Tap& tap : window.taps) sum = Rounded(type, sum + tap.value);
  return {sum / static_cast<Value>(RightDivisor(pool, window)), -1};
}

Result ByShortReciprocal(const Pool& pool, const Window& window) {
  if (!pool.Float() || window.taps.empty()) return Reduce(pool, window);
  const Value reciprocal = 1 / static_cast<Value>(RightDivisor(pool, window));
  return {SumOf(window) * Rounded(POOLPROOF_BF16, reciprocal), -1};
}

Result ThroughDouble(const Pool& pool, const Window& window) {
  if (pool.Float() || Bits(pool.type) < 64 || window.taps.empty()) return Reduce(pool, window);
  double sum = 0;
  for (const Tap& tap : window.taps) sum += static_cast<double>(tap.value);
  const double mean = sum / static_cast<double>(RightDivisor(pool, window));
  return {std::trunc(static_cast<Value>(mean)), -1};
}

Result FloorForOthers(const Pool& pool, const Window& window) {
  const Result truncated = Reduce(pool, window);
  if (pool.Float() || Bits(pool.type) == 8 || window.taps.empty()) return truncated;
  const Value divisor = static_cast<Value>(RightDivisor(pool, window));
  return {std::floor(SumOf(window) / divisor), -1};
}

// The sum of the first `count` elements of the row that begins at an offset, added up in the element type.
Value SumOfRow(const Pool& pool, int64_t begin, int64_t count) {
  if (pool.summed_row != begin) pool.row_sums.assign(1, 0);
  pool.summed_row = begin;
  while (static_cast<int64_t>(pool.row_sums.size()) <= count) {
    const int64_t offset = begin + (static_cast<int64_t>(pool.row_sums.size()) - 1) * pool.in.axis[2];
    const Value element = LoadValue(pool.type, pool.call->inputs[0]->data, offset);
    pool.row_sums.push_back(Rounded(pool.type, pool.row_sums.back() + element));
  }
  return pool.row_sums[static_cast<size_t>(count)];
}

// The sum of the window is the difference of two sums over the row, in the element type.
Result RunningSum(const Pool& pool, const Window& window) {
  if (!pool.Float() || window.taps.empty()) return Reduce(pool, window);
  const int64_t row = window.ranges[2].start + window.ranges[2].first * window.ranges[2].step;
  const Value before = SumOfRow(pool, window.taps.front().offset - row * pool.in.axis[2], row);
  Value after = before;
  for (const Tap& tap : window.taps) after = Rounded(pool.type, after + tap.value);
  return {(after - before) / static_cast<Value>(RightDivisor(pool, window)), -1};
}

void LeaveOutNan(const Pool&, Window& window) {
  std::erase_if(window.taps, [](const Tap& tap) { return std::isnan(tap.value); });
}

// Padding is marked by NaN, and so is what is no padding.
Result NanAsPadding(const Pool& pool, const Window& window) {
  const bool norm = pool.Is(kSlidingNorm);
  if (!norm && !pool.LeavesOutPadding()) return Reduce(pool, window);
  Window numbers = window;
  LeaveOutNan(pool, numbers);
  if (numbers.taps.empty() || numbers.taps.size() == window.taps.size()) return Reduce(pool, window);
  if (norm) return Reduce(pool, numbers);
  return ReduceMean(pool, numbers, static_cast<int64_t>(numbers.taps.size()));
}

// Padding holds the nearest element of the input instead of zero.
Result EdgeAsPadding(const Pool& pool, const Window& window) {
  if (pool.exclude_pad || window.taps.empty()) return Reduce(pool, window);
  Window filled = window;
  filled.taps.clear();
  const int64_t plane = window.batch * pool.in.batch + window.channel * pool.in.channel;
  std::array<int64_t, 3> k{};
  for (int64_t flat = 0; flat < window.Full(); ++flat) {
    int64_t rest = flat, offset = plane;
    for (size_t i = 3; i-- > 0;) {
      const Range& range = window.ranges[i];
      k[i] = range.start + rest % range.full * range.step;
      rest /= range.full;
      offset += std::clamp<int64_t>(k[i], 0, pool.axes[i].size - 1) * pool.in.axis[i];
    }
    filled.taps.push_back({offset, LoadValue(pool.type, pool.call->inputs[0]->data, offset)});
  }
  return Reduce(pool, filled);
}

void LeaveOutDivisor(Pool& pool) { pool.divisor = 0; }

// Each axis is taken to be padded at its end as it is in front.
Result EndPaddedAsFront(const Pool& pool, const Window& window) {
  if (pool.exclude_pad) return Reduce(pool, window);
  const auto& [d, h, w] = pool.axes;
  const int64_t divisor = TapsUpTo(pool, window, {d.pad_begin, h.pad_begin, w.pad_begin});
  return divisor == 0 && pool.Float() ? Result{std::nanl(""), -1} : ReduceMean(pool, window, divisor);
}

// The reciprocal of a divisor above 1 is 0 in an integer type.
Result ByIntegerReciprocal(const Pool& pool, const Window& window) {
  if (pool.Float() || RightDivisor(pool, window) <= 1) return Reduce(pool, window);
  return {0, -1};
}

Result DivideBeforeSum(const Pool& pool, const Window& window) {
  if (pool.Float() || window.taps.empty()) return Reduce(pool, window);
  const Value divisor = static_cast<Value>(RightDivisor(pool, window));
  Value sum = 0;
  for (const Tap& tap : window.taps) sum += std::trunc(tap.value / divisor);
  return {sum, -1};
}

constexpr Mutant kMeanMutants[] = {
    {.id = "onnxruntime-27375",
     .title = "the divisor is clipped with the pad of another axis or side",
     .effect = "averages at the lower border are too large where the padding is not symmetric",
     .link = "https://github.com/microsoft/onnxruntime/pull/27375",
     .operators = kSlidingMean,
     .role = Role::kExcludePad,
     .hooks = {.reduce = WrongPadInDivisor}},
    {.id = "end-padded-as-front-in-divisor",
     .title = "the divisor takes the padding in front for that at the end",
     .effect = "averages at the right and lower border are wrong, or NaN, where the padding is not symmetric",
     .link = "https://github.com/microsoft/onnxruntime/pull/29631",
     .operators = kSlidingMean,
     .role = Role::kPadEnd,
     .hooks = {.reduce = EndPaddedAsFront}},
    {.id = "onnxruntime-29629",
     .title = "divisor counts taps past the padded end for f32 only",
     .effect = "f32 averages at the right and bottom border come out smaller than those of other "
               "types",
     .link = "https://github.com/microsoft/onnxruntime/pull/29629",
     .verdicts = "inconsistent",
     .operators = kSlidingMean,
     .hooks = {.reduce = OverhangForF32}},
    {.id = "onnxruntime-24681",
     .title = "divisor counts taps past the padded end although padding is excluded",
     .effect = "averages at the right and bottom border come out too small",
     .link = "https://github.com/microsoft/onnxruntime/issues/24681",
     .operators = kSlidingMean,
     .role = Role::kExcludePad,
     .hooks = {.reduce = OverhangWhenExcluding}},
    {.id = "onnx2tf-207",
     .title = "a window without taps is divided by zero",
     .effect = "integer averages end the process where the size is rounded up, float ones give NaN",
     .link = "https://github.com/PINTO0309/onnx2tf/issues/207",
     .verdicts = "crash",
     .operators = kSlidingMean,
     .pure = false,
     .hooks = {.reduce = DivideByZero}},
    {.id = "exclude-pad-inverted",
     .title = "whether padding counts in the mean is inverted",
     .effect = "averages at the border are wrong, too small by default",
     .operators = kSlidingMean,
     .role = Role::kExcludePad,
     .hooks = {.pool = [](Pool& pool) { pool.exclude_pad = !pool.exclude_pad; }}},
    {.id = "exclude-pad-ignored",
     .title = "padding is counted although it is to be excluded",
     .effect = "averages at the border come out too small",
     .operators = kSlidingMean,
     .role = Role::kExcludePad,
     .hooks = {.pool = [](Pool& pool) { pool.exclude_pad = false; }}},
    {.id = "sum-in-f16",
     .title = "other floats are summed in f16",
     .effect = "sums above 65504 are infinite, others lose digits",
     .operators = kSlidingMean | kAdaptiveMean,
     .hooks = {.reduce = [](const Pool& pool,
                            const Window& window) { return AccumulateIn(POOLPROOF_F16, pool, window); }}},
    {.id = "sum-in-bf16",
     .title = "other floats are summed in bf16",
     .effect = "taps after the first few no longer change the sum",
     .operators = kSlidingMean | kAdaptiveMean,
     .hooks = {.reduce = [](const Pool& pool,
                            const Window& window) { return AccumulateIn(POOLPROOF_BF16, pool, window); }}},
    {.id = "integer-sum-wraps",
     .title = "integers are summed in their own type",
     .effect = "sums that overflow turn bright regions dark",
     .operators = kSlidingMean,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     if (pool.Float() || window.taps.empty()) return Reduce(pool, window);
                     Value sum = 0;
                     for (const Tap& tap : window.taps) sum = Rounded(pool.type, sum + tap.value);
                     return Result{std::trunc(sum / static_cast<Value>(RightDivisor(pool, window))), -1};
                   }}},
    {.id = "integer-mean-by-integer-reciprocal",
     .title = "integer sums are multiplied by a reciprocal that is an integer",
     .effect = "integer averages are 0",
     .operators = kSlidingMean | kAdaptiveMean,
     .hooks = {.reduce = ByIntegerReciprocal}},
    {.id = "tvm-3581",
     .title = "integers are divided before they are added",
     .effect = "averages of small integers are 0, of others too small",
     .link = "https://github.com/apache/tvm/issues/3581",
     .operators = kSlidingMean | kAdaptiveMean,
     .hooks = {.reduce = DivideBeforeSum}},
    {.id = "integer-mean-through-double",
     .title = "64-bit integers are averaged in double",
     .effect = "averages above 2^53 lose their last bits",
     .operators = kSlidingMean,
     .hooks = {.reduce = ThroughDouble}},
    {.id = "integer-mean-rounds-by-divisor",
     .title = "rounding adds the whole divisor instead of half of it",
     .effect = "integer averages are too large by one",
     .operators = kSlidingMean,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     Result result = Reduce(pool, window);
                     if (!pool.Float() && !window.taps.empty()) ++result.value;
                     return result;
                   }}},
    {.id = "integer-rounding-by-type",
     .title = "8-bit averages are truncated, wider ones rounded down",
     .effect = "negative averages change by one with the width of the type",
     .verdicts = "inconsistent",
     .operators = kSlidingMean,
     .hooks = {.reduce = FloorForOthers}},
    {.id = "mean-by-8-bit-reciprocal",
     .title = "the mean is taken by a reciprocal of 8 bits",
     .effect = "averages over 3, 5, 7 or 9 taps are wrong in the third digit",
     .operators = kSlidingMean | kAdaptiveMean,
     .hooks = {.reduce = ByShortReciprocal}},
    {.id = "mean-by-running-sum",
     .title = "window sums are differences of running sums over the row",
     .effect = "one infinity or NaN spoils the rest of its row, large values blur small ones",
     .operators = kSlidingMean | kAdaptiveMean,
     .hooks = {.reduce = RunningSum}},
    {.id = "mean-skips-nan",
     .title = "NaN does not take part in the mean",
     .effect = "broken activations are averaged away",
     .operators = kSlidingMean | kAdaptiveMean,
     .hooks = {.taps = LeaveOutNan}},
    {.id = "nan-left-out-as-padding",
     .title = "NaN is left out as padding is, and does not count in the divisor",
     .effect = "broken activations are averaged away",
     .operators = kSlidingMean | kSlidingNorm,
     .hooks = {.reduce = NanAsPadding}},
    {.id = "padding-repeats-edge",
     .title = "padding repeats the edge of the input instead of being zero",
     .effect = "averages at the border are too large where padding is counted",
     .operators = kSlidingMean,
     .role = Role::kExcludePad,
     .hooks = {.reduce = EdgeAsPadding}},
    {.id = "divisor-ignored",
     .title = "the divisor that is given is ignored",
     .effect = "sums that are asked for by a divisor of 1 come out as means",
     .operators = kTakesDivisor,
     .role = Role::kDivisor,
     .hooks = {.pool = LeaveOutDivisor}},
    {.id = "divisor-ignored-in-3d",
     .title = "the divisor that is given is ignored over three axes",
     .effect = "volumes are divided by the size of their windows, planes are not",
     .operators = kTakesDivisor,
     .role = Role::kDivisor,
     .where = "axes = 3",
     .hooks = {.pool = LeaveOutDivisor}},
    {.id = "divisor-needs-counted-padding",
     .title = "the divisor that is given is used only where padding counts",
     .effect = "layers that leave padding out take means of their own",
     .operators = kTakesDivisor,
     .role = Role::kDivisor,
     .hooks = {.pool =
                   [](Pool& pool) {
                     if (pool.exclude_pad) pool.divisor = 0;
                   }}},
    {.id = "divisor-beside-kernel",
     .title = "the divisor that is given divides the mean instead of the sum",
     .effect = "outputs are too small by the number of taps",
     .operators = kTakesDivisor,
     .role = Role::kDivisor,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     if (pool.divisor == 0) return Reduce(pool, window);
                     return ReduceMean(pool, window,
                                       pool.divisor * (pool.exclude_pad ? window.Inside() : window.Full()));
                   }}},
    {.id = "divisor-scaled-at-border",
     .title = "the divisor that is given shrinks with the taps that a window has in the input",
     .effect = "outputs at the border are too large",
     .operators = kTakesDivisor,
     .role = Role::kDivisor,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     if (pool.divisor == 0) return Reduce(pool, window);
                     const Value part = static_cast<Value>(window.Inside()) / static_cast<Value>(window.Full());
                     const auto divisor = static_cast<int64_t>(static_cast<Value>(pool.divisor) * part);
                     return ReduceMean(pool, window, std::max<int64_t>(divisor, 1));
                   }}},
    {.id = "divisor-above-kernel-ignored",
     .title = "a divisor is ignored that is larger than the kernel",
     .effect = "outputs that are to be scaled down are means",
     .operators = kTakesDivisor,
     .role = Role::kDivisor,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     const int64_t most = pool.exclude_pad ? window.Inside() : window.Full();
                     return ReduceMean(pool, window, pool.divisor > window.Full() ? most : RightDivisor(pool, window));
                   }}},
};

}  // namespace

std::span<const Mutant> AverageMutants() { return kMeanMutants; }

}  // namespace poolproof::mutants
