// The output size and the padding of one axis, as the shape rules of OpenVINO's pooling operators
// have them, under any reading of their open points.
#pragma once

#include "reference/reference.h"
#include "reference/window.h"

namespace poolproof::reference {

enum class Rounding { kFloor, kCeil, kCeilTorch };
enum class AutoPad { kExplicit, kSameUpper, kSameLower, kValid };

struct SizeRule {
  Rounding rounding = Rounding::kFloor;
  AutoPad auto_pad = AutoPad::kExplicit;
  // The operator is MaxPool-1, whose formulas lack parentheses as printed and whose formula for
  // `valid` knows rounding.
  bool maxpool_1 = false;
};

// Sets axis->out, and axis->pad_begin and pad_end where the padding is not explicit, from the rest
// of `axis`. Sizes, kernel, stride and dilation are at least 1 and pads at least 0, without upper
// limit. False, and context.error says why, where the dilated kernel is larger than the padded
// input or a position does not fit in 64 bits; `number` names the axis there.
bool ComputeOutputSize(const SizeRule& rule, int number, Context& context, Axis* axis);

// Sets *eff to the extent of the dilated kernel and *padded to the size with its pads; false where one, or the number
// of positions in the padded input plus one, does not fit in 64 bits.
bool Extents(const Axis& axis, int64_t* eff, int64_t* padded);

// Chooses the pads of same_*, such that windows of `eff` elements have `out` positions; false on overflow.
bool PadForSame(AutoPad auto_pad, int64_t out, int64_t eff, Axis* axis);

// Whether the start of the last window fits in 64 bits; if not, the call is refused. `number` names the axis.
bool LastStartFits(const Axis& axis, int number, Context& context);
bool RefuseTooLarge(int number, Context& context);

}  // namespace poolproof::reference
