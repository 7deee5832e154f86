// An owned file descriptor.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace poolproof::worker {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { Close(); }

  int Get() const { return fd_; }
  bool Valid() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

  // The same file under a number that no child process uses for its own, closed on exec. Needed
  // because a child's descriptors are set up one after the other.
  static FileDescriptor MovedUp(int fd) {
    FileDescriptor old(fd);
    return FileDescriptor(fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, kFirst));
  }
  static constexpr int kFirst = 32;

 private:
  int fd_ = -1;
};

// The meaning of errno after a descriptor could not be had. EINVAL stands for a number that the process
// may not use.
inline std::string DescriptorError() {
  const int failure = errno;
  rlimit limit = {};
  const bool known = getrlimit(RLIMIT_NOFILE, &limit) == 0;
  if (failure != EINVAL && failure != EMFILE) return std::strerror(failure);
  return "too few file descriptors (ulimit -n is " + (known ? std::to_string(limit.rlim_cur) : "unknown") + "; " +
         std::to_string(FileDescriptor::kFirst) + " and 20 for each job are needed)";
}

}  // namespace poolproof::worker
