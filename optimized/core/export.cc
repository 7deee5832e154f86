// The one exported symbol of the shared object.
#include "optimized/core/backend.h"

const poolproof_backend* poolproof_get_backend(uint32_t abi_version) {
  return abi_version == POOLPROOF_ABI_VERSION ? &poolproof::optimized::Backend() : nullptr;
}
