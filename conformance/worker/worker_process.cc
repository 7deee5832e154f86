#include "conformance/worker/worker_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "fmt/format.h"

namespace poolproof::worker {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
// How often a wait looks whether the process is still there, whatever its descriptors say.
constexpr int64_t kTick = kSecond / 5;
constexpr double kStopSeconds = 2;

int64_t Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

int64_t Nanoseconds(double seconds) { return static_cast<int64_t>(seconds * kSecond); }

bool WriteConfig(const std::string& path, const LaneOptions& options, RunnerBlock* block) {
  std::string text = path + '\0';
  for (const std::string& option : options.options) text += option + '\0';
  if (text.size() > sizeof(block->config)) return false;
  std::memcpy(block->config, text.data(), text.size());
  block->option_count = static_cast<int32_t>(options.options.size());
  return true;
}

}  // namespace

bool WorkerProcess::Prepare(const LaneOptions& options, SharedMemory* memory, Error* error) {
  memory_ = memory;
  timeout_seconds_ = options.timeout_seconds;
  load_timeout_seconds_ = options.load_timeout_seconds;
  std::error_code ignored;
  // dlopen would search the system's folders for a name without a slash.
  path_ = std::filesystem::absolute(options.backend, ignored).string();
  if (!std::filesystem::exists(path_, ignored)) {
    error->message = "no such file: " + options.backend;
    return false;
  }
  RunnerBlock* block = memory_->Runner();
  block->layout_version = kLayoutVersion;
  block->placements = options.odd_starts ? 3 : 2;
  if (!WriteConfig(path_, options, block)) {
    error->message = fmt::format("path and options of the backend are longer than {} bytes",
                                 sizeof(block->config));
    return false;
  }
  return output_.Open(options.log_path, error);
}

bool WorkerProcess::Start(Error* error) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    error->message = std::string("cannot make a socket: ") + std::strerror(errno);
    return false;
  }
  control_ = FileDescriptor::MovedUp(ends[0]);
  const FileDescriptor theirs = FileDescriptor::MovedUp(ends[1]);
  WorkerBlock* block = memory_->Worker();
  block->fault.signal.store(0);
  block->step.store(-1);
  block->load_error[0] = '\0';
  const std::vector<std::string> arguments = {
      "poolproof-worker", std::string(kWorkerArgument) + std::to_string(kWorkerFd)};
  if (!child_.Start("/proc/self/exe", arguments,
                    {output_.Stdin(), output_.Stdout(), output_.Stderr(), theirs.Get(),
                     memory_->Descriptor()},
                    error)) {
    return false;
  }
  error->message = LoadFailure(AwaitByte(Now() + Nanoseconds(load_timeout_seconds_)));
  output_.Drain();
  return error->message.empty();
}

std::string WorkerProcess::LoadFailure(Got got) {
  if (got == Got::kNothing) {
    child_.Kill();
    return fmt::format("loading {} took more than {} s", path_, load_timeout_seconds_);
  }
  if (got == Got::kByte) {
    const std::string error = memory_->Worker()->load_error;
    if (!error.empty()) Stop();
    return error;
  }
  const int status = ReapAfterEnd();
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOtherProgram) {
    return "the program was replaced while it was running";
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory) {
    return "the backend process cannot map the shared memory";
  }
  return fmt::format("the process died while loading {}: {}", path_, DescribeExit(status));
}

void WorkerProcess::Stop() {
  control_.Close();
  if (child_.Running() && !child_.WaitFor(kStopSeconds)) child_.Kill();
  if (output_.Stdout() >= 0) output_.Drain();
}

void WorkerProcess::SendBatch() {
  memory_->Worker()->fault.signal.store(0);
  memory_->Worker()->step.store(-1, std::memory_order_release);
  // A worker that is gone is noticed where its answer is awaited.
  (void)!send(control_.Get(), &kBatchByte, 1, MSG_NOSIGNAL);
}

// The limit counts for one case: it begins anew whenever the worker begins another one.
int64_t WorkerProcess::CaseDeadline(int64_t sent) const {
  const WorkerBlock* block = memory_->Worker();
  const bool began = block->step.load(std::memory_order_acquire) >= 0;
  const int64_t since = began ? block->started.load(std::memory_order_relaxed) : sent;
  return since + Nanoseconds(timeout_seconds_);
}

WorkerProcess::Got WorkerProcess::AwaitByte(int64_t deadline) {
  while (true) {
    const int64_t wait = std::clamp<int64_t>(deadline - Now(), 0, kTick);
    pollfd entry = {control_.Get(), POLLIN, 0};
    const timespec time = {wait / kSecond, wait % kSecond};
    if (ppoll(&entry, 1, &time, nullptr) > 0) {
      char byte = 0;
      return recv(control_.Get(), &byte, 1, 0) == 1 ? Got::kByte : Got::kEnd;
    }
    if (wait == 0) return Got::kNothing;
    output_.Drain();
    // Its children may hold the socket open after its death.
    if (child_.HasEnded()) return Got::kEnd;
  }
}

// A process that closed its end but lives has been tampered with; it does not get to go on.
int WorkerProcess::ReapAfterEnd() {
  const std::optional<int> status = child_.WaitFor(kStopSeconds);
  return status ? *status : child_.Kill();
}

ProcessEnd WorkerProcess::AwaitBatch() {
  ProcessEnd end;
  const int64_t sent = Now();
  while (true) {
    const Got got = AwaitByte(CaseDeadline(sent));
    if (got == Got::kNothing && CaseDeadline(sent) > Now()) continue;
    end.step = memory_->Worker()->step.load(std::memory_order_acquire);
    if (got == Got::kNothing) {
      end.kind = ProcessEnd::kTimeout;
      child_.Kill();
    } else if (got == Got::kEnd) {
      end.kind = ProcessEnd::kDied;
      end.wait_status = ReapAfterEnd();
    }
    output_.Drain();
    return end;
  }
}

}  // namespace poolproof::worker
