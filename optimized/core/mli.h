// Checks and shapes of the embARC MLI 1.x pooling functions, and the names of their specializations.
#pragma once

#include <string_view>

#include "conformance/backend.h"
#include "optimized/core/operator.h"

namespace poolproof::optimized {

enum class MliFunction { kMaxpool, kAvepool };

// Whether `op` is a function of the family: mli_krn_{maxpool|avepool}_{chw|hwc}_{fx8|fx16}, and for
// chw `_generic` and the specializations.
bool IsMliFunction(MliFunction function, std::string_view op);

// Conditions as the document lists them; those of a specialization come from its name.
Result ParseMli(MliFunction function, const poolproof_call& call, Parsed& parsed);

}  // namespace poolproof::optimized
