// Output sizes and pads of one spatial axis, by the documents' shape rules.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_GEOMETRY_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_GEOMETRY_H_

#include "conformance/backends/adapter/pool_call.h"

namespace poolproof::adapter {

// Fills pad_begin, pad_end (unless explicit) and out of `axis`. False where the window is larger
// than the padded input. All numbers are at most int32, strides and dilations at least 1.
//
// MaxPool-8, "Mathematical Formulation"; MaxPool-14 for ceil_torch. Where these contradict
// themselves: valid rounds as rounding_type says (MaxPool-8, example 5), same_* keeps the input
// size at any stride (the formula and the first layer example).
// Under same_* no rounding_type has a say.
bool ResolveAxis(AutoPad auto_pad, Rounding rounding, Axis* axis);

}  // namespace poolproof::adapter

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_GEOMETRY_H_
