#include <algorithm>
#include <string_view>

#include "conformance/worker/child_process.h"
#include "conformance/worker/lane.h"
#include "conformance/worker/process_lane.h"
#include "conformance/worker/shared_lane.h"

namespace poolproof {

namespace {

// Files that a library opens on its own, or expects to write, cannot be seen from outside.
void ExplainRefusal(const LaneOptions& options, Error* error) {
  if (options.cell.isolation == Isolation::kNone || error->message.find("Permission denied") == std::string::npos) {
    return;
  }
  error->message.insert(std::min(error->message.find(kSaid), error->message.size()),
                        " (what it may reach: --allow-read, --allow-device, --allow-network)");
}

// "--isolation=full" promises all parts.
bool IsWhole(const LaneOptions& options, const BackendInfo& info, Error* error) {
  if (options.cell.isolation != Isolation::kFull) return true;
  for (const CellPart& part : info.cell) {
    if (!part.state.starts_with("not available")) continue;
    return Fail("full isolation is not to be had here: " + part.name + " is " + part.state, error);
  }
  return true;
}

}  // namespace

std::unique_ptr<Lane> StartLane(const LaneOptions& options, Error* error) {
  if (options.cell.isolation != Isolation::kNone) worker::KeepOthersAway();
  std::unique_ptr<Lane> lane;
  if (options.backend.starts_with(worker::ProcessLane::kPrefix)) {
    lane = worker::ProcessLane::Start(options, error);
  } else {
    lane = worker::SharedLane::Start(options, error);
  }
  if (lane == nullptr) ExplainRefusal(options, error);
  return lane != nullptr && IsWhole(options, lane->Info(), error) ? std::move(lane) : nullptr;
}

}  // namespace poolproof
