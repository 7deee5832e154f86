// Mutants of libraries with a kernel for each device, layout and number of axes: defaults of another library, checks
// that one kernel has and another has not, indices that only a faster kernel gets wrong.
#include <algorithm>
#include <cmath>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

void StrideIsOneByDefault(Asked& asked) {
  const std::optional<size_t> stride = AttributeIndex(*asked.spec, Role::kStride);
  if (!stride || asked.attributes[*stride].present) return;
  for (int axis = 0; axis < asked.SpatialRank(); ++axis) SetAxisValue(&asked, Role::kStride, axis, 1);
}

void LeaveOutPaddingByDefault(Asked& asked) {
  const std::optional<size_t> excludes = AttributeIndex(*asked.spec, Role::kExcludePad);
  if (excludes && !asked.attributes[*excludes].present) SetExcludesPadding(&asked, true);
}

// One number is kept for all axes.
void StrideIsFirstOfKernelByDefault(Asked& asked) {
  const std::optional<size_t> stride = AttributeIndex(*asked.spec, Role::kStride);
  if (!stride || asked.attributes[*stride].present || !asked.spec->attributes[*stride].default_is_kernel) return;
  const int64_t first = AxisValue(asked, Role::kKernel, 0, 1);
  for (int axis = 0; axis < asked.SpatialRank(); ++axis) SetAxisValue(&asked, Role::kStride, axis, first);
}

// Padding of a mean counts, whatever the call says.
void CountPadding(Pool& pool) { pool.exclude_pad = false; }

// The channel is the last dimension of the outputs in memory.
void WriteChannelsLast(Pool& pool) {
  const auto& [d, h, w] = pool.axes;
  const int64_t channels = pool.channels;
  pool.out = {d.out * h.out * w.out * channels, 1, {h.out * w.out * channels, w.out * channels, channels}};
}

void ReadChannelsLast(Pool& pool) {
  const auto& [d, h, w] = pool.axes;
  pool.in = {pool.in.batch, 1, {h.size * w.size * pool.channels, w.size * pool.channels, pool.channels}};
}

void DenseWindows(Pool& pool) {
  for (Axis& axis : pool.axes) axis.dilation = 1;
}

void WholeDepth(const Pool& pool, size_t axis, int64_t, Range& range) {
  if (axis != 0) return;
  range.start = 0;
  range.full = pool.axes[0].size;
  range.Clip(pool.axes[0]);
}

// Taps past the padded end count over three axes, and over fewer they do not.
Result OverhangIn3d(const Pool& pool, const Window& window) {
  if (!pool.CountsPadding() || pool.spatial_rank == 3) return Reduce(pool, window);
  return ReduceMean(pool, window, window.Padded());
}

// The last of several NaN over three axes, the first over fewer.
Result LastNanIn3d(const Pool& pool, const Window& window) {
  Result result = Reduce(pool, window);
  if (pool.spatial_rank < 3 || !std::isnan(result.value)) return result;
  for (const Tap& tap : window.taps) {
    if (std::isnan(tap.value)) result = {tap.value, tap.offset};
  }
  return result;
}

int64_t WithoutDepth(const Pool& pool, const Window&, const Result&, int64_t right) {
  return right % std::max<int64_t>(pool.in.axis[0], 1);
}

// Refuses a call in which one of the axes is so.
template <typename Condition>
poolproof_status RefuseAxis(const poolproof_call& call, poolproof_status status, Condition condition) {
  if (status != POOLPROOF_OK) return status;
  const Pool pool = ReadPool(call);
  const bool refused = std::any_of(pool.axes.begin(), pool.axes.end(), condition);
  return refused ? POOLPROOF_INVALID_ARGUMENT : status;
}

poolproof_status KernelWithinInput(const poolproof_call& call, poolproof_status status) {
  return RefuseAxis(call, status, [](const Axis& axis) { return axis.kernel > axis.size; });
}

poolproof_status PadsBelowHalf(const poolproof_call& call, poolproof_status status) {
  return RefuseAxis(call, status,
                    [](const Axis& axis) { return axis.pad_begin > 0 && axis.pad_begin * 2 == axis.kernel; });
}

poolproof_status SizesDivide(const poolproof_call& call, poolproof_status status) {
  return RefuseAxis(call, status, [](const Axis& axis) {
    return axis.out > 0 && axis.size % axis.out != 0 && axis.out % std::max<int64_t>(axis.size, 1) != 0;
  });
}

// Positions are counted in the type of the elements.
poolproof_status CountIn8Bits(const poolproof_call& call, poolproof_status status) {
  if (status != POOLPROOF_OK) return status;
  const Pool pool = ReadPool(call);
  const auto& [d, h, w] = pool.axes;
  const int64_t most = IsSigned(pool.type) ? 127 : 255;
  return d.size * h.size * w.size > most ? POOLPROOF_INVALID_ARGUMENT : status;
}

bool IsLowest(const Pool& pool, const Result& result) {
  return result.tap >= 0 &&
         (pool.Float() ? std::isinf(result.value) && result.value < 0 : result.value == Lowest(pool.type));
}

// Nothing is above the value that the search starts with, so that the index is still that of the start.
int64_t StartOfSearch(const Pool& pool, const Window&, const Result& result, int64_t right) {
  return IsLowest(pool, result) ? 0 : right;
}

int64_t StartOfSearchInFirstPlane(const Pool& pool, const Window&, const Result& result, int64_t right) {
  return IsLowest(pool, result) ? right % std::max<int64_t>(pool.in.axis[0], 1) : right;
}

// Padding is as good as the elements.
int64_t FirstTap(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  const bool padded = std::ranges::any_of(window.ranges, [](const Range& range) { return range.start < 0; });
  if (!padded || !IsLowest(pool, result)) return right;
  int64_t index = 0;
  for (size_t i = 0; i < 3; ++i) index += window.ranges[i].start * pool.in.axis[i];
  return index;
}

// A window of padding alone: where the first of its taps would be that is not in front of the input.
int64_t FirstTapBehindPadding(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (result.tap >= 0) return right;
  int64_t index = 0;
  for (size_t i = 0; i < 3; ++i) {
    const Range& range = window.ranges[i];
    const int64_t steps = range.start < 0 ? (range.step - 1 - range.start) / range.step : 0;
    index += (range.start + steps * range.step) * pool.in.axis[i];
  }
  return index;
}

int64_t IndexInElementType(const Pool& pool, const Window&, const Result&, int64_t right) {
  const bool narrow = pool.Float() && Bits(pool.type) == 16;
  const Value rounded = narrow ? Rounded(pool.type, static_cast<Value>(right)) : static_cast<Value>(right);
  return std::isfinite(rounded) ? static_cast<int64_t>(rounded) : right;
}

// One channel has the same layout first and last: what only the kernel for channels last gets wrong needs two.
constexpr Mutant kDevices[] = {
    {.id = "xla-8814",
     .title = "strides that are not given are 1, not those of the kernel",
     .effect = "the output is nearly as large as the input where the call relies on the default",
     .link = "https://github.com/pytorch/xla/pull/8814",
     .operators = kSliding,
     .role = Role::kStride,
     .hooks = {.edit = StrideIsOneByDefault}},
    {.id = "padding-left-out-by-default",
     .title = "padding does not count in the mean where the call does not say it",
     .effect = "averages at the border are too large for models that rely on the default",
     .operators = kSlidingMean,
     .role = Role::kExcludePad,
     .hooks = {.edit = LeaveOutPaddingByDefault}},
    {.id = "padding-counts-in-3d",
     .title = "padding counts in the mean over three axes although it is to be left out",
     .effect = "averages at the border of volumes come out too small, those of planes do not",
     .operators = kSlidingMean,
     .role = Role::kExcludePad,
     .where = "axes = 3",
     .hooks = {.pool = CountPadding}},
    {.id = "pytorch-67239",
     .title = "outputs are written with the channels last into memory that has them first",
     .effect = "values and indices land in other channels and places",
     .link = "https://github.com/pytorch/pytorch/issues/67239",
     .operators = kSliding | kAdaptive,
     .hooks = {.pool = WriteChannelsLast}},
    {.id = "rejects-kernel-beyond-input-in-3d",
     .title = "a kernel larger than the input without its padding is refused over three axes",
     .effect = "layers over volumes are refused that planes accept",
     .verdicts = "wrongly-rejected",
     .operators = kSlidingMean | kSlidingNorm,
     .where = "axes = 3",
     .hooks = {.after_infer = KernelWithinInput}},
    {.id = "pytorch-96056",
     .title = "adaptive output sizes are refused that neither divide the input's nor are multiples of it",
     .effect = "models run for some sizes of images alone",
     .link = "https://github.com/pytorch/pytorch/issues/96056",
     .verdicts = "wrongly-rejected",
     .operators = kAdaptive,
     .hooks = {.after_infer = SizesDivide}},
    {.id = "rejects-8-bit-planes-beyond-127",
     .title = "planes of more elements than their type of 8 bits can count are refused",
     .effect = "quantized images of more than 11 by 11 pixels are refused",
     .link = "https://github.com/pytorch/executorch/pull/21820",
     .verdicts = "wrongly-rejected",
     .operators = kSlidingMax,
     .where = "bits = 8 and axes >= 2",
     .hooks = {.after_infer = CountIn8Bits}},
    {.id = "index-of-lowest-is-zero",
     .title = "the index of a window of the lowest value alone is 0",
     .effect = "unpooling puts the maxima of several windows into the first element",
     .operators = kIndices,
     .hooks = {.index = StartOfSearch}},
    {.id = "index-of-lowest-in-first-plane",
     .title = "the index of a window of the lowest value alone ignores the outermost of three axes",
     .effect = "unpooling puts such maxima into the first plane of a volume",
     .operators = kIndices,
     .where = "axes = 3 and channels >= 2",
     .hooks = {.index = StartOfSearchInFirstPlane}},
    {.id = "index-of-lowest-in-padding",
     .title = "the index of a window of the lowest value alone is that of its first tap, also where that is padding",
     .effect = "unpooling is given a negative position",
     .operators = kIndexedMax,
     .role = Role::kPadBegin,
     .hooks = {.index = FirstTap}},
    {.id = "pytorch-94775",
     .title = "the index of a window of padding alone is where its first tap would be behind the padding in front",
     .effect = "unpooling is given a position outside of the plane",
     .link = "https://github.com/pytorch/pytorch/issues/94775",
     .operators = kIndexedMax,
     .role = Role::kPadBegin,
     .hooks = {.index = FirstTapBehindPadding}},
    {.id = "index-through-element-type",
     .title = "indices pass through the 16-bit type of the elements",
     .effect = "indices above 256 in bf16, or 2048 in f16, are those of a neighbour",
     .operators = kIndices,
     .hooks = {.index = IndexInElementType}},
    {.id = "stride-default-of-first-axis",
     .title = "strides that are not given are the kernel's first size, on every axis",
     .effect = "kernels that are not square pool at wrong distances",
     .operators = kSliding,
     .role = Role::kStride,
     .hooks = {.edit = StrideIsFirstOfKernelByDefault}},
    {.id = "rejects-padding-of-half",
     .title = "padding of exactly half the kernel is refused",
     .effect = "layers with an even kernel and the most padding are refused",
     .verdicts = "wrongly-rejected",
     .operators = kSliding,
     .role = Role::kPadBegin,
     .hooks = {.after_infer = PadsBelowHalf}},
    {.id = "dilation-ignored-in-3d",
     .title = "windows over three axes are dense, whatever the dilation",
     .effect = "maxima of volumes are of neighbours, those of planes are right",
     .operators = kDilates,
     .role = Role::kDilation,
     .where = "axes = 3",
     .hooks = {.pool = DenseWindows}},
    {.id = "rounds-down-in-1d",
     .title = "sizes along one axis are rounded down although they are to be rounded up",
     .effect = "the last output of a sequence is lost",
     .operators = kRoundsUpInside,
     .role = Role::kRounding,
     .where = "axes = 1",
     .hooks =
         {.edit = [](Asked& asked) { Replace(asked, Role::kRounding, Meaning::kRoundUpInside, Meaning::kRoundDown); }}},
    {.id = "overhang-counted-in-3d",
     .title = "divisor counts taps past the padded end over three axes only",
     .effect = "averages at the far border of volumes come out smaller than those of planes",
     .verdicts = "inconsistent",
     .operators = kSlidingMean,
     .hooks = {.reduce = OverhangIn3d}},
    {.id = "nan-index-last-in-3d",
     .title = "the index of several NaN is that of the last over three axes, of the first over fewer",
     .effect = "models give other indices for volumes than for planes",
     .verdicts = "inconsistent",
     .operators = kIndices,
     .hooks = {.reduce = LastNanIn3d}},
    {.id = "reads-channels-last",
     .title = "inputs that have the channels first are read as if these were last",
     .effect = "channels are mixed",
     .operators = kSliding | kAdaptive,
     .where = "channels >= 2",
     .hooks = {.pool = ReadChannelsLast}},
    {.id = "adaptive-whole-depth",
     .title = "cells over three axes reach over the whole depth",
     .effect = "all slices of an output are the same",
     .operators = kAdaptive,
     .where = "axes = 3",
     .hooks = {.range = WholeDepth}},
    {.id = "index-without-depth",
     .title = "indices over three axes leave out the depth",
     .effect = "unpooling puts every maximum of a volume into its first plane",
     .operators = kIndices,
     .where = "axes = 3",
     .hooks = {.index = WithoutDepth}},
};

}  // namespace

std::span<const Mutant> DeviceMutants() { return kDevices; }

}  // namespace poolproof::mutants
