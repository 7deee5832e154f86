// Indices out of the workspace of a oneDNN max pooling.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_ONEDNN_WORKSPACE_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_ONEDNN_WORKSPACE_H_

#include <cstdint>

#include "conformance/backends/adapter/pool_call.h"

namespace poolproof::onednn {

// Writes the documented index of every output element. `workspace` holds, in the plain layout of
// the output, the row-major position inside the window of each maximum. Word is uint8_t or int32_t,
// as oneDNN chose.
template <typename Word>
void StoreIndices(const adapter::PoolCall& call, const Word* workspace, void* indices);

}  // namespace poolproof::onednn

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ONEDNN_WORKSPACE_H_
