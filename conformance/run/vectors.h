// Problems and expected outputs as files, for teams that cannot load a library; and their outputs
// judged.
//
// For each case NNNNNN of the folder: NNNNNN.json (op, attributes, tensors, expected status and
// outputs, all as in backend.h), NNNNNN.input0.npy ..., NNNNNN.expected0.npy ... A team writes
// NNNNNN.output0.npy ... or, where its library rejects the call or lacks it, NNNNNN.status with one
// of the words INVALID_ARGUMENT, UNSUPPORTED, INTERNAL_ERROR.
#ifndef POOLPROOF_CONFORMANCE_RUN_VECTORS_H_
#define POOLPROOF_CONFORMANCE_RUN_VECTORS_H_

#include <string>

#include "conformance/run/session.h"

namespace poolproof {

// Writes the cases of a plan; `count` is what was written. Cases too large to compute are left out.
bool WriteVectors(const Plan& plan, const reference::Readings& readings, const std::string& folder,
                  uint64_t* count, Error* error);

// Judges the outputs in `folder`. A case without outputs and status is `missing`.
std::optional<SessionResult> JudgeVectors(const Specs& specs, const SessionOptions& options,
                                          const std::string& folder, Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_VECTORS_H_
