// The backend for callers that link it instead of loading it.
#pragma once

#include "conformance/backend.h"

namespace poolproof::optimized {

const poolproof_backend& Backend();

}  // namespace poolproof::optimized
