// Checks and shapes of PyTorch's pooling operators, by names with ".unbatched" behind of inputs without a batch. Open
// points of the documents are resolved as the profile "documented" resolves them.
#pragma once

#include <string_view>

#include "conformance/backend.h"
#include "optimized/core/operator.h"

namespace poolproof::optimized {

enum class TorchPool { kMax, kAverage, kNorm };

// Whether `op` is `name` or `name` for inputs without a batch.
bool NamesTorch(std::string_view op, std::string_view name);

// The operators with a kernel.
Result ParseTorchPool(TorchPool pool, const poolproof_call& call, Parsed& parsed);

// The adaptive ones.
Result ParseTorchAdaptivePool(TorchPool pool, const poolproof_call& call, Parsed& parsed);

}  // namespace poolproof::optimized
