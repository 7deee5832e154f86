// In what two implementations have to agree.
#pragma once

#include "conformance/backend.h"

namespace poolproof::fuzz {

// Whether two descriptions of an output say the same, the size of its memory apart.
bool SameDescription(const poolproof_tensor& a, const poolproof_tensor& b);

// Whether two calls have outputs of the same descriptions and sizes in bytes.
bool SameOutputs(const poolproof_call& a, const poolproof_call& b);

}  // namespace poolproof::fuzz
