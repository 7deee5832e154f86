// Windows along one spatial axis, by the documents' shape rules: output sizes, pads, and where a tap lies.
#pragma once

#include <cstdint>

namespace poolproof::adapter {

enum class Rounding : uint8_t { kFloor, kCeil, kCeilTorch };
enum class AutoPad : uint8_t { kExplicit, kSameUpper, kSameLower, kValid };

// One spatial axis, with the pads that auto_pad leads to and the documented output size.
struct Axis {
  int64_t in = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;  // 1 is dense
  int64_t pad_begin = 0;
  int64_t pad_end = 0;
  int64_t out = 0;

  // Distance from the first tap of a window to one past its last.
  int64_t Extent() const { return (kernel - 1) * dilation + 1; }
  // Pixels needed past the end of the input by the last window; below pad_end where trailing pixels
  // are dropped, above where ceil lets the last window pass the padded end.
  int64_t NeededEnd() const { return (out - 1) * stride + Extent() - in - pad_begin; }
  // An end pad with which floor((in + pads - extent) / stride) + 1 is `out`, for libraries that
  // know no other rounding: pad_end itself where it will do.
  int64_t FloorPadEnd() const;
  // Pixel under tap `tap`, in [0, kernel), of window `window`, in [0, out); outside [0, in) in the padding.
  int64_t Pixel(int64_t window, int64_t tap) const { return window * stride - pad_begin + tap * dilation; }
  // Whether a tap of window `window` lies inside the input.
  bool Touches(int64_t window) const;
};

// Fills pad_begin, pad_end (unless explicit) and out of `axis`. False where no window fits: one that is larger
// than the padded input, by a stride or more where sizes are rounded up. All numbers are at most int32, strides and
// dilations at least 1.
//
// MaxPool-8, "Mathematical Formulation"; MaxPool-14 for ceil_torch. Where these contradict
// themselves: valid rounds as rounding_type says (MaxPool-8, example 5), same_* keeps the input
// size at any stride (the formula and the first layer example).
// Under same_* no rounding_type has a say.
bool ResolveAxis(AutoPad auto_pad, Rounding rounding, Axis* axis);

}  // namespace poolproof::adapter
