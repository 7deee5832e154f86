// The backend for callers that link it instead of loading it.
#ifndef POOLPROOF_OPTIMIZED_CORE_BACKEND_H_
#define POOLPROOF_OPTIMIZED_CORE_BACKEND_H_

#include "conformance/backend.h"

namespace poolproof::optimized {

const poolproof_backend& Backend();

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_CORE_BACKEND_H_
