#include <string_view>

#include "conformance/worker/lane.h"
#include "conformance/worker/process_lane.h"
#include "conformance/worker/shared_lane.h"

namespace poolproof {

std::unique_ptr<Lane> StartLane(const LaneOptions& options, Error* error) {
  if (options.backend.starts_with(worker::ProcessLane::kPrefix)) {
    return worker::ProcessLane::Start(options, error);
  }
  return worker::SharedLane::Start(options, error);
}

}  // namespace poolproof
