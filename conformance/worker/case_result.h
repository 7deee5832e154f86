// From the worker's responses to what lane.h promises.
#pragma once

#include <string>

#include "conformance/worker/lane_batch.h"
#include "conformance/worker/shared_memory.h"

namespace poolproof::worker {

// The result of one case that has been run, its outputs being what they are now: an output that is
// not what it was when run returned is an event.
CaseResult ReadResult(const SharedMemory& memory, const LaneCase& c, int placements);

// Bytes that one output of a call may take (Lane::MaxBytes).
uint64_t MaxOutputBytes(const poolproof_call& call);

// "f32 1x2x3", "f32 (scalar)", "element type 99", "f32 of rank 12".
std::string DescribeTensor(const poolproof_tensor& tensor);

// Why outputs described like this cannot be run, "" if they can.
std::string DescriptionFault(const poolproof_tensor& tensor, int output);

// Whether two answers of infer_shapes say the same, size_bytes included.
bool SameAnswer(const poolproof_tensor& a, const poolproof_tensor& b);

}  // namespace poolproof::worker
