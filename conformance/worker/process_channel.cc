#include "conformance/worker/process_channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace poolproof::worker {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr double kStopSeconds = 2;

int64_t Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

bool Again() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

bool ProcessChannel::Start(const std::string& command, const OutputCapture& output, Error* error) {
  buffer_.clear();
  // A socket for stdin, since writing to one whose reader is gone can be done without a signal.
  int to[2], from[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to) != 0 || pipe2(from, O_CLOEXEC) != 0) {
    error->message = std::string("cannot make a pipe: ") + std::strerror(errno);
    return false;
  }
  to_child_ = FileDescriptor::MovedUp(to[0]);
  from_child_ = FileDescriptor::MovedUp(from[0]);
  const FileDescriptor its_stdin = FileDescriptor::MovedUp(to[1]);
  const FileDescriptor its_stdout = FileDescriptor::MovedUp(from[1]);
  fcntl(to_child_.Get(), F_SETFL, O_NONBLOCK);
  fcntl(from_child_.Get(), F_SETFL, O_NONBLOCK);
  return child_.Start("/proc/self/exe",
                      {"poolproof-worker", std::string(kCommandArgument) + command},
                      {its_stdin.Get(), its_stdout.Get(), output.Stderr()}, error);
}

void ProcessChannel::Stop() {
  to_child_.Close();
  if (child_.Running() && !child_.WaitFor(kStopSeconds)) child_.Kill();
  from_child_.Close();
}

// A program that closed its stdout but lives does not get to go on.
std::string ProcessChannel::DescribeEnd() {
  if (const auto status = child_.WaitFor(kStopSeconds)) return worker::DescribeExit(*status);
  child_.Kill();
  return "closed its stdout";
}

void ProcessChannel::SetDeadline(double seconds_from_now) {
  deadline_ = Now() + static_cast<int64_t>(seconds_from_now * kSecond);
}

ProcessChannel::Status ProcessChannel::AwaitReady(int fd, short events) const {
  pollfd entry = {fd, events, 0};
  const int64_t wait = std::max<int64_t>(deadline_ - Now(), 0);
  const timespec time = {wait / kSecond, wait % kSecond};
  const int ready = ppoll(&entry, 1, &time, nullptr);
  if (ready > 0) return Status::kOk;
  return ready == 0 ? Status::kTimeout : Status::kOk;  // interrupted: the caller tries again
}

ProcessChannel::Status ProcessChannel::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(to_child_.Get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
    } else if (!Again()) {
      return Status::kEnded;
    } else if (AwaitReady(to_child_.Get(), POLLOUT) == Status::kTimeout) {
      return Status::kTimeout;
    }
  }
  return Status::kOk;
}

ProcessChannel::Status ProcessChannel::FillBuffer() {
  char chunk[64 * 1024];
  while (true) {
    const ssize_t got = read(from_child_.Get(), chunk, sizeof(chunk));
    if (got > 0) {
      buffer_.append(chunk, static_cast<size_t>(got));
      return Status::kOk;
    }
    if (got == 0 || !Again()) return Status::kEnded;
    if (AwaitReady(from_child_.Get(), POLLIN) == Status::kTimeout) return Status::kTimeout;
  }
}

ProcessChannel::Status ProcessChannel::ReadLine(std::string* line) {
  size_t searched = 0;
  while (true) {
    const size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line->assign(buffer_, 0, end);
      buffer_.erase(0, end + 1);
      return Status::kOk;
    }
    searched = buffer_.size();
    if (searched > kMaxLine) return Status::kTooLong;
    if (const Status status = FillBuffer(); status != Status::kOk) return status;
  }
}

ProcessChannel::Status ProcessChannel::Read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    if (buffer_.empty()) {
      if (const Status status = FillBuffer(); status != Status::kOk) return status;
    }
    const size_t part = std::min(bytes.size(), buffer_.size());
    std::memcpy(bytes.data(), buffer_.data(), part);
    buffer_.erase(0, part);
    bytes = bytes.subspan(part);
  }
  return Status::kOk;
}

}  // namespace poolproof::worker
