#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "conformance/worker/child_process.h"
#include "conformance/worker/denied.h"
#include "conformance/worker/lane.h"
#include "conformance/worker/process_lane.h"
#include "conformance/worker/shared_lane.h"
#include "fmt/format.h"

namespace poolproof {

namespace {

// Whether code of the backend has run, which may have looked for its device.
bool HadBegun(const LaneOptions& options, const std::string& message) {
  return options.backend.starts_with(worker::ProcessLane::kPrefix) ||
         message.find("could not make an instance") != message.npos || message.find(" while loading ") != message.npos;
}

// The script that the command names and that may not be executed, which the shell says in the words of what the cell
// denies; "" where it is something else.
std::string NotExecutable(const LaneOptions& options) {
  if (!options.backend.starts_with(worker::ProcessLane::kPrefix)) return "";
  std::istringstream words(options.backend.substr(worker::ProcessLane::kPrefix.size()));
  std::string word;
  words >> word;
  if (word == "exec") words >> word;
  std::error_code none;
  return std::filesystem::is_regular_file(word, none) && access(word.c_str(), X_OK) != 0 ? word : "";
}

// A file that a library opens on its own, or expects to write, cannot be seen from outside.
void ExplainRefusal(const LaneOptions& options, Error* error) {
  if (options.cell.isolation == Isolation::kNone) return;
  std::string why;
  const std::string devices = HadBegun(options, error->message) ? DevicesKeptAway(options.cell) : "";
  if (!devices.empty()) why += " (kept away by the cell: " + devices + ")";
  std::string_view said = error->message;
  if (said.starts_with(options.backend)) said.remove_prefix(options.backend.size());
  const std::string allows = WhatAllows(said, options.cell, options.backend);
  if (!allows.empty()) {
    why += " (the cell may keep the backend from that; " + allows + ")";
  } else if (error->message.find("Permission denied") != error->message.npos) {
    const std::string script = NotExecutable(options);
    why += !script.empty() ? fmt::format(
                                 " ({0} is not executable: chmod +x {0}, or name its interpreter, as in "
                                 "process:python3 mine.py)",
                                 script)
                           : " (what it may reach: --allow-read, --allow-device, --device, --allow-network)";
  }
  error->message.insert(std::min(error->message.find(kSaid), error->message.size()), why);
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
