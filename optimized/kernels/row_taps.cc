#include "optimized/kernels/row_taps.h"

#include <algorithm>
#include <limits>

namespace poolproof::optimized {

// The windows of a row, and the elements that they look at.
struct RowWindows {
  explicit RowWindows(const Axis& width) : apart(width.dilation), count(width.out) {
    width.FillSpans(spans);
    for (int64_t j = 0; j < count; ++j) {
      most_taps = std::max(most_taps, spans[j].taps);
      least_taps = std::min(least_taps, spans[j].taps);
    }
  }
  int64_t At(int64_t window, int64_t tap) const {
    const Span& span = spans[window];
    return span.first + std::min(tap, span.taps - 1) * apart;
  }

  Span spans[RowTap::kLanes];
  int64_t apart;
  int64_t count;
  int64_t most_taps = 0, least_taps = RowTaps::kMost;
};

namespace {

// Where vectors that cover `reach` elements may begin for a tap, at `before` if that will do; below 0 if nowhere.
int64_t BeginOf(const RowWindows& windows, int64_t tap, int64_t reach, int64_t before) {
  int64_t first = windows.At(0, tap), last = first;
  for (int64_t j = 1; j < windows.count; ++j) {
    first = std::min(first, windows.At(j, tap));
    last = std::max(last, windows.At(j, tap));
  }
  if (last - first >= reach) return -1;
  return before <= first && last - before < reach ? before : std::max<int64_t>(0, last - reach + 1);
}

}  // namespace

RowTaps::RowTaps(const Axis& width) {
  if (width.out > RowTap::kLanes) return;
  const RowWindows windows(width);
  if (windows.least_taps == 0 || windows.most_taps > kMost) return;
  planes = Fill(windows, 2) ? 2 : Fill(windows, 1) ? 1 : 0;
  if (planes == 0) return;
  count = windows.most_taps;
  for (further = 0; further < count && taps[further].begin == taps[0].begin;) ++further;
  furthest = further < count && taps[further].begin != taps[count - 1].begin;
}

bool RowTaps::Fill(const RowWindows& windows, int of_planes) {
  constexpr int64_t kLanes = RowTap::kLanes;
  const int64_t part = kLanes / of_planes;
  if (windows.count > part) return false;
  int64_t begin = 0;
  for (int64_t t = 0; t < windows.most_taps; ++t) {
    begin = BeginOf(windows, t, 2 * part, begin);
    if (begin < 0) return false;
    RowTap& tap = taps[t];
    tap.begin = begin;
    tap.inside = 0;
    for (int64_t l = 0; l < kLanes; ++l) {
      const int64_t window = std::min(l % part, windows.count - 1), at = windows.At(window, t);
      if (t < windows.spans[window].taps) tap.inside = static_cast<uint16_t>(tap.inside | 1u << l);
      tap.position[l] = static_cast<int32_t>(at);
      tap.lane[l] = static_cast<int32_t>(at - begin + l / part * kLanes);
    }
  }
  return true;
}

RowTaps PicksOf(const Plan& plan) {
  constexpr int64_t kLongest = 48, kLeastWindows = 4, kLeast = 12;
  const Axis &height = plan.axis[1], &width = plan.axis[2];
  if (plan.inner != 1 || !plan.IsFlat() || width.in > kLongest || width.out > RowTap::kLanes) return {};
  // In rows with few windows there are fewer lanes of use than with a lane per plane.
  if (width.out < kLeastWindows || width.in + width.out < kLeast) return {};
  if (!width.adaptive && width.kernel > RowTaps::kMost) return {};
  // An index is counted on from that of the first element of the plane, in 32 bits.
  const bool counts = plan.index_bound >= plan.InPlane() && plan.index_bound <= std::numeric_limits<int32_t>::max();
  if (plan.index_type != 0 && !counts) return {};
  for (int64_t h = 0; h < height.out; ++h) {
    if (height.SpanAt(h).taps == 0) return {};
  }
  return RowTaps(width);
}

}  // namespace poolproof::optimized
