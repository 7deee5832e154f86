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

// Sets the size of an axis whose padding in front is set: one window less where the last one starts behind the input
// and its padding in front, if sizes are rounded up. Fails where a number is too large for any tensor.
Result PaddedShape(bool ceil, int64_t pad_after, Axis& axis);
// Spatial axis `i` has a window.
Result CheckOut(int i, const Axis& axis);

// MaxPool, with positions as the plan has them.
void OnnxMaxPool(const Plan& plan, const Buffers& buffers, Executor& executor);

}  // namespace poolproof::optimized
