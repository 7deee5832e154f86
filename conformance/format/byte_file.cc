#include "conformance/format/byte_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace poolproof {
namespace {

const char* KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISSOCK(mode)) return "a socket";
  return "something else";
}

int Unreadable(const std::string& path, Error* error) {
  error->message = fmt::format("{}: cannot be read: {}.", path, std::strerror(errno));
  return -1;
}

}  // namespace

int OpenRegularFile(const std::string& path, Error* error) {
  // The kind of file is asked for before it is opened, for opening a device may do something, and again
  // afterwards, for it may have been replaced.
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return Unreadable(path, error);
  int fd = -1;
  if (S_ISREG(status.st_mode)) {
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &status) != 0) return Unreadable(path, error);
  }
  if (S_ISREG(status.st_mode)) return fd;
  if (fd >= 0) close(fd);
  error->message = fmt::format("{}: is {}, not a file.", path, KindOf(status.st_mode));
  return -1;
}

ByteFile::~ByteFile() {
  if (fd_ >= 0) close(fd_);
}

bool ByteFile::Open(const std::string& path, Error* error) {
  fd_ = OpenRegularFile(path, error);
  return fd_ >= 0;
}

ptrdiff_t ByteFile::Read(char* bytes, size_t count, Error* reason) {
  ssize_t got = -1;
  do {
    got = read(fd_, bytes, count);
  } while (got < 0 && errno == EINTR);
  if (got < 0) reason->message = fmt::format("cannot be read: {}", std::strerror(errno));
  return got;
}

}  // namespace poolproof
