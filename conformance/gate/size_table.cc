#include "conformance/gate/size_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "conformance/cases/geometry.h"

namespace poolproof {
namespace {

enum Quantity { kWidth, kHeight, kDepth, kChannels, kBatch, kKernel, kStride, kDilation, kTaps, kOutputs, kElements };
constexpr std::string_view kNames[] = {"width",  "height",   "depth", "channels", "batch",   "kernel",
                                       "stride", "dilation", "taps",  "outputs",  "elements"};

int64_t LargestOf(const Problem& problem, Role role) {
  int64_t largest = 0;
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    largest = std::max(largest, AxisValue(problem, role, axis, 0));
  }
  return largest;
}

// Taps of the largest cell of an adaptive operator, otherwise of the kernel.
int64_t TapsOf(const Problem& problem) {
  int64_t taps = 1;
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    const auto i = static_cast<size_t>(axis);
    const int64_t size = SpatialSize(problem, axis);
    const bool cell = i < problem.sizes.size && problem.sizes[i] > 0;
    taps *= cell ? (size + problem.sizes[i] - 1) / problem.sizes[i] : AxisValue(problem, Role::kKernel, axis, 1);
  }
  return taps;
}

}  // namespace

void SizeTable::Count(size_t quantity, int64_t value) {
  if (value > 0) ++counts_[static_cast<size_t>(std::bit_width(static_cast<uint64_t>(value)))][quantity];
}

void SizeTable::Add(const Problem& problem, const Result& result) {
  const int axes = problem.SpatialRank();
  if (axes < 1 || axes > 3) return;  // of an invalid call
  const Layout layout = LayoutOf(*problem.function);
  for (int axis = 0; axis < axes; ++axis) {
    Count(static_cast<size_t>(axes - 1 - axis), SpatialSize(problem, axis));
  }
  // An invalid call may have a shape that is too short for them.
  const auto size_at = [&](int place) {
    return place >= 0 && place < problem.shape.size ? problem.shape[static_cast<size_t>(place)] : 0;
  };
  Count(kChannels, size_at(layout.channels));
  Count(kBatch, size_at(layout.batch));
  Count(kKernel, LargestOf(problem, Role::kKernel));
  Count(kStride, LargestOf(problem, Role::kStride));
  Count(kDilation, LargestOf(problem, Role::kDilation));
  Count(kTaps, TapsOf(problem));
  Count(kElements, problem.Elements());
  if (result.status != POOLPROOF_OK) return;
  const poolproof_tensor& out = result.outputs[0];
  Count(kOutputs, static_cast<int64_t>(out.size_bytes / ElementSize(out.element_type)));
}

std::string SizeTable::Text() const {
  std::string text = fmt::format("{:>20}", "size");
  for (const std::string_view name : kNames) text += fmt::format("{:>10}", name);
  text += "\n";
  for (size_t c = 1; c < kClasses; ++c) {
    const auto& row = counts_[c];
    if (std::all_of(row.begin(), row.end(), [](uint64_t count) { return count == 0; })) continue;
    const uint64_t first = uint64_t{1} << (c - 1);
    text += fmt::format("{:>20}", first == 1 ? "1" : fmt::format("{} to {}", first, 2 * first - 1));
    for (const uint64_t count : row) text += fmt::format("{:>10}", count);
    text += "\n";
  }
  return text;
}

}  // namespace poolproof
