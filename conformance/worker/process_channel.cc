#include "conformance/worker/process_channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conformance/worker/clock.h"
#include "fmt/format.h"

namespace poolproof::worker {
namespace {

constexpr double kStopSeconds = 2;
constexpr double kGraceSeconds = 1;
// How often a wait looks whether the run has to end.
constexpr int64_t kTick = kSecond / 5;

bool Again() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

bool ProcessChannel::Start(const std::string& command, CellFile* cell, OutputCapture* output, Error* error) {
  buffer_.clear();
  cell_ = cell;
  output_ = output;
  // A socket for stdin, since writing to one whose reader is gone can be done without a signal.
  int to[2], from[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to) != 0 || pipe2(from, O_CLOEXEC) != 0) {
    return Fail(std::string("cannot make a pipe: ") + DescriptorError(), error);
  }
  to_child_ = FileDescriptor::MovedUp(to[0]);
  from_child_ = FileDescriptor::MovedUp(from[0]);
  const FileDescriptor its_stdin = FileDescriptor::MovedUp(to[1]);
  const FileDescriptor its_stdout = FileDescriptor::MovedUp(from[1]);
  fcntl(to_child_.Get(), F_SETFL, O_NONBLOCK);
  fcntl(from_child_.Get(), F_SETFL, O_NONBLOCK);
  cell_->Rewind();
  kills_ = OutOfMemoryKills();
  return child_.Start(WorkerProgram(), {"poolproof-worker", std::string(kCommandArgument) + command},
                      cell->Environment(), {its_stdin.Get(), its_stdout.Get(), output->Stderr(), cell->Get()}, error);
}

std::optional<ProcessFault> ProcessChannel::Stop(double seconds) {
  to_child_.Close();
  std::optional<ProcessFault> fault;
  if (child_.Running()) {
    const double most = seconds > 0 ? seconds : std::max(2 * start_seconds_, kStopSeconds);
    const int64_t deadline = Now() + Nanoseconds(most);
    std::optional<int> status;
    do {
      output_->Drain();
      status = child_.WaitFor(0.02, kGraceSeconds);
    } while (!status && Now() < deadline && !MustEnd());
    if (!status) {
      child_.End();
      fault = {fmt::format("did not end within {:.3g} s when its stdin ended", most), 1, true};
    } else if (WasKilled(*status)) {
      if (!child_.LostItsThread()) fault = KillOf(*status, "", kills_);
    } else if (*status != 0) {
      fault = {worker::DescribeExit(*status) + " when its stdin ended"};
    } else if (child_.LeftOthersBehind() || cell_->LeftBehind() > 0) {
      fault = {"left a process behind"};
    }
    output_->Drain();
  }
  from_child_.Close();
  return fault;
}

// A program that closed its stdout but lives does not get to go on.
std::string ProcessChannel::DescribeEnd() {
  if (const auto status = child_.WaitFor(kStopSeconds)) return worker::DescribeExit(*status);
  child_.Kill();
  return "closed its stdout";
}

void ProcessChannel::SetDeadline(double seconds_from_now) {
  deadline_ = Now() + Nanoseconds(seconds_from_now);
  latest_ = Now() + Nanoseconds(2 * seconds_from_now);
}

ProcessChannel::Status ProcessChannel::AwaitReady(int fd, short events) {
  while (true) {
    pollfd entries[] = {{fd, events, 0}, {output_->Readers()[1], POLLIN, 0}};
    const timespec time = AsTimespec(std::clamp<int64_t>(deadline_ - Now(), 0, kTick));
    const int ready = ppoll(entries, std::size(entries), &time, nullptr);
    if (ready < 0) return Status::kOk;  // interrupted: the caller tries again
    if (MustEnd()) return Status::kMustEnd;
    if (ready > 0 && entries[1].revents != 0) output_->Drain();
    if (ready > 0 && entries[0].revents != 0) return Status::kOk;
    if (Now() >= deadline_) return Status::kTimeout;
  }
}

ProcessChannel::Status ProcessChannel::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(to_child_.Get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
    } else if (!Again()) {
      return Status::kEnded;
    } else if (const Status status = AwaitReady(to_child_.Get(), POLLOUT); status != Status::kOk) {
      return status;
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
      return MustEnd() ? Status::kMustEnd : Now() >= latest_ ? Status::kTimeout : Status::kOk;
    }
    if (got == 0 || !Again()) return Status::kEnded;
    if (const Status status = AwaitReady(from_child_.Get(), POLLIN); status != Status::kOk) return status;
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

ProcessChannel::Status ProcessChannel::Read(std::span<std::byte> bytes, size_t* got) {
  *got = 0;
  while (!bytes.empty()) {
    if (buffer_.empty()) {
      if (const Status status = FillBuffer(); status != Status::kOk) return status;
    }
    const size_t part = std::min(bytes.size(), buffer_.size());
    std::memcpy(bytes.data(), buffer_.data(), part);
    buffer_.erase(0, part);
    bytes = bytes.subspan(part);
    *got += part;
  }
  return Status::kOk;
}

}  // namespace poolproof::worker
