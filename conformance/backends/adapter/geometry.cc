#include "conformance/backends/adapter/geometry.h"

#include <algorithm>

namespace poolproof::adapter {
namespace {

void ResolveSame(bool upper, Axis* axis) {
  axis->out = axis->in;
  axis->pad_begin = 0;
  const int64_t total = std::max<int64_t>(0, axis->NeededEnd());
  const int64_t smaller = total / 2;
  axis->pad_begin = upper ? smaller : total - smaller;
  axis->pad_end = total - axis->pad_begin;
}

}  // namespace

int64_t Axis::FloorPadEnd() const {
  const int64_t span = in + pad_begin + pad_end - Extent();
  const bool fits = span >= 0 && span / stride + 1 == out;
  return fits ? pad_end : std::max<int64_t>(NeededEnd(), 0);
}

bool Axis::Touches(int64_t window) const {
  for (int64_t tap = 0; tap < kernel; ++tap) {
    if (Pixel(window, tap) >= 0 && Pixel(window, tap) < in) return true;
  }
  return false;
}

bool ResolveAxis(AutoPad auto_pad, Rounding rounding, Axis* axis) {
  if (auto_pad == AutoPad::kSameUpper || auto_pad == AutoPad::kSameLower) {
    ResolveSame(auto_pad == AutoPad::kSameUpper, axis);
    return true;
  }
  if (auto_pad == AutoPad::kValid) axis->pad_begin = axis->pad_end = 0;
  const int64_t span = axis->in + axis->pad_begin + axis->pad_end - axis->Extent();
  const int64_t up = rounding == Rounding::kFloor ? 0 : axis->stride - 1;
  if (span + up < 0) return false;
  axis->out = (span + up) / axis->stride + 1;
  if (rounding == Rounding::kCeilTorch && (axis->out - 1) * axis->stride >= axis->in + axis->pad_begin) {
    --axis->out;
  }
  return true;
}

}  // namespace poolproof::adapter
