#include "conformance/worker/worker_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "conformance/format/text.h"
#include "conformance/worker/clock.h"
#include "fmt/format.h"

namespace poolproof {

void AddFault(const ProcessFault& fault, std::vector<ProcessFault>* faults) {
  for (ProcessFault& known : *faults) {
    if (known.text != fault.text) continue;
    known.times += fault.times;
    return;
  }
  faults->push_back(fault);
}

namespace worker {
namespace {

// How often a wait looks whether the process is still there, whatever its descriptors say.
constexpr int64_t kTick = kSecond / 5;
constexpr double kStopSeconds = 2;
constexpr int kStarts = 3;
// Time that processes of a backend have to end after it has.
constexpr double kGraceSeconds = 1;
// Descriptors or threads that are left are a leak from this number on.
constexpr int64_t kLeaked = 16;

// Threads of a process, by the links of the folder that has one each; 0 where it is gone.
int64_t ThreadsOf(int process) {
  struct stat folder = {};
  return stat(fmt::format("/proc/{}/task", process).c_str(), &folder) == 0 ? static_cast<int64_t>(folder.st_nlink) : 0;
}

bool WriteConfig(const std::string& path, const LaneOptions& options, RunnerBlock* block) {
  std::string text = path + '\0';
  const std::vector<std::string> all = options.AllOptions();
  for (const std::string& option : all) text += option + '\0';
  if (text.size() > sizeof(block->config)) return false;
  std::memcpy(block->config, text.data(), text.size());
  block->option_count = static_cast<int32_t>(all.size());
  return true;
}

}  // namespace

void Growth::Add(int64_t calls, int64_t number) {
  if (!samples.empty() && samples.back().first == calls) samples.pop_back();
  samples.emplace_back(calls, number);
  if (samples.size() <= kMost) return;
  // Every second one, and the last.
  for (size_t i = 0; 2 * i < samples.size(); ++i) samples[i] = samples[2 * i];
  samples.resize((samples.size() + 1) / 2);
}

int64_t Growth::At(int64_t calls) const {
  int64_t number = 0;
  for (const auto& [by, so_far] : samples) number = by <= calls ? so_far : number;
  return number;
}

int64_t Growth::CallsPerOne() const {
  if (samples.empty()) return 0;
  const auto& [first_calls, first] = samples.front();
  const auto& [calls, last] = samples.back();
  const int64_t more = last - first, late = last - At(first_calls + (calls - first_calls) / 2);
  if (more < kLeaked || late < more / 4) return 0;
  return std::max<int64_t>((calls - first_calls) / more, 1);
}

double WorkerProcess::ExitSeconds() const {
  return exit_timeout_seconds_ > 0 ? exit_timeout_seconds_
                                   : std::max({timeout_seconds_, 2 * start_seconds_, kStopSeconds});
}

bool WorkerProcess::Prepare(const LaneOptions& options, SharedMemory* memory, Error* error) {
  memory_ = memory;
  timeout_seconds_ = options.timeout_seconds;
  load_timeout_seconds_ = options.load_timeout_seconds;
  exit_timeout_seconds_ = options.exit_timeout_seconds;
  memory_bytes_ = static_cast<uint64_t>(options.cell.memory_bytes);
  must_end_ = options.must_end;
  namespaces_ = options.cell.isolation == Isolation::kFull;
  std::error_code ignored;
  // dlopen would search the system's folders for a name without a slash.
  path_ = std::filesystem::absolute(options.backend, ignored).string();
  if (!std::filesystem::exists(path_, ignored)) {
    const std::string command =
        " (a command is judged with --backend=" + ShellQuoted("process:" + options.backend) + ")";
    return Fail("no such file: " + options.backend + (options.backend.find(' ') == options.backend.npos ? "" : command),
                error);
  }
  RunnerBlock* block = memory_->Runner();
  block->layout_version = kLayoutVersion;
  block->placements = options.odd_starts ? 3 : 2;
  block->base = kWorkerBase;
  std::copy(std::begin(kPrefill), std::end(kPrefill), block->prefill);
  if (!WriteConfig(path_, options, block)) {
    return Fail(fmt::format("path and options of the backend are longer than {} bytes", sizeof(block->config)), error);
  }
  return cell_.Create(options.cell, path_, error) && output_.Open(options.log_path, options.log_bytes, error);
}

bool WorkerProcess::Start(Error* error) {
  bool killed = false;
  return StartOnce(error, &killed) || (killed && StartOnce(error, &killed));
}

bool WorkerProcess::StartAgain(Error* error) {
  for (int attempt = 0; attempt < kStarts && !MustEnd(); ++attempt) {
    if (Start(error)) return true;
    AddFault({"did not start at first: " + error->message}, &faults_);
    if (start_seconds_ >= load_timeout_seconds_) break;  // it may hang each time
  }
  return false;
}

bool WorkerProcess::StartOnce(Error* error, bool* killed) {
  CheckGrowth();
  loaded_ = false;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Fail("cannot make a socket: " + DescriptorError(), error);
  }
  control_ = FileDescriptor::MovedUp(ends[0]);
  const FileDescriptor theirs = FileDescriptor::MovedUp(ends[1]);
  if (!control_.Valid() || !theirs.Valid()) return Fail("cannot make a socket: " + DescriptorError(), error);
  WorkerBlock* block = memory_->Worker();
  std::memset(static_cast<void*>(block), 0, sizeof(*block));
  block->step.store(-1);
  cell_.Rewind();
  if (!child_.Start(WorkerProgram(), {"poolproof-worker", std::string(kWorkerArgument)}, cell_.Environment(),
                    {output_.Stdin(), output_.Stdout(), output_.Stderr(), theirs.Get(), memory_->RunnerDescriptor(),
                     memory_->WorkerDescriptor(), cell_.Get()},
                    error)) {
    return false;
  }
  const int64_t begun = Now(), deadline = begun + Nanoseconds(load_timeout_seconds_);
  kills_ = OutOfMemoryKills();
  error->message = LoadFailure(AwaitByte([deadline] { return deadline; }), killed);
  output_.Drain();
  loaded_ = error->message.empty();
  backend_ = child_.Id();
  if (namespaces_ && loaded_) {
    // The child of the child (EnterNamespaces).
    const std::vector<pid_t> below = CountTasks(std::to_string(backend_), kMostThreads).children;
    if (below.size() > 1) backend_ = below[1];
  }
  start_seconds_ = static_cast<double>(Now() - begun) / static_cast<double>(kSecond);
  return loaded_;
}

std::string WorkerProcess::LoadFailure(Got got, bool* killed) {
  *killed = false;
  if (got == Got::kNothing) {
    child_.Kill();
    return fmt::format("loading {} took more than {} s", path_, load_timeout_seconds_);
  }
  if (got == Got::kMustEnd) {
    child_.Kill();
    return fmt::format("the run had to end while {} was being loaded", path_);
  }
  if (got == Got::kExcess) {
    child_.Kill();
    return fmt::format("{} {} while it was loaded", path_, excess_);
  }
  if (got == Got::kByte) {
    const auto& text = memory_->Worker()->load_error;
    const std::string error = Printable(std::string_view(text, strnlen(text, sizeof(text))), sizeof(text));
    if (!error.empty()) Stop();
    return error;
  }
  bool left = false;
  const int status = ReapAfterEnd(&left);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOtherProgram) {
    return WorkerProgram() + " is of another version than this program";
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory) {
    return "the backend process cannot map the shared memory";
  }
  *killed = WasKilled(status);
  if (*killed) AddFault(KillOf(status, " while it was loaded", kills_), &faults_);
  return fmt::format("the process died while loading {}: {}", path_, DescribeExit(status));
}

void WorkerProcess::Stop() {
  control_.Close();
  if (child_.Running()) {
    const int64_t deadline = Now() + Nanoseconds(ExitSeconds());
    std::optional<int> status;
    // A full pipe would keep it from ending.
    do {
      output_.Drain();
      status = child_.WaitFor(0.02, kGraceSeconds);
    } while (!status && Now() < deadline && !MustEnd());
    EndWith(status);
  }
  if (output_.Stdout() >= 0) output_.Drain();
}

// A process that could not load anything has nothing to end.
void WorkerProcess::EndWith(std::optional<int> status) {
  const auto phase = static_cast<Phase>(memory_->Worker()->phase.load());
  if (!status) child_.End();
  if (!std::exchange(loaded_, false)) return;
  CheckGrowth();
  if (!status) {
    AddFault({fmt::format("took more than {:.3g} s{}", ExitSeconds(), PhaseText(phase)), 1, true}, &faults_);
  } else if (WasKilled(*status)) {
    if (!child_.LostItsThread()) AddFault(KillOf(*status, PhaseText(phase), kills_), &faults_);
  } else if (*status != 0) {
    AddFault({DescribeExit(*status) + PhaseText(phase)}, &faults_);
  }
  if (child_.LeftOthersBehind()) AddFault({"left a process behind"}, &faults_);
}

void WorkerProcess::CheckGrowth() {
  const Growth descriptors = std::exchange(descriptors_, {}), threads = std::exchange(threads_, {});
  static constexpr char kText[] = "leaves {}, one more in every {} calls of run";
  if (descriptors.Last() == INT32_MAX) {
    AddFault({"leaves descriptors open until none is free"}, &faults_);
  } else if (const int64_t calls = descriptors.CallsPerOne(); calls > 0) {
    AddFault({fmt::format(kText, "descriptors open", calls)}, &faults_);
  }
  // A pool may grow for long.
  if (const int64_t calls = threads.CallsPerOne(); calls > 0) {
    AddFault({fmt::format(kText, "threads running", calls), 1, true}, &faults_);
  }
}

void WorkerProcess::SendBatch(uint64_t needed_bytes) {
  needed_bytes_ = needed_bytes;
  memory_->Worker()->step.store(-1, std::memory_order_release);
  // A worker that is gone is noticed where its answer is awaited.
  (void)!send(control_.Get(), &kBatchByte, 1, MSG_NOSIGNAL);
}

WorkerProcess::Got WorkerProcess::AwaitByte(const std::function<int64_t()>& deadline) {
  const auto [out, err] = output_.Readers();
  int64_t looked = Now();
  while (true) {
    const int64_t wait = std::clamp<int64_t>(deadline() - Now(), 0, kTick);
    pollfd entries[] = {{control_.Get(), POLLIN, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}};
    const timespec time = AsTimespec(wait);
    const int ready = ppoll(entries, std::size(entries), &time, nullptr);
    if (ready > 0 && (entries[1].revents | entries[2].revents) != 0) output_.Drain();
    if (ready > 0 && entries[0].revents != 0) {
      // A byte out of band makes the socket readable, and is no answer.
      char byte = 0;
      return recv(control_.Get(), &byte, 1, MSG_DONTWAIT) == 1 ? Got::kByte : Got::kEnd;
    }
    if (deadline() <= Now()) return Got::kNothing;
    if (MustEnd()) return Got::kMustEnd;
    if (Now() - looked >= kTick) {
      excess_ = Excess();
      if (!excess_.empty()) return Got::kExcess;
      looked = Now();
    }
    // Its children may hold the socket open after its death.
    if (child_.HasEnded()) return Got::kEnd;
  }
}

std::string WorkerProcess::Excess() const {
  if (CountTasks(std::to_string(child_.Id()), kMostThreads).threads > kMostThreads) {
    return "started more threads than it may";
  }
  const bool much = memory_bytes_ > 0 && memory_->AllocatedBytes() > memory_bytes_ + needed_bytes_;
  return much ? "took more of the shared memory than it may" : "";
}

// A process that closed its end but lives has been tampered with; it does not get to go on.
int WorkerProcess::ReapAfterEnd(bool* left) {
  const std::optional<int> status = child_.WaitFor(kStopSeconds);
  *left = !status;
  return status ? *status : child_.Kill();
}

// The limit counts for one case, by the runner's clock: it begins again whenever the worker is seen to have come to a
// later one of the batch.
ProcessEnd WorkerProcess::AwaitBatch() {
  ProcessEnd end;
  const WorkerBlock* block = memory_->Worker();
  const RunnerBlock* runner = memory_->Runner();
  const int64_t steps = int64_t{runner->placements} * runner->case_count;
  int64_t seen = -1, since = Now();
  const Got got = AwaitByte([&] {
    const int64_t step = block->step.load(std::memory_order_acquire);
    if (step > seen && step < steps) {
      seen = step;
      since = Now();
    }
    return since + Nanoseconds(timeout_seconds_);
  });
  end.step = block->step.load(std::memory_order_acquire);
  if (got == Got::kNothing) {
    end.kind = ProcessEnd::kTimeout;
    child_.Kill();
  } else if (got == Got::kMustEnd) {
    end.kind = ProcessEnd::kMustEnd;
    child_.Kill();
  } else if (got == Got::kExcess) {
    end.kind = ProcessEnd::kDied;
    end.excess = excess_;
    child_.Kill();
  } else if (got == Got::kEnd) {
    end.kind = ProcessEnd::kDied;
    end.wait_status = ReapAfterEnd(&end.left);
    const auto phase = static_cast<Phase>(block->phase.load());
    if (!end.left && WasKilled(end.wait_status)) AddFault(KillOf(end.wait_status, PhaseText(phase), kills_), &faults_);
  } else {
    const int64_t calls = block->calls.load(std::memory_order_relaxed);
    descriptors_.Add(calls, block->free_descriptor.load(std::memory_order_relaxed));
    threads_.Add(calls, ThreadsOf(backend_));
  }
  output_.Drain();
  return end;
}

const char* PhaseText(Phase phase) {
  switch (phase) {
    case Phase::kInferShapes: return " in infer_shapes";
    case Phase::kRun: return " in run";
    case Phase::kLastError: return " in last_error";
    case Phase::kDestroy: return " in destroy";
    case Phase::kExit: return " after destroy";
    default: return "";
  }
}

}  // namespace worker
}  // namespace poolproof
