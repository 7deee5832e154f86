// Mutants of the embARC MLI pooling functions.
#include <algorithm>
#include <cmath>

#include "conformance/cases/plain.h"
#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

bool ChannelsLast(const Pool& pool) { return pool.channels > 1 && pool.in.channel == 1; }

void LayoutAsChw(Pool& pool) {
  if (!ChannelsLast(pool)) return;
  const int64_t width = pool.axes[2].size;
  pool.in.channel = pool.axes[1].size * width;
  pool.in.axis = {pool.in.channel, width, 1};
}

// The 3x3 specialization with padding of its own handles one padded row and column, not two.
void OnePaddedRow(Pool& pool) {
  if (pool.axes[1].kernel != 3 || pool.axes[2].kernel != 3) return;
  for (size_t i = 1; i < 3; ++i) {
    pool.axes[i].pad_begin = std::min<int64_t>(pool.axes[i].pad_begin, 1);
  }
}

Result PaddingAsZero(const Pool& pool, const Window& window) {
  const Result result = ReduceMax(pool, window);
  return window.Inside() < window.Full() && result.value < 0 ? Result{0, result.tap} : result;
}

Result By8BitReciprocal(const Pool&, const Window& window) {
  const Value reciprocal = std::floor(256 / static_cast<Value>(window.Inside()));
  return {std::floor(SumOf(window) * reciprocal / 256), -1};
}

// Twice the sum kept in 16 bits: enough for fx8 windows of up to 128 taps, not for fx16.
Result SumIn16Bits(const Pool& pool, const Window& window) {
  const Value sum = std::clamp<Value>(SumOf(window), -32768, 32767);
  if (sum == SumOf(window)) return Reduce(pool, window);
  return {std::trunc(sum / static_cast<Value>(window.Inside())), -1};
}

Result UpForLargeKernels(const Pool& pool, const Window& window) {
  if (window.Inside() <= 4) return Reduce(pool, window);
  return {std::floor(SumOf(window) / static_cast<Value>(window.Inside()) + 0.5L), -1};
}

// The capacity as the function sees it where it does not look at it: never too small.
template <bool (*kLooksAway)(const Function&)>
void PretendRoom(const poolproof_call& call, State& state) {
  const std::optional<Asked> asked = ReadCall(call);
  if (asked && kLooksAway(*asked->function)) HideCapacity(call, 0, state);
}

bool IsChannelsLast(const Function& function) { return LayoutOf(function).ChannelsLast(); }
bool IsSpecialization(const Function& function) { return !IsUnrestricted(function); }

poolproof_status ForgetFracBits(const poolproof_call& call, poolproof_status status) {
  if (status == POOLPROOF_OK) call.outputs[0]->frac_bits = 0;
  return status;
}

constexpr std::string_view kMliLink = "https://github.com/foss-for-synopsys-dwc-arc-processors/embarc_mli";

constexpr Mutant kMliMutants[] = {
    {.id = "embarc-mli-krnpad",
     .title = "3x3 maximum pooling with padding 2 is computed as with padding 1",
     .effect = "the upper and left border are shifted by one",
     .link = kMliLink,
     .operators = kFixedPointMax,
     .role = Role::kPadBegin,
     .hooks = {.pool = OnePaddedRow}},
    {.id = "embarc-mli-hwc-capacity",
     .title = "HWC average pooling does not check the output's capacity",
     .effect = "an output buffer that is too small is written past its end",
     .link = kMliLink,
     .verdicts = "out-of-bounds wrongly-accepted",
     .operators = kFixedPointMean,
     .hooks = {.before_run = PretendRoom<IsChannelsLast>, .after_run = ShowCapacity<0>}},
    {.id = "mli-specialization-capacity",
     .title = "specializations do not check the output's capacity",
     .effect = "an output buffer that is too small is written past its end where the switch chose a specialization",
     .verdicts = "out-of-bounds wrongly-accepted",
     .operators = kFixedPoint,
     .explains = false,
     .hooks = {.before_run = PretendRoom<IsSpecialization>, .after_run = ShowCapacity<0>}},
    {.id = "mli-kernel-width-height-swapped",
     .title = "width and height of the kernel are exchanged",
     .effect = "shapes are wrong for kernels that are not square",
     .operators = kFixedPoint,
     .role = Role::kKernel,
     .hooks = {.edit = [](Asked& asked) { ReverseAxes(asked, Role::kKernel); }}},
    {.id = "mli-stride-width-height-swapped",
     .title = "width and height of the stride are exchanged",
     .effect = "shapes are wrong where the strides differ",
     .operators = kFixedPoint,
     .role = Role::kStride,
     .hooks = {.edit = [](Asked& asked) { ReverseAxes(asked, Role::kStride); }}},
    {.id = "mli-padding-top-bottom-swapped",
     .title = "the paddings at the top and at the bottom are exchanged",
     .effect = "the output is shifted by a row where the paddings differ",
     .operators = kFixedPoint,
     .role = Role::kPadBegin,
     .hooks = {.edit = [](Asked& asked) { Exchange(asked, Role::kPadBegin, Role::kPadEnd, 0); }}},
    {.id = "mli-padding-left-as-top",
     .title = "the paddings at the left and at the top are exchanged",
     .effect = "shape and border are wrong where they differ",
     .operators = kFixedPoint,
     .role = Role::kPadBegin,
     .hooks = {.edit = [](Asked& asked) { ReverseAxes(asked, Role::kPadBegin); }}},
    {.id = "mli-frac-bits-not-copied",
     .title = "frac_bits of the output is not set",
     .effect = "the next layer takes fixed-point numbers for integers",
     .operators = kFixedPoint,
     .hooks = {.after_infer = ForgetFracBits}},
    {.id = "mli-hwc-as-chw",
     .title = "HWC input is read as CHW",
     .effect = "channels and pixels are mixed up",
     .operators = kFixedPoint,
     .hooks = {.pool = LayoutAsChw}},
    {.id = "mli-padding-as-zero",
     .title = "padding takes part in the maximum as zero, as in a convolution",
     .effect = "negative data at the border come out as 0",
     .operators = kFixedPointMax,
     .role = Role::kPadBegin,
     .hooks = {.reduce = PaddingAsZero}},
    {.id = "mli-average-counts-padding",
     .title = "padding is counted in the divisor",
     .effect = "averages at the border come out too small",
     .operators = kFixedPointMean,
     .role = Role::kPadBegin,
     .hooks = {.reduce = [](const Pool& pool,
                            const Window& window) { return ReduceMean(pool, window, window.Full()); }}},
    {.id = "mli-average-8-bit-reciprocal",
     .title = "the mean is taken by a reciprocal of 8 bits",
     .effect = "averages over windows that are no power of two are too small",
     .operators = kFixedPointMean,
     .hooks = {.reduce = By8BitReciprocal}},
    {.id = "mli-average-sum-in-16-bits",
     .title = "the sum is kept in 16 bits",
     .effect = "averages of large fx16 values saturate too early",
     .operators = kFixedPointMean,
     .hooks = {.reduce = SumIn16Bits}},
    {.id = "mli-average-rounding-by-kernel",
     .title = "means of more than four points are rounded otherwise than those of fewer",
     .effect = "results change by one with the kernel size or at the border",
     .verdicts = "inconsistent",
     .operators = kFixedPointMean,
     .hooks = {.reduce = UpForLargeKernels}},
    {.id = "mli-fx16-saturates-at-8-bits",
     .title = "fx16 results are saturated to 8 bits",
     .effect = "fx16 outputs never exceed 127",
     .operators = kFixedPoint,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     Result result = Reduce(pool, window);
                     result.value = std::clamp<Value>(result.value, -128, 127);
                     return result;
                   }}},
};

}  // namespace

std::span<const Mutant> MliMutants() { return kMliMutants; }

}  // namespace poolproof::mutants
