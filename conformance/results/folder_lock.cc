#include "conformance/results/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace poolproof {
namespace {

// File systems without locks cannot keep two runs apart; that is no reason not to run.
bool LocksAreUnknown(int failure) {
  return failure == ENOLCK || failure == ENOSYS || failure == EOPNOTSUPP || failure == EINVAL;
}

}  // namespace

std::unique_ptr<FolderLock> FolderLock::Take(const std::string& folder, bool* busy, Error* error) {
  *busy = false;
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) {
    error->message = fmt::format("{}: cannot be made: {}.", folder, code.message());
    return nullptr;
  }
  // The file stays: whoever removed it would let a third run in beside a second one.
  const std::string path = folder + "/.lock";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) {
    error->message = fmt::format("{}: cannot be written: {}.", path, std::strerror(errno));
    return nullptr;
  }
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 || LocksAreUnknown(errno)) {
    return std::unique_ptr<FolderLock>(new FolderLock(fd));
  }
  *busy = errno == EWOULDBLOCK;
  error->message = *busy ? fmt::format("--out: another run is writing into {}.", folder)
                         : fmt::format("{}: cannot be locked: {}.", path, std::strerror(errno));
  close(fd);
  return nullptr;
}

FolderLock::~FolderLock() { close(fd_); }

}  // namespace poolproof
