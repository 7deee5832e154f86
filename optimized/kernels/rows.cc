#include "optimized/kernels/rows.h"

#include <algorithm>
#include <limits>

#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

// Whether positions fit, in lanes and in rows.
bool HasNearPositions(const Plan& plan) {
  const Axis &high = plan.axis[1], &wide = plan.axis[2];
  if (plan.inner != 1 || plan.index_bound < plan.InPlane()) return false;
  if (plan.InPlane() > std::numeric_limits<int32_t>::max()) return false;
  const int64_t lane = std::max<int64_t>(2, static_cast<int64_t>(BytesOf(plan.type)));
  // In lanes of 16 bits they count from the begin of a window.
  const int64_t farthest = (high.Reach() + 2) * wide.in + wide.Reach() + 2 * kMaxLanes;
  if (lane == 2 && (!plan.IsFlat() || farthest > std::numeric_limits<int16_t>::max())) return false;
  return plan.IsFlat() || HasLongRows(plan);
}

}  // namespace

RowShape::RowShape(const Plan& plan, int64_t vector, bool cells) {
  const Axis& w = plan.axis[2];
  inner = plan.inner;
  in_lanes = w.in * inner;
  out_lanes = w.out * inner;
  taps = w.kernel;
  // With a single window the stride is of no consequence.
  stride = w.out == 1 ? 1 : w.stride;
  step = w.dilation * inner;
  cells |= w.adaptive || (stride > 1 && inner > 1);
  left = cells ? 0 : w.pad * inner;
  horizontal = cells         ? Horizontal::kCells
               : stride == 1 ? Horizontal::kShift
               : stride == 2 ? Horizontal::kSplit
                             : Horizontal::kPhases;
  const int64_t reach = cells ? 0 : ((w.out - 1) * stride + w.Reach() + 1) * inner;
  const int64_t places = std::max(left + in_lanes, reach);  // that data or windows have
  if (horizontal == Horizontal::kSplit) {
    origin = RoundUp(left / 2, vector) - left / 2;
    odd = origin + RoundUp(places / 2 + 1 + vector, vector);
    length = 2 * odd;
  } else {
    origin = RoundUp(left, vector) - left;
    odd = 0;
    length = origin + RoundUp(places + vector * (cells ? 1 : 2 * stride), vector);
  }
  phase_length = horizontal == Horizontal::kPhases ? RoundUp(length / stride + 2, vector) + vector : 0;
}

void FillHeightWindows(const Axis& axis, HeightWindow* windows) {
  for (int64_t h = 0; h < axis.out; ++h) windows[h] = {axis.SpanAt(h), 1};
  for (int64_t h = axis.out - 2; h >= 0; --h) {
    const Span here = windows[h].span, next = windows[h + 1].span;
    const bool same = here.taps == next.taps && next.first == here.first + axis.stride;
    if (same) windows[h].run = windows[h + 1].run + 1;
  }
}

bool NoneEmpty(const Axis& axis) {
  const bool some = !axis.adaptive && axis.pad <= axis.Reach() && axis.Begin(axis.out - 1) < axis.in;
  if (some && axis.dilation <= axis.in) return true;
  for (int64_t j = 0; j < axis.out; ++j) {
    if (axis.SpanAt(j).taps == 0) return false;
  }
  return true;
}

bool HasLongRows(const Plan& plan) {
  constexpr size_t kVector = 64;  // bytes
  const size_t lane = std::max<size_t>(plan.index_type == 0 ? 1 : 2, BytesOf(plan.type));
  const Axis& wide = plan.axis[2];
  return std::min(wide.in, wide.out) * plan.inner >= static_cast<int64_t>(kVector / lane);
}

bool HasNearWindows(const Plan& plan) {
  const Axis &deep = plan.axis[0], &high = plan.axis[1], &wide = plan.axis[2];
  if (deep.adaptive || high.adaptive || wide.adaptive) return false;
  const bool index = plan.index_type != 0;
  const int64_t kernel = wide.kernel, stride = wide.out == 1 ? 1 : wide.stride;
  const bool along = stride == 1 || (index && stride == 2 && wide.dilation == 1);
  const bool below = high.kernel == kernel && high.stride == stride && (stride == 1 || high.dilation == 1);
  const bool few = (kernel == 2 || kernel == 3) && (below || high.kernel == 1);
  if (!RowsAreSensible(plan) || !along || !(few || (index && kernel == 5 && stride == 1 && below))) return false;
  // Then rows are not written in order.
  if (high.kernel > 1 && high.dilation > 1 && !HasLongRows(plan)) return false;
  if (!NoneEmpty(deep) || !NoneEmpty(high) || !NoneEmpty(wide)) return false;
  return index ? HasNearPositions(plan) : deep.kernel == 1;
}

bool RowsTake(Pooling pooling, const Plan& plan) {
  if (pooling == Pooling::kMax) return plan.index_type == 0 || HasNearWindows(plan);
  // Copies of a row are kept in lanes of up to 8 bytes.
  constexpr int64_t kWidestRow = int64_t{1} << 26;
  if (plan.axis[2].in > kWidestRow / plan.inner) return false;
  return plan.quotient == Quotient::kNearest || (BytesOf(plan.type) < 8 && SumBits(plan) <= 53);
}

int64_t MostWindowRows(const Plan& plan) {
  return std::min(plan.axis[0].kernel, plan.axis[0].in) * std::min(plan.axis[1].kernel, plan.axis[1].in);
}

bool RowsAreSensible(const Plan& plan) {
  const Axis& w = plan.axis[2];
  if (w.adaptive) return true;
  const int64_t limit = 4 * (w.in + w.out) + 4096;
  const int64_t stride = w.out == 1 ? 1 : w.stride;
  return w.pad <= limit && w.kernel <= limit && w.dilation <= limit && stride <= limit && w.Reach() <= limit &&
         (w.out - 1) * stride <= limit;
}

Plan MergePlanes(const Plan& plan) {
  constexpr int64_t kElements = 8192;
  const Axis& height = plan.axis[1];
  const bool apart = plan.axis[0].in == 1 && plan.axis[0].out == 1 && plan.axis[0].pad == 0 && !height.adaptive &&
                     height.pad == 0 && height.in == height.stride * height.out && height.Reach() < height.stride &&
                     plan.inner == 1;
  Plan merged = plan;
  if (!apart || (plan.index_type != 0 && plan.index_bound < plan.InElements())) return merged;
  int64_t planes = std::min(plan.outer, kElements / plan.InPlane());
  while (planes > 1 && plan.outer % planes != 0) --planes;
  if (planes <= 1) return merged;
  merged.outer /= planes;
  merged.axis[1].in *= planes;
  merged.axis[1].out *= planes;
  return merged;
}

}  // namespace poolproof::optimized
