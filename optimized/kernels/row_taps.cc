#include "optimized/kernels/row_taps.h"

#include <algorithm>

namespace poolproof::optimized {
namespace {

// The windows of a row, and the elements that they look at.
struct RowWindows {
  explicit RowWindows(const Axis& width) : apart(width.adaptive ? 1 : width.dilation), count(width.out) {
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

RowTaps::RowTaps(const Axis& width, int planes) {
  constexpr int64_t kLanes = RowTap::kLanes;
  const int64_t part = kLanes / planes, reach = 2 * part;
  if (width.out > part) return;
  const RowWindows windows(width);
  if (windows.least_taps == 0 || windows.most_taps > kMost) return;
  int64_t begin = 0;
  for (int64_t t = 0; t < windows.most_taps; ++t) {
    begin = BeginOf(windows, t, reach, begin);
    if (begin < 0) return;
    taps[t].begin = begin;
    for (int64_t l = 0; l < kLanes; ++l) {
      const int64_t at = windows.At(std::min(l % part, width.out - 1), t);
      taps[t].position[l] = static_cast<int32_t>(at);
      taps[t].lane[l] = static_cast<int32_t>(at - begin + l / part * kLanes);
    }
  }
  count = windows.most_taps;
}

}  // namespace poolproof::optimized
