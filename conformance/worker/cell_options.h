// The cell that a backend process runs in, as it is asked for. ISOLATION.md says what each part
// guards against.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poolproof {

enum class Isolation {
  kNone,      // the backend has all rights of the runner
  kStandard,  // every part that this system has
  kFull,      // every part, and namespaces of its own; does not start where one is missing
};

struct CellOptions {
  Isolation isolation = Isolation::kStandard;
  std::vector<std::string> allow_read;     // files and folders
  std::vector<std::string> allow_devices;  // as "/dev/dri" or "/dev/nvidia*": read, write, ioctl
  std::vector<std::string> hidden;         // files and folders that it may not read, in folders that it may
  std::vector<std::string> pass_env;       // names of variables; NAME* for all that begin so
  bool allow_network = false;
  int64_t memory_bytes = int64_t{8} << 30;  // of private memory that can be written; 0: any
  int64_t file_bytes = int64_t{64} << 20;   // of any one file, in memory or where writing is allowed
  int64_t open_files = 1024;
  // That the backend may start; -1: none for a shared object, 256 for a program.
  int64_t processes = -1;
};

// One part of the cell, and whether it is there: "on", "off" where an option says so, or "not
// available" with the reason.
struct CellPart {
  std::string name, state;
};

// Names of kinds of devices, "nvidia", and the patterns of allow_devices that one stands for.
std::vector<std::string> DeviceKinds();
std::vector<std::string> PathsOfDevice(std::string_view kind);
// Whether a device is allowed that is one of these.
bool AllowsGpu(const CellOptions& options);
// The devices of this machine that are not allowed, each with the option for it: "/dev/nvidia0: --device=nvidia".
std::string DevicesKeptAway(const CellOptions& options, const std::string& root = "");

std::optional<Isolation> FindIsolation(std::string_view name);  // "standard"
std::string_view IsolationName(Isolation isolation);

}  // namespace poolproof
