#include "optimized/kernels/index_shape.h"

namespace poolproof::optimized {
namespace {

// What the bed may take: half of a first-level cache, so that the field of a chunk fits beside it.
constexpr int64_t kBedBytes = 8 * 1024;

// Whether each output row is below the one before.
bool IsFlat(const Plan& plan) { return plan.axis[0].in == 1 && plan.axis[0].out == 1; }

// From the first to the last row that output rows in order still need at the same time.
int64_t WindowRows(const Plan& plan) {
  const Axis* axis = plan.axis;
  const auto reach = [](const Axis& a) { return a.adaptive ? a.kernel : a.Reach() + 1; };
  if (IsFlat(plan)) return std::min(reach(axis[1]), axis[1].in);
  return std::min(reach(axis[0]), axis[0].in) * axis[1].in;
}

// First coordinate that this window or a later one may need.
int64_t KeptFrom(const Axis& axis, int64_t j, Span span) {
  return axis.adaptive ? span.first : std::max<int64_t>(0, axis.Begin(j));
}

}  // namespace

IndexShape::IndexShape(const Plan& plan, int64_t planes, int64_t lane_bytes) {
  const Axis& w = plan.axis[2];
  const Axis& h = plan.axis[1];
  in = w.in;
  out = w.out;
  left = w.pad;
  stride = w.out == 1 ? 1 : w.stride;  // with a single window it is of no consequence
  step = w.dilation;
  taps = w.kernel;
  covered = 1;
  if (w.adaptive) {
    stride = 0;
    left = 0;
    pitch = in;
    out_pitch = out;
  } else {
    while (taps > (2 + 4 * stride) * covered) covered *= 4;
    // The padding after a row may be that before the next one.
    const int64_t end = (out - 1) * stride + w.Reach() + 1;
    pitch = RoundUp(std::max({left + in, end - left, out * stride}), stride);
    out_pitch = pitch / stride;
  }
  plane_rows = plan.axis[0].in * h.in;
  rows = planes * plane_rows;
  window = WindowRows(plan);
  chunk = std::clamp<int64_t>(kBedBytes / (pitch * lane_bytes), 1, rows);
  capacity = std::min(rows, window + std::max(window, chunk));
  const int64_t down_stride = h.out == 1 ? h.in : h.stride;
  deep_step = plan.axis[0].dilation * h.in;
  high_step = h.dilation;
  down_covered = !h.adaptive && h.kernel > 2 + 4 * down_stride ? 4 : 1;
}

IndexWindow::IndexWindow(const Plan& plan, const IndexShape& shape, int64_t d, int64_t h) {
  const Span deeps = plan.axis[0].SpanAt(d), highs = plan.axis[1].SpanAt(h);
  if (deeps.taps == 0 || highs.taps == 0) return;
  first = deeps.first * plan.axis[1].in + highs.first;
  last = first + (deeps.taps - 1) * shape.deep_step + (highs.taps - 1) * shape.high_step;
  kept = IsFlat(plan) ? KeptFrom(plan.axis[1], h, highs) : KeptFrom(plan.axis[0], d, deeps) * plan.axis[1].in;
  deep = deeps.taps;
  wide = highs.taps >= shape.down_covered;
  const int64_t covered = wide ? shape.down_covered : 1;
  high = (highs.taps + covered - 1) / covered;
  step = covered * shape.high_step;
  last_offset = (highs.taps - covered) * shape.high_step;
}

}  // namespace poolproof::optimized
