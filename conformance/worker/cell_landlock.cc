// Landlock: what of the file system, of TCP and of other processes a backend process reaches.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conformance/worker/cell_parts.h"
#include "conformance/worker/file_descriptor.h"

namespace poolproof::worker {
namespace {

// As in <linux/landlock.h> of a kernel that has all of it.
enum : uint64_t {
  kExecute = 1 << 0,
  kWriteFile = 1 << 1,
  kReadFile = 1 << 2,
  kReadDir = 1 << 3,
  kRemoveFolder = 1 << 4,
  kRemoveFile = 1 << 5,
  kMakeFolder = 1 << 7,
  kMakeFile = 1 << 8,
  kMakeLink = 1 << 12,
  kTruncate = 1 << 14,     // ABI 3
  kIoctlDevice = 1 << 15,  // ABI 5
};
constexpr uint64_t kFilesOfAbi1 = (1 << 13) - 1;
constexpr uint64_t kRefer = 1 << 13;                              // ABI 2
constexpr uint64_t kBindTcp = 1 << 0, kConnectTcp = 1 << 1;       // ABI 4
constexpr uint64_t kAbstractSockets = 1 << 0, kSignals = 1 << 1;  // ABI 6

struct Ruleset {
  uint64_t files, network, scoped;
};
struct [[gnu::packed]] PathRule {
  uint64_t allowed;
  int32_t parent;
};
constexpr int kVersion = 1, kPathBeneath = 1;

#ifndef SYS_landlock_create_ruleset
constexpr long SYS_landlock_create_ruleset = 444;
constexpr long SYS_landlock_add_rule = 445;
constexpr long SYS_landlock_restrict_self = 446;
#endif

uint64_t HandledFiles(long abi) {
  uint64_t files = kFilesOfAbi1;
  if (abi >= 2) files |= kRefer;
  if (abi >= 3) files |= kTruncate;
  if (abi >= 5) files |= kIoctlDevice;
  return files;
}

// A path that is not there needs no right.
void Allow(int ruleset, const std::string& path, uint64_t access) {
  const FileDescriptor file(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status = {};
  if (!file.Valid() || fstat(file.Get(), &status) != 0) return;
  if (!S_ISDIR(status.st_mode)) access &= ~kReadDir;
  const PathRule rule = {access, file.Get()};
  syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0);
}

LandlockState Missing(const std::string& why) { return {"not available: " + why, "not available: " + why}; }

}  // namespace

LandlockState RestrictFiles(const CellRules& rules) {
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersion);
  if (abi < 1) return Missing(std::string("Landlock: ") + std::strerror(errno));
  Ruleset attributes = {HandledFiles(abi), 0, 0};
  size_t size = sizeof(uint64_t);
  if (abi >= 4) {
    attributes.network = rules.network ? 0 : kBindTcp | kConnectTcp;
    size = 2 * sizeof(uint64_t);
  }
  if (abi >= 6) {
    attributes.scoped = kSignals | (rules.network ? 0 : kAbstractSockets);
    size = sizeof(attributes);
  }
  const FileDescriptor ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
  if (!ruleset.Valid()) return Missing(std::string("Landlock: ") + std::strerror(errno));
  for (const std::string& path : rules.read) {
    Allow(ruleset.Get(), path, kExecute | kReadFile | kReadDir);
  }
  for (const std::string& path : rules.list) Allow(ruleset.Get(), path, kReadDir);
  const uint64_t device = kReadFile | kReadDir | kWriteFile | kTruncate | kIoctlDevice;
  for (const std::string& path : rules.devices) {
    Allow(ruleset.Get(), path, device & attributes.files);
  }
  const uint64_t folder = kReadFile | kReadDir | kWriteFile | kTruncate | kRemoveFolder | kRemoveFile | kMakeFolder |
                          kMakeFile | kMakeLink | kRefer;
  if (!rules.folder.empty()) Allow(ruleset.Get(), rules.folder, folder & attributes.files);
  if (!rules.names.empty()) Allow(ruleset.Get(), rules.names, (kWriteFile | kTruncate) & attributes.files);
  if (syscall(SYS_landlock_restrict_self, ruleset.Get(), 0) != 0) {
    return Missing(std::string("Landlock: ") + std::strerror(errno));
  }
  return {"on", abi >= 6 ? "on" : "not available: Landlock has no scopes before Linux 6.12"};
}

}  // namespace poolproof::worker
