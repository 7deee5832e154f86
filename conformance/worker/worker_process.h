// The worker process as the runner sees it: started, given batches, waited for, killed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/worker/cell.h"
#include "conformance/worker/child_process.h"
#include "conformance/worker/output_capture.h"
#include "conformance/worker/shared_memory.h"

namespace poolproof::worker {

// How waiting for a batch came to an end.
struct ProcessEnd {
  enum Kind { kDone, kDied, kTimeout, kMustEnd } kind = kDone;
  int wait_status = 0;  // kDied
  bool left = false;    // kDied: it had closed its end of the socket, and had to be killed
  std::string excess;   // kDied: it was killed for what it took
  int64_t step = -1;    // where it was; -1: it had not begun
};

// A number of a process, such as its threads, by calls of run: some hundred samples, however many batches.
struct Growth {
  static constexpr size_t kMost = 256;
  std::vector<std::pair<int64_t, int64_t>> samples;  // calls of run so far, number

  void Add(int64_t calls, int64_t number);
  // The number after that many calls.
  int64_t At(int64_t calls) const;
  int64_t Last() const { return samples.empty() ? 0 : samples.back().second; }
  // Calls by which it grows by one, 0 where it does not. What is opened once, however much, is no growth: that goes on
  // in the second half of all calls.
  int64_t CallsPerOne() const;
};

class WorkerProcess {
 public:
  // Writes path and options to where the worker reads them. False if they are too long for it, or
  // if the log cannot be opened.
  bool Prepare(const LaneOptions& options, SharedMemory* memory, Error* error);
  ~WorkerProcess() { Stop(); }

  // Starts the process and waits until the backend is loaded; one sentence if that fails. A process
  // that is killed from outside meanwhile is started once more.
  bool Start(Error* error);
  // The same for a backend that has started before: it is tried some times, and that it failed is a fault.
  bool StartAgain(Error* error);
  // Lets the process end on its own, so that the backend's destroy and its exit handlers run; kills
  // it if it takes long. What goes wrong there is a fault.
  void Stop();
  void Kill() { child_.Kill(); }
  const std::vector<ProcessFault>& Faults() const { return faults_; }

  // Lets the worker run the batch, which may take `needed_bytes` of the shared memory beside the bound.
  void SendBatch(uint64_t needed_bytes);
  ProcessEnd AwaitBatch();

  std::vector<CellPart> CellParts() const { return cell_.Parts(); }
  int Id() const { return child_.Id(); }
  double StartSeconds() const { return start_seconds_; }
  int64_t StdoutBytes() const { return output_.StdoutBytes(); }

 private:
  // Waits for a byte from the worker until `deadline`, which is asked for again and again.
  enum class Got { kByte, kEnd, kNothing, kMustEnd, kExcess };
  Got AwaitByte(const std::function<int64_t()>& deadline);
  bool StartOnce(Error* error, bool* killed);
  std::string LoadFailure(Got got, bool* killed);
  int ReapAfterEnd(bool* left);
  // Says which of the bounds the process has passed that no limit of the system keeps; empty: none.
  std::string Excess() const;
  void EndWith(std::optional<int> status);
  void CheckGrowth();
  double ExitSeconds() const;
  bool MustEnd() const { return must_end_ && must_end_(); }

  SharedMemory* memory_ = nullptr;
  std::string path_;
  double timeout_seconds_ = 0;
  double load_timeout_seconds_ = 0;
  double exit_timeout_seconds_ = 0;
  uint64_t memory_bytes_ = 0, needed_bytes_ = 0;  // shared memory: beside what the batch needs, and that
  std::function<bool()> must_end_;
  CellFile cell_;
  OutputCapture output_;
  ChildProcess child_;
  pid_t backend_ = 0;  // that runs the backend: the child, or one below it in namespaces of its own
  bool namespaces_ = false;
  FileDescriptor control_;
  std::string excess_;        // kExcess: what it was
  bool loaded_ = false;       // the process runs batches
  double start_seconds_ = 0;  // that it took to start last
  int64_t kills_ = 0;         // of the system for lack of memory, before it was started
  Growth descriptors_;        // the lowest one that is free
  Growth threads_;
  std::vector<ProcessFault> faults_;
};

// " in run"; "" while no function of the backend is called.
const char* PhaseText(Phase phase);

}  // namespace poolproof::worker
