// Mutants that are wrong in few calls only: next to a border of the valid ones, behind a number that a float does not
// hold, where a word is asked for. A suite whose calls keep away from these passes them.
#include <algorithm>
#include <cmath>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

// Dividing toward zero makes one position of a window that is larger than the padded input by less than a stride.
// Where sizes are rounded up, the documents make one of it as well.
void AcceptSlightlyLargeKernel(Asked& asked) {
  IntList* kernel = ListOf(asked, Role::kKernel);
  if (kernel == nullptr || KeepsSize(asked)) return;
  if (MeaningOf(asked, Role::kRounding).value_or(Meaning::kRoundDown) != Meaning::kRoundDown) return;
  for (int axis = 0; axis < std::min<int>(kernel->size, asked.SpatialRank()); ++axis) {
    const int64_t pads = AxisValue(asked, Role::kPadBegin, axis, 0) + AxisValue(asked, Role::kPadEnd, axis, 0);
    const int64_t size = SpatialSize(asked, axis) + (PadsCount(asked) ? pads : 0);
    const int64_t excess = EffectiveKernel(asked, axis) - size;
    const bool slight = excess > 0 && excess < AxisValue(asked, Role::kStride, axis, 1);
    if (slight && AxisValue(asked, Role::kDilation, axis, 1) == 1) (*kernel)[static_cast<size_t>(axis)] = size;
  }
}

// Positions are counted in f32.
poolproof_status CountInFloat(const poolproof_call& call, poolproof_status status) {
  if (status != POOLPROOF_OK) return status;
  const Pool pool = ReadPool(call);
  for (size_t i = pool.FirstAxis(); i < 3; ++i) {
    const Axis& axis = pool.axes[i];
    const int64_t span = axis.size + axis.pad_begin + axis.pad_end - (axis.kernel - 1) * axis.dilation - 1;
    const auto counted = static_cast<int64_t>(static_cast<float>(span) / static_cast<float>(axis.stride));
    for (size_t o = 0; o < call.output_count; ++o) {
      call.outputs[o]->dims[pool.DimensionOf(i)] += counted - span / axis.stride;
      Resize(call.outputs[o]);
    }
  }
  return status;
}

Result ClipInfinityWithoutPadding(const Pool& pool, const Window& window) {
  Result result = ReduceMax(pool, window);
  if (std::isinf(result.value)) result.value = std::copysign(-Lowest(pool.type), result.value);
  return result;
}

constexpr Mutant kBorders[] = {
    {.id = "accepts-kernel-beyond-by-less-than-stride",
     .title = "sizes are truncated toward zero: a kernel larger than the padded input by less than a stride is cut",
     .effect = "a model for larger images runs and gives other results than it was trained for",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit = AcceptSlightlyLargeKernel}},
    {.id = "count-through-float",
     .title = "positions are counted in f32",
     .effect = "outputs of more than 2^24 positions are one too large or too small",
     .operators = kSliding,
     .where = "any(size > 16777216)",
     .explains = false,
     .hooks = {.after_infer = CountInFloat}},
    {.id = "large-kernels-need-explicit-padding",
     .title = "kernels larger than 3 are refused where padding is automatic",
     .effect = "layers are refused for the size of their kernel",
     .verdicts = "wrongly-rejected",
     .operators = kSliding,
     .where = "any(kernel >= 4) and padding != explicit",
     .explains = false,
     .hooks = {.after_infer = [](const poolproof_call&, poolproof_status) -> poolproof_status {
       return POOLPROOF_INVALID_ARGUMENT;
     }}},
    {.id = "infinity-clipped-without-padding",
     .title = "infinity is clipped to the largest finite value where no padding is asked for",
     .effect = "an overflow earlier in the network is hidden from layers that have no padding",
     .operators = kSlidingMax,
     .where = "not is_mean and padding = valid",
     .explains = false,
     .hooks = {.reduce = ClipInfinityWithoutPadding}},
};

}  // namespace

std::span<const Mutant> BorderMutants() { return kBorders; }

}  // namespace poolproof::mutants
