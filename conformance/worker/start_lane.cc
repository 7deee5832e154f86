#include <string_view>

#include "conformance/worker/lane.h"
#include "conformance/worker/shared_lane.h"

namespace poolproof {

std::unique_ptr<Lane> StartLane(const LaneOptions& options, Error* error) {
  return worker::SharedLane::Start(options, error);
}

}  // namespace poolproof
