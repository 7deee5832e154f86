// Where windows lie: the taps of an output position along one axis, and loops over whole windows.
//
// Every operator pools over three spatial axes d, h, w; inputs with fewer have leading axes of size
// one, so that each computation is written once.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "conformance/backend.h"

namespace poolproof::reference {

// a / b rounded up, a >= 0, b > 0.
inline int64_t CeilDiv(int64_t a, int64_t b) {
  assert(b > 0);
  return a / b + (a % b > 0 ? 1 : 0);
}

// The taps of one window along one axis that lie inside the input: begin, begin + step, ...
struct Taps {
  int64_t begin;
  int64_t step;
  int64_t count;  // 0: the window is empty
};

// One spatial axis. Either a window that slides by `stride`, its taps `dilation` apart, over an
// input with padding; or, adaptive, one cell per output position. Whoever fills it makes sure that
// (out - 1) * stride, size + pad_begin + pad_end and (adaptive) size * out fit in 64 bits.
struct Axis {
  int64_t size = 1;  // of the input
  int64_t out = 1;   // of the output
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_begin = 0;
  int64_t pad_end = 0;
  bool adaptive = false;

  // First tap of output position `o`, clipped or not.
  int64_t Start(int64_t o) const { return adaptive ? o * size / out : o * stride - pad_begin; }

  // Number of taps of output position `o`, those in padding and past it included.
  int64_t Width(int64_t o) const { return adaptive ? CeilDiv((o + 1) * size, out) - Start(o) : kernel; }

  Taps TapsOf(int64_t o) const {
    assert(o >= 0 && o < out);
    const int64_t start = Start(o);
    const int64_t width = Width(o);
    const int64_t last = (width - 1) * dilation;  // fits: the window is inside the padded input
    if (start >= 0 && start <= size - 1 - last) return {start, dilation, width};
    const int64_t first_tap = start < 0 ? CeilDiv(-start, dilation) : 0;
    const int64_t end_tap = start < size ? CeilDiv(size - start, dilation) : 0;
    const int64_t count = std::min(end_tap, width) - first_tap;
    if (count <= 0) return {0, dilation, 0};
    return {start + first_tap * dilation, dilation, count};
  }

  // Number of taps of output position `o` that lie in the input or its padding.
  int64_t TapsInPadded(int64_t o) const {
    const int64_t room = size + pad_end - Start(o);
    if (room > (kernel - 1) * dilation) return kernel;
    return CeilDiv(std::max<int64_t>(room, 0), dilation);
  }
};

using Axes = std::array<Axis, 3>;

// Distance, in elements, between neighbours of a dense tensor: between channels (and batches, which
// follow one another like channels), and along d, h, w.
struct Strides {
  int64_t plane = 0;
  std::array<int64_t, 3> axis{};
};

// The taps of one window inside the input.
struct WindowTaps {
  int64_t origin = 0;  // offset of the first element of the plane
  std::array<Taps, 3> axis{};

  int64_t Count() const { return axis[0].count * axis[1].count * axis[2].count; }
};

// Calls visit(offset) for the input offset of every tap, in row-major order. Inlined so that what
// visit gathers stays in registers.
template <typename Visit>
[[gnu::always_inline]] inline void ForEachTap(const WindowTaps& window, const Strides& strides, Visit visit) {
  const auto& [d, h, w] = window.axis;
  const int64_t step = w.step * strides.axis[2];
  for (int64_t i = 0; i < d.count; ++i) {
    const int64_t plane = window.origin + (d.begin + i * d.step) * strides.axis[0];
    for (int64_t j = 0; j < h.count; ++j) {
      int64_t offset = plane + (h.begin + j * h.step) * strides.axis[1] + w.begin * strides.axis[2];
      for (int64_t k = 0; k < w.count; ++k, offset += step) visit(offset);
    }
  }
}

// Position of an output element.
struct OutputPosition {
  int64_t plane = 0, d = 0, h = 0, w = 0;
};

}  // namespace poolproof::reference
