#include <string_view>

#include "conformance/worker/child_process.h"
#include "conformance/worker/lane.h"
#include "conformance/worker/process_lane.h"
#include "conformance/worker/shared_lane.h"

namespace poolproof {

namespace {

// "--isolation=full" promises all parts.
bool IsWhole(const LaneOptions& options, const BackendInfo& info, Error* error) {
  if (options.cell.isolation != Isolation::kFull) return true;
  for (const CellPart& part : info.cell) {
    if (!part.state.starts_with("not available")) continue;
    error->message = "full isolation is not to be had here: " + part.name + " is " + part.state;
    return false;
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
  return lane != nullptr && IsWhole(options, lane->Info(), error) ? std::move(lane) : nullptr;
}

}  // namespace poolproof
