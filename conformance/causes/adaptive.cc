// Mutants that divide an axis into the wrong adaptive cells.
#include <algorithm>
#include <cmath>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

void SetCell(const Axis& axis, int64_t start, int64_t end, Range& range) {
  range.start = start;
  range.full = std::max<int64_t>(end - start, 0);
  range.Clip(axis);
}

void FloatBounds(const Pool& pool, size_t i, int64_t at, Range& range) {
  const Axis& axis = pool.axes[i];
  const float scale = static_cast<float>(axis.size) / static_cast<float>(axis.out);
  const float start = std::floor(static_cast<float>(at) * scale);
  const float end = std::ceil(static_cast<float>(at + 1) * scale);
  SetCell(axis, static_cast<int64_t>(start), static_cast<int64_t>(end), range);
}

void FloorEnd(const Pool& pool, size_t i, int64_t at, Range& range) {
  const Axis& axis = pool.axes[i];
  const int64_t end = (at + 1) * axis.size / axis.out;
  SetCell(axis, range.start, std::max(end, range.start + 1), range);
}

void CeilStart(const Pool& pool, size_t i, int64_t at, Range& range) {
  const Axis& axis = pool.axes[i];
  const int64_t end = range.start + range.full;
  const int64_t start = (at * axis.size + axis.out - 1) / axis.out;
  SetCell(axis, std::min(start, end - 1), end, range);
}

// One stride and one kernel for all cells, as exporters to fixed pooling choose them.
void FixedCells(const Pool& pool, size_t i, int64_t at, Range& range) {
  const Axis& axis = pool.axes[i];
  const int64_t stride = axis.size / axis.out;
  const int64_t kernel = axis.size - (axis.out - 1) * stride;
  SetCell(axis, at * stride, at * stride + kernel, range);
}

Result DivideByLargestCell(const Pool& pool, const Window& window) {
  int64_t divisor = 1;
  for (const Axis& axis : pool.axes) divisor *= (axis.size + axis.out - 1) / axis.out;
  return ReduceMean(pool, window, divisor);
}

void SizesReversed(Asked& asked) {
  std::reverse(asked.sizes.value.begin(), asked.sizes.value.begin() + asked.sizes.size);
}

constexpr Mutant kCells[] = {
    {.id = "adaptive-bounds-in-float",
     .title = "the bounds of adaptive cells are computed in f32",
     .effect = "for some sizes a cell begins or ends one element off",
     .operators = kAdaptive,
     .hooks = {.range = FloatBounds}},
    {.id = "adaptive-end-rounded-down",
     .title = "the end of an adaptive cell is rounded down",
     .effect = "cells miss their last element where the sizes do not divide",
     .operators = kAdaptive,
     .hooks = {.range = FloorEnd}},
    {.id = "adaptive-start-rounded-up",
     .title = "the start of an adaptive cell is rounded up",
     .effect = "cells miss their first element where the sizes do not divide",
     .operators = kAdaptive,
     .hooks = {.range = CeilStart}},
    {.id = "adaptive-as-fixed",
     .title = "adaptive cells all have one size and one stride",
     .effect = "results are wrong where the output size does not divide the input's",
     .link = "https://github.com/pytorch/pytorch/issues/190064",
     .operators = kAdaptive,
     .hooks = {.range = FixedCells}},
    {.id = "adaptive-mean-by-largest-cell",
     .title = "adaptive means are divided by the size of the largest cell",
     .effect = "means of smaller cells come out too small",
     .operators = kAdaptiveMean,
     .hooks = {.reduce = DivideByLargestCell}},
    {.id = "adaptive-sizes-reversed",
     .title = "the output sizes are read in reverse order",
     .effect = "height and width of the output are exchanged",
     .operators = kAdaptive,
     .hooks = {.edit = SizesReversed}},
};

}  // namespace

std::span<const Mutant> AdaptiveMutants() { return kCells; }

}  // namespace poolproof::mutants
