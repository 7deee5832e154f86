// Reading of a call of embARC MLI's pooling functions.
#pragma once

#include "reference/mli_name.h"
#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

// Reads and checks all of `call` but its data. The input is [C, H, W] or [H, W, C] of the
// function's type; the attributes are the eight uint8 fields of mli_pool_cfg, all required.
//
//   size_out = floor((size + pad_before + pad_after - kernel) / stride) + 1, per axis
//
// The contract: rank 3; pads below the kernel of their axis; strides at least 1; kernel at most the
// input's dimension; what a specialization is restricted to. A debug build answers a status word
// where it is broken, a release build checks nothing (mli-release-checks). Under the reading
// `unchecked` what the formula still gives a result for is computed: pads of any size, and a
// specialization outside its restrictions as the generic function.
bool PlanMli(const MliFunction& function, const poolproof_call& call, Context& context, Plan* plan);

}  // namespace poolproof::reference
