// Checks and shapes of PyTorch's pooling operators. Open points of the documents are resolved as the profile
// "documented" resolves them.
#pragma once

#include "conformance/backend.h"
#include "optimized/core/operator.h"

namespace poolproof::optimized {

enum class TorchPool { kMax, kAverage, kNorm };

// The operators with a kernel.
Result ParseTorchPool(TorchPool pool, const poolproof_call& call, Parsed& parsed);

// The adaptive ones.
Result ParseTorchAdaptivePool(TorchPool pool, const poolproof_call& call, Parsed& parsed);

}  // namespace poolproof::optimized
