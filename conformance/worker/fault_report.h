// From a dead process to a sentence.
#pragma once

#include <optional>
#include <string>

#include "conformance/worker/lane.h"
#include "conformance/worker/lane_batch.h"
#include "conformance/worker/worker_process.h"

namespace poolproof::worker {

struct EventReport {
  Event event = Event::kNone;
  std::string text;
};

// The call that was being run.
struct RunningCall {
  const LaneCase& c;
  const PlacementResponse& response;
  int placement;
  int batch;
  uint64_t base;  // of the worker's addresses
};

// Cause of death of the process that was at this call: an access around one of its tensors is
// kOutOfBounds, a write into an input or into the call's description kInputModified.
EventReport DescribeEnd(const RunningCall& call, const WorkerBlock& worker, const ProcessEnd& end,
                        double timeout_seconds);

// Relates the case to an access to memory of calls that had returned: to an output
// kWrittenLate, to an input kOutOfBounds or, where it was a write, kInputModified.
struct LateReport : EventReport {
  int placement = 0;
};
LateReport DescribeLate(const LaneCase& c, int placements, const LateRecord& late);

// "output 1 (values)", for index 0; "input 1".
std::string OutputName(int index);
std::string InputName(int index);

}  // namespace poolproof::worker
