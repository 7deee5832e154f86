// The parts of the cell that the kernel keeps, as cell.cc puts them together. Each returns "on" or
// why it is not available.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace poolproof::worker {

// Rights of a process, as it reads them from the cell file.
struct CellRules {
  std::string isolation;
  std::vector<std::string> read, list, devices;  // paths; `list`: folders of which the names may be read
  std::string folder;                            // for what it writes; "": none
  std::string names;                             // folder of /proc in which threads may be given names; "": none
  bool network = false;
  bool nvidia = false;         // what the driver needs
  bool allow_devices = false;  // others than those that every process has
  bool program = false;        // not a shared object
  int64_t memory_bytes = 0, file_bytes = 0, open_files = 0, processes = 0;
  int64_t runner = 0, runner_group = 0;  // process ids
  bool signals_scoped = false;           // the kernel keeps signals inside, as found out on the way in
};

std::string DropCapabilities();
std::string ForbidNewPrivileges();
std::string LimitResources(const CellRules& rules);

// Landlock: files, TCP ports, and signals and abstract sockets of others.
struct LandlockState {
  std::string files, signals;
};
LandlockState RestrictFiles(const CellRules& rules);

// Seccomp: system calls that no pooling needs and that lead out of the cell.
std::string FilterSystemCalls(const CellRules& rules);

// Namespaces of its own for processes, network, System V objects and mounts; /proc shows these processes, by the
// numbers that they have here. The calling process stays outside and returns in a child; it ends as that ends.
std::string EnterNamespaces();

}  // namespace poolproof::worker
