// The windows along one axis, each as two runs of taps, as many as a power of two, that cover it: the first run
// begins with its first tap, the second one ends with its last. Maxima of all such runs are cheap.
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
};

struct AxisWindows {
  // `memory` has room for axis.out windows.
  AxisWindows(const Axis& axis, AxisWindow* memory)
      : in(axis.in), out(axis.out), dilation(axis.dilation), windows(memory) {
    for (int64_t j = 0; j < out; ++j) {
      const Span span = axis.SpanAt(j);
      const int level = std::bit_width(static_cast<uint64_t>(span.taps)) - 1;
      const int64_t run = span.taps > 0 ? int64_t{1} << level : 0;
      windows[j] = {static_cast<int32_t>(span.taps), level, static_cast<int32_t>(span.first),
                    static_cast<int32_t>(span.first + (span.taps - run) * dilation)};
      levels = std::max<int64_t>(levels, level);
    }
  }
  // Runs of 2^level taps.
  int64_t Runs(int64_t level) const { return in - ((int64_t{1} << level) - 1) * dilation; }

  int64_t in, out, dilation;
  AxisWindow* windows;
  int64_t levels = 0;
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_AXIS_WINDOWS_H_
