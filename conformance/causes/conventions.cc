// Mutants that follow another convention than the document: how lists are written, what a default is, in which order
// positions count, what a norm is of.
#include <algorithm>
#include <cmath>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

// Begin and end of each axis in turn, where the document has all begins in front of all ends.
void ReadPadsInPairs(Asked& asked) {
  IntList *const begin = ListOf(asked, Role::kPadBegin), *const end = ListOf(asked, Role::kPadEnd);
  if (begin == nullptr || end == nullptr || begin->size != end->size) return;
  IntList all = *begin;
  for (const int64_t pad : *end) all.push_back(pad);
  for (size_t i = 0; i < begin->size; ++i) {
    (*begin)[i] = all[2 * i];
    (*end)[i] = all[2 * i + 1];
  }
}

void StrideIsKernelByDefault(Asked& asked) {
  if (ListOf(asked, Role::kStride) != nullptr) return;
  for (int axis = 0; axis < asked.SpatialRank(); ++axis) {
    SetAxisValue(&asked, Role::kStride, axis, AxisValue(asked, Role::kKernel, axis, 1));
  }
}

// Padding to the size of the input is chosen as if the kernel were dense; then it counts as if it had been given, in
// sizes that are truncated toward zero.
void SameWithoutDilation(Asked& asked) {
  if (!KeepsSize(asked)) return;
  const bool front = MeaningOf(asked, Role::kAutoPad) == Meaning::kPadMoreInFront;
  for (int axis = 0; axis < asked.SpatialRank(); ++axis) {
    const int64_t size = SpatialSize(asked, axis),
                  stride = std::max<int64_t>(AxisValue(asked, Role::kStride, axis, 1), 1);
    const int64_t reached = (size - 1) / stride * stride + AxisValue(asked, Role::kKernel, axis, 1);
    const int64_t total = std::max<int64_t>(0, reached - size), begin = (total + (front ? 1 : 0)) / 2;
    const int64_t lacks = EffectiveKernel(asked, axis) - size - total;
    SetAxisValue(&asked, Role::kPadBegin, axis, begin);
    SetAxisValue(&asked, Role::kPadEnd, axis, total - begin + (lacks > 0 && lacks < stride ? lacks : 0));
  }
  SetMeaning(&asked, Meaning::kPadAsGiven);
}

// Rounds up what was rounded up before.
poolproof_status RoundUpTwice(const poolproof_call& call, poolproof_status status) {
  if (status != POOLPROOF_OK) return status;
  const Pool pool = ReadPool(call);
  if (pool.rounding != Meaning::kRoundUp && pool.rounding != Meaning::kRoundUpInside) return status;
  for (size_t i = pool.FirstAxis(); i < 3; ++i) {
    const Axis& axis = pool.axes[i];
    const int64_t span = axis.size + axis.pad_begin + axis.pad_end - (axis.kernel - 1) * axis.dilation - 1;
    if (span % axis.stride < 2) continue;
    for (size_t o = 0; o < call.output_count; ++o) {
      call.outputs[o]->dims[pool.DimensionOf(i)] += 1;
      Resize(call.outputs[o]);
    }
  }
  return status;
}

// A check that no document has and that forgets the dilation: padding is below the kernel, also where it does not
// count.
poolproof_status PadsBelowDenseKernel(const poolproof_call& call, poolproof_status status) {
  const std::optional<Asked> asked = ReadCall(call);
  if (status != POOLPROOF_OK || !asked) return status;
  for (int axis = 0; axis < asked->SpatialRank(); ++axis) {
    const int64_t kernel = AxisValue(*asked, Role::kKernel, axis, 1);
    const int64_t pad =
        std::max(AxisValue(*asked, Role::kPadBegin, axis, 0), AxisValue(*asked, Role::kPadEnd, axis, 0));
    if (pad >= kernel) return POOLPROOF_INVALID_ARGUMENT;
  }
  return status;
}

// A check that few documents have: where padding counts, it is at most half the kernel.
poolproof_status PadsWithinHalfKernel(const poolproof_call& call, poolproof_status status) {
  const std::optional<Asked> asked = ReadCall(call);
  if (status != POOLPROOF_OK || !asked || !PadsCount(*asked)) return status;
  for (int axis = 0; axis < asked->SpatialRank(); ++axis) {
    const int64_t half = AxisValue(*asked, Role::kKernel, axis, 1) / 2;
    const bool within =
        AxisValue(*asked, Role::kPadBegin, axis, 0) <= half && AxisValue(*asked, Role::kPadEnd, axis, 0) <= half;
    if (!within) return POOLPROOF_INVALID_ARGUMENT;
  }
  return status;
}

// A check that the document does not have: rounded up, one window may start in the input and end behind all padding.
poolproof_status KernelWithinPadding(const poolproof_call& call, poolproof_status status) {
  if (status != POOLPROOF_OK) return status;
  const Pool pool = ReadPool(call);
  const bool within = std::all_of(pool.axes.begin(), pool.axes.end(), [](const Axis& axis) {
    return (axis.kernel - 1) * axis.dilation < axis.size + axis.pad_begin + axis.pad_end;
  });
  return within ? status : POOLPROOF_INVALID_ARGUMENT;
}

// Windows that are planes have the first element of the last axis alone.
void LeaveOutLastAxis(const Pool& pool, size_t axis, int64_t, Range& range) {
  if (axis == 2 && pool.whole_planes) range.end = range.full = 1;
}

Value SumOfPowers(const Pool& pool, const Window& window) {
  Value sum = 0;
  for (const Tap& tap : window.taps) sum += PowerIn(pool, tap.value);
  return sum;
}

Result NormWithoutModulus(const Pool& pool, const Window& window) {
  Value sum = 0;
  for (const Tap& tap : window.taps) sum += PowerOf(tap.value, pool.power);
  return {std::pow(sum, 1 / static_cast<Value>(pool.power)), -1};
}

Result NormWithoutRoot(const Pool& pool, const Window& window) { return {SumOfPowers(pool, window), -1}; }

// The mean of the powers, not their sum.
Result NormOfMean(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return {0, -1};
  return {RootIn(pool, SumOfPowers(pool, window) / static_cast<Value>(window.taps.size())), -1};
}

// A sum of elements is taken for one of magnitudes.
Result SumOfMagnitudes(const Pool& pool, const Window& window) {
  if (pool.power != 1) return Reduce(pool, window);
  Value sum = 0;
  for (const Tap& tap : window.taps) sum += std::fabs(tap.value);
  return {sum, -1};
}

Result NegativeSumsAsZero(const Pool& pool, const Window& window) {
  const Result right = Reduce(pool, window);
  return {right.value < 0 ? 0 : right.value, -1};
}

// The exponent of the root has 8 bits.
Result ExponentInBf16(const Pool& pool, const Window& window) {
  const Value right = Reduce(pool, window).value, power = static_cast<Value>(pool.power);
  const Value ratio = Rounded(POOLPROOF_BF16, 1 / power) * power;
  return {std::copysign(std::pow(std::fabs(right), ratio), right), -1};
}

constexpr Mutant kConventions[] = {
    {.id = "pads-read-in-pairs",
     .title = "pads are read as begin and end of each axis in turn",
     .effect = "padding lands on other axes and sides where it is not the same everywhere",
     .verdicts = "fail wrongly-rejected wrongly-accepted",
     .operators = kSliding,
     .role = Role::kPadBegin,
     .hooks = {.edit = ReadPadsInPairs}},
    {.id = "strides-default-to-kernel",
     .title = "strides that are not given are those of the kernel",
     .effect = "the output is kernel times smaller where the call relies on the default",
     .operators = kSliding,
     .role = Role::kStride,
     .hooks = {.edit = StrideIsKernelByDefault}},
    {.id = "same-without-dilation",
     .title = "padding to the size of the input is chosen without the dilation",
     .effect = "outputs of dilated kernels are smaller than the input",
     .verdicts = "fail wrongly-rejected",
     .operators = kDilates,
     .role = Role::kAutoPad,
     .where = "keeps_size and any(dilation >= 2)",
     .hooks = {.edit = SameWithoutDilation,
               .readings =
                   [](reference::Readings& readings) {
                     readings[reference::Entry::kOnnxNoWindow] =
                         static_cast<uint8_t>(reference::OnnxNoWindow::kEmptyOutput);
                   }}},
    {.id = "rounded-up-twice",
     .title = "sizes are rounded up twice",
     .effect = "the output has one row and column too many where the remainder is above 1",
     .operators = kSliding,
     .role = Role::kRounding,
     .hooks = {.after_infer = RoundUpTwice}},
    {.id = "rejects-pads-from-kernel-on",
     .title = "padding is refused that is not below the kernel, its dilation not counted",
     .effect = "layers with dilation and the padding that keeps their size are refused",
     .verdicts = "wrongly-rejected",
     .operators = kSliding,
     .role = Role::kPadBegin,
     .hooks = {.after_infer = PadsBelowDenseKernel}},
    {.id = "pytorch-3298",
     .title = "padding above half the kernel is refused",
     .effect = "layers with dilation and the padding that keeps their size are refused, others with much padding too",
     .link = "https://github.com/pytorch/pytorch/issues/3298",
     .verdicts = "wrongly-rejected",
     .operators = kSliding,
     .role = Role::kPadBegin,
     .hooks = {.after_infer = PadsWithinHalfKernel}},
    {.id = "rejects-kernel-beyond-padding",
     .title = "a kernel larger than the padded input is refused although the size is rounded up to one window",
     .effect = "models for larger images do not load for small ones",
     .verdicts = "wrongly-rejected",
     .operators = kSliding,
     .role = Role::kRounding,
     .hooks = {.after_infer = KernelWithinPadding}},
    {.id = "storage-order-ignored",
     .title = "positions are row major although column major is asked for",
     .effect = "unpooling puts values elsewhere",
     .operators = kStoresOrders,
     .role = Role::kStorageOrder,
     .hooks = {.edit =
                   [](Asked& asked) {
                     Replace(asked, Role::kStorageOrder, Meaning::kColumnMajor, Meaning::kRowMajor);
                   }}},
    {.id = "whole-plane-without-last-axis",
     .title = "pooling of whole planes leaves out the last axis",
     .effect = "only the first column of each plane counts",
     .operators = kPlainMax | kSlidingMean | kSlidingNorm,
     .hooks = {.range = LeaveOutLastAxis}},
    {.id = "norm-without-modulus",
     .title = "powers of a norm are of the elements, not of their magnitudes",
     .effect = "norms of an odd power are too small, or NaN, where elements are negative",
     .operators = kSlidingNorm,
     .role = Role::kPower,
     .hooks = {.reduce = NormWithoutModulus}},
    {.id = "norm-without-root",
     .title = "a norm is the sum of the powers, without the root",
     .effect = "outputs are powers of what they should be",
     .operators = kSlidingNorm,
     .role = Role::kPower,
     .hooks = {.reduce = NormWithoutRoot}},
    {.id = "norm-of-mean",
     .title = "a norm is the root of the mean of the powers",
     .effect = "outputs are too small by the root of the number of taps",
     .operators = kSlidingNorm,
     .role = Role::kPower,
     .hooks = {.reduce = NormOfMean}},
    {.id = "power-ignored",
     .title = "the power of a norm is 2, whichever is asked for",
     .effect = "other norms than that of Euclid are wrong",
     .operators = kSlidingNorm,
     .role = Role::kPower,
     .hooks = {.pool = [](Pool& pool) { pool.power = 2; }}},
    {.id = "power-ignored-in-3d",
     .title = "the power of a norm over three axes is 2, whichever is asked for",
     .effect = "norms of volumes are those of Euclid, norms of planes are right",
     .operators = kSlidingNorm,
     .role = Role::kPower,
     .where = "axes = 3",
     .hooks = {.pool = [](Pool& pool) { pool.power = 2; }}},
    {.id = "sum-of-magnitudes",
     .title = "sum pooling, the norm of power 1, adds magnitudes",
     .effect = "positive and negative elements no longer cancel",
     .operators = kKeepsSigns,
     .role = Role::kPower,
     .hooks = {.reduce = SumOfMagnitudes}},
    {.id = "negative-sum-of-powers-as-zero",
     .title = "a sum of powers below 0 counts as 0",
     .effect = "windows of negative elements give 0 where the power is odd",
     .operators = kKeepsSigns,
     .role = Role::kPower,
     .hooks = {.reduce = NegativeSumsAsZero}},
    {.id = "root-by-8-bit-exponent",
     .title = "the exponent of the root of a norm has 8 bits",
     .effect = "norms of powers that are no power of two are wrong in the third digit",
     .operators = kSlidingNorm,
     .role = Role::kPower,
     .hooks = {.reduce = ExponentInBf16}},
    {.id = "norm-rounds-down",
     .title = "sizes of norms are rounded down although they are to be rounded up",
     .effect = "the last row and column are lost",
     .operators = kSlidingNorm,
     .role = Role::kRounding,
     .hooks =
         {.edit = [](Asked& asked) { Replace(asked, Role::kRounding, Meaning::kRoundUpInside, Meaning::kRoundDown); }}},
    {.id = "norm-scaled-at-border",
     .title = "the norm of a window that passes the end is scaled up to that of a whole window",
     .effect = "sums at the right and bottom border are too large where the size is rounded up",
     .verdicts = "deviates",
     .operators = kKeepsSigns,
     .hooks = {.readings =
                   [](reference::Readings& readings) {
                     readings[reference::Entry::kTorchLpOverhang] =
                         static_cast<uint8_t>(reference::TorchLpOverhang::kScaled);
                   }}},
};

}  // namespace

std::span<const Mutant> ConventionMutants() { return kConventions; }

}  // namespace poolproof::mutants
