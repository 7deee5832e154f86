// From a dead process to a sentence.
#ifndef POOLPROOF_CONFORMANCE_WORKER_FAULT_REPORT_H_
#define POOLPROOF_CONFORMANCE_WORKER_FAULT_REPORT_H_

#include <string>

#include "conformance/worker/lane.h"
#include "conformance/worker/shared_memory.h"
#include "conformance/worker/worker_process.h"

namespace poolproof::worker {

struct EventReport {
  Event event = Event::kNone;
  std::string text;
};

// What the process that was at `step` of `batch` died of: an access around one of its tensors is
// kOutOfBounds, a write into an input or into the call's description kInputModified.
EventReport DescribeEnd(const SharedMemory& memory, int batch, Step step, const ProcessEnd& end,
                        double timeout_seconds);

// "output 1 (values)", for index 0; "input 1".
std::string OutputName(int index);
std::string InputName(int index);

}  // namespace poolproof::worker

#endif  // POOLPROOF_CONFORMANCE_WORKER_FAULT_REPORT_H_
