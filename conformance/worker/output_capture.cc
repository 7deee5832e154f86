#include "conformance/worker/output_capture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace poolproof::worker {

bool OutputCapture::Open(const std::string& log_path, Error* error) {
  null_ = FileDescriptor::MovedUp(open("/dev/null", O_RDWR | O_CLOEXEC));
  stdout_ = FileDescriptor::MovedUp(memfd_create("poolproof-stdout", MFD_CLOEXEC));
  if (!null_.Valid() || !stdout_.Valid() || fcntl(stdout_.Get(), F_SETFL, O_APPEND) != 0) {
    error->message = std::string("cannot redirect the backend's output: ") + std::strerror(errno);
    return false;
  }
  if (log_path.empty()) return true;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  log_ = FileDescriptor::MovedUp(open(log_path.c_str(), kFlags, 0666));
  if (log_.Valid()) return true;
  error->message = "cannot open the log " + log_path + ": " + std::strerror(errno);
  return false;
}

int64_t OutputCapture::StdoutBytes() const {
  struct stat status = {};
  return fstat(stdout_.Get(), &status) == 0 ? status.st_size : drained_;
}

void OutputCapture::Drain() {
  const int64_t end = StdoutBytes();
  if (end == drained_) return;
  const int64_t begin = drained_;
  std::vector<char> buffer(64 * 1024);
  while (log_.Valid() && drained_ < end) {
    const ssize_t got = pread(stdout_.Get(), buffer.data(), buffer.size(), drained_);
    if (got <= 0) break;
    // A full disk loses log lines, not the run.
    (void)!write(log_.Get(), buffer.data(), static_cast<size_t>(got));
    drained_ += got;
  }
  drained_ = end;
  (void)fallocate(stdout_.Get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, end - begin);
}

}  // namespace poolproof::worker
