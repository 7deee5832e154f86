// Checks and shapes of the ONNX pooling operators. Open points of the document are resolved as the profile "documented"
// resolves them.
#pragma once

#include "conformance/backend.h"
#include "optimized/core/operator.h"

namespace poolproof::optimized {

enum class OnnxPool { kMax, kAverage, kNorm };

// The operators with a kernel.
Result ParseOnnxPool(OnnxPool pool, const poolproof_call& call, Parsed& parsed);
// The global ones.
Result ParseOnnxGlobalPool(OnnxPool pool, const poolproof_call& call, Parsed& parsed);

// MaxPool, with positions as the plan has them.
void OnnxMaxPool(const Plan& plan, const Buffers& buffers, Executor& executor);

}  // namespace poolproof::optimized
