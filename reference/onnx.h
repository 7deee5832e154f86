// Reading of a call of ONNX's pooling operators.
#pragma once

#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

enum class OnnxPool { kMax, kAverage, kNorm };

// The operators with a kernel. Reads and checks all of `call` but its data. The rules: rank 3 to 5; kernel_shape is
// there; kernel, strides and dilations at least 1, pads at least 0, with one entry per spatial axis, pads with two; no
// other attributes than those of the operator. False, and context.error says why, where one is broken or where a
// reading refuses what the document leaves open.
bool PlanOnnxPool(OnnxPool pool, const poolproof_call& call, Context& context, Plan* plan);

// The global ones, whose windows are the planes.
bool PlanOnnxGlobalPool(OnnxPool pool, const poolproof_call& call, Context& context, Plan* plan);

}  // namespace poolproof::reference
