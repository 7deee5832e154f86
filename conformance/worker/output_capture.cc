#include "conformance/worker/output_capture.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace poolproof::worker {
namespace {

constexpr int kPipeBytes = 1 << 20;  // fewer stops; a system may allow less
constexpr int kChunksPerDrain = 64;
constexpr size_t kLastBytes = 3000;  // a traceback

}  // namespace

bool OutputCapture::Open(const std::string& log_path, int64_t log_bytes, Error* error) {
  left_ = log_bytes;
  null_ = FileDescriptor::MovedUp(open("/dev/null", O_RDWR | O_CLOEXEC));
  bool good = null_.Valid();
  for (Stream& stream : streams_) {
    int ends[2];
    good = good && pipe2(ends, O_CLOEXEC) == 0;
    if (!good) break;
    stream.read_end = FileDescriptor::MovedUp(ends[0]);
    stream.write_end = FileDescriptor::MovedUp(ends[1]);
    good =
        stream.read_end.Valid() && stream.write_end.Valid() && fcntl(stream.read_end.Get(), F_SETFL, O_NONBLOCK) == 0;
    if (good) (void)fcntl(stream.write_end.Get(), F_SETPIPE_SZ, kPipeBytes);
  }
  if (!good) return Fail("cannot redirect the backend's output: " + DescriptorError(), error);
  if (log_path.empty()) return true;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
  log_ = FileDescriptor::MovedUp(open(log_path.c_str(), kFlags, 0666));
  if (log_.Valid()) return true;
  return Fail("cannot open the log " + log_path + ": " + DescriptorError(), error);
}

void OutputCapture::Drain() {
  for (int chunk = 0; chunk < kChunksPerDrain; ++chunk) {
    const bool out = DrainOne(streams_[0]);
    const bool err = DrainOne(streams_[1]);
    if (!out && !err) return;
  }
}

bool OutputCapture::DrainOne(Stream& stream) {
  char buffer[64 * 1024];
  const ssize_t got = read(stream.read_end.Get(), buffer, sizeof(buffer));
  if (got <= 0) return false;
  stream.bytes += got;
  if (&stream == &streams_[1]) KeepLast(std::string_view(buffer, static_cast<size_t>(got)));
  if (log_.Valid()) Log(buffer, static_cast<size_t>(got));
  return true;
}

void OutputCapture::KeepLast(std::string_view bytes) {
  last_ += bytes;
  if (last_.size() <= kLastBytes) return;
  last_.erase(0, last_.size() - kLastBytes);
  last_.erase(0, last_.find('\n') + 1);  // npos + 1 is 0
}

void OutputCapture::Log(const char* bytes, size_t count) {
  const size_t kept = std::min(count, static_cast<size_t>(left_));
  // A full disk loses log lines, not the run.
  (void)!write(log_.Get(), bytes, kept);
  left_ -= static_cast<int64_t>(kept);
  cut_ += static_cast<int64_t>(count - kept);
}

void OutputCapture::Close() {
  if (!log_.Valid()) return;
  Drain();
  if (cut_ == 0) return;
  const std::string note = "\n[the log was cut here; " + std::to_string(cut_) + " more bytes came]\n";
  (void)!write(log_.Get(), note.data(), note.size());
}

}  // namespace poolproof::worker
