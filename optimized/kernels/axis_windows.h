// The windows along one axis, each as two runs of taps, as many as a power of two, that cover it: the first run
// begins with its first tap, the second one ends with its last. Maxima of all such runs are cheap.
// Or, of windows of neighbours that are alike but for the borders, as parts of blocks as long as a window.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_AXIS_WINDOWS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_AXIS_WINDOWS_H_

#include <algorithm>
#include <bit>
#include <cstdint>

#include "optimized/core/plan.h"

namespace poolproof::optimized {

struct AxisWindow {
  int32_t taps;
  int32_t level;          // runs have 2^level taps; below 0: no taps
  int32_t first, second;  // coordinates of the first taps of the runs
  int32_t last;           // coordinate of the last tap
};

struct AxisWindows {
  static constexpr int64_t kLeastBlock = 5;  // below, it is quicker tap by tap

  // `memory` has room for axis.out windows.
  AxisWindows(const Axis& axis, AxisWindow* memory)
      : in(axis.in), out(axis.out), dilation(axis.adaptive ? 1 : axis.dilation), windows(memory) {
    if (!axis.adaptive && dilation == 1 && axis.kernel >= kLeastBlock) block = std::min(axis.kernel, in);
    in_place = block > 0 && out <= in;
    for (int64_t j = 0; j < out; ++j) {
      const Span span = axis.SpanAt(j);
      const int level = std::bit_width(static_cast<uint64_t>(span.taps)) - 1;
      const int64_t run = span.taps > 0 ? int64_t{1} << level : 0;
      windows[j] = {static_cast<int32_t>(span.taps), level, static_cast<int32_t>(span.first),
                    static_cast<int32_t>(span.first + (span.taps - run) * dilation),
                    static_cast<int32_t>(span.first + (span.taps - 1) * dilation)};
      levels = std::max<int64_t>(levels, level);
      if (span.taps == 0) continue;
      if (end == 0) begin = j;
      end = j + 1;
      last_first = span.first;
      in_place = in_place && windows[j].last >= j;
    }
  }
  // Runs of 2^level taps.
  int64_t Runs(int64_t level) const { return in - ((int64_t{1} << level) - 1) * dilation; }

  int64_t in, out, dilation;
  AxisWindow* windows;
  int64_t levels = 0;
  int64_t begin = 0, end = 0;  // windows that have taps
  int64_t last_first = 0;      // where the last one begins
  int64_t block = 0;           // length of a block; 0: not by blocks
  bool in_place = false;       // whether by blocks, results may take the place of what is read
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_AXIS_WINDOWS_H_
