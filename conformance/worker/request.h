// Writing a call into shared memory so that the worker can pass it to the backend as it lies there.
#pragma once

#include <cstdint>

#include "conformance/backend.h"
#include "conformance/worker/shared_layout.h"

namespace poolproof::worker {

// Copies operator name and attributes of `call` into `request`, which the worker has at
// `worker_address`, with pointers that hold there. Throws std::length_error if they need more than
// kMaxDescriptionBytes, or if there are more inputs or outputs than kMaxInputs or kMaxOutputs.
void WriteDescription(const poolproof_call& call, uint64_t worker_address, CaseRequest* request);

// Writes the tensor structs of the inputs, for infer_shapes (the feature map without data) and for
// run, for `placements` placements, from request->extents, offsets from `base` on.
void WriteInputs(const poolproof_call& call, uint64_t worker_address, uint64_t base, int placements,
                 CaseRequest* request);

}  // namespace poolproof::worker
