// A child process in a process group of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/spec.h"
#include "conformance/worker/lane.h"

namespace poolproof::worker {

// The hidden arguments, the bytes on the control socket, and exit statuses of the worker process
// itself (a backend that calls exit can of course use the same).
inline constexpr std::string_view kWorkerArgument = "--worker";
inline constexpr std::string_view kCommandArgument = "--worker-command=";
// The control socket; the runner's memory, the worker's, and the cell follow.
inline constexpr int kWorkerFd = 3;
inline constexpr int kCellFd = 3;  // of a program, after stdin, stdout and stderr
inline constexpr char kReadyByte = 'r', kBatchByte = 'b', kDoneByte = 'd';
inline constexpr int kNotLoaded = 110, kNoMemory = 111, kOtherProgram = 112, kTooManyProcesses = 114,
                     kTooManyThreads = 115, kNoShell = 127;

// The folder of this program, and the program of worker processes, which lies beside it.
std::string ProgramFolder();
std::string WorkerProgram();

class ChildProcess {
 public:
  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { Kill(); }

  // Starts `path` with `arguments` (the first is the program's name) and `environment` ("NAME=value").
  // descriptors[i] becomes descriptor i of the child, which has no other; they have to be numbered
  // from 32 on.
  bool Start(const std::string& path, const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment, const std::vector<int>& descriptors, Error* error);

  bool Running() const { return pid_ > 0; }
  pid_t Id() const { return pid_; }
  // Whether it has ended and not been waited for yet.
  bool HasEnded() const;
  // Waits up to `seconds` for it to end on its own: the wait status if it has; it then counts as not
  // running. What is left of its group is killed, after a moment of `grace_seconds` to end.
  std::optional<int> WaitFor(double seconds, double grace_seconds = 0);
  // Asks the whole group to end, by SIGTERM; kills it where it does not within a second.
  void End();
  // Kills the whole group and waits. The status with which the process ended, 0 if it was not
  // running.
  int Kill();
  // Whether the thread that started it has ended, with which the system kills it.
  bool LostItsThread() const;
  // Whether others of its group outlived the process that ended on its own last, and the grace.
  bool LeftOthersBehind() const { return left_others_behind_; }

 private:
  int Reap();

  pid_t pid_ = 0, thread_ = 0;
  bool left_others_behind_ = false;
};

// More threads than any machine has cores for.
inline constexpr int64_t kMostThreads = 8192;
// Threads of a process (its id, or "self"), and the processes that it has started; then theirs, as long as there are no
// more than `most` of either. Process ids are those of the namespace that /proc is of.
struct Tasks {
  int64_t threads = 0;
  std::vector<pid_t> children;
};
Tasks CountTasks(const std::string& process, int64_t most);

// Kills and reaps the processes that ended ones left behind, which become children of this one (see KeepOthersAway).
// Returns how many there were.
int64_t EndOrphans();

// No other process of this user may look into this one any more, and orphans of backend processes
// become its children. Once for the whole process; under a sanitizer, which looks into its own
// process, the latter only.
void KeepOthersAway();

// Whether another process may have ended it: by SIGKILL or SIGTERM.
bool WasKilled(int wait_status);

// How often the system has killed a process since it was started because there was no memory left; -1: unknown.
int64_t OutOfMemoryKills();
// The fault of a process that was killed in a phase (" in run"), after which there had been `kills` before it was
// started: a warning if the system has killed one since, otherwise nobody is known to have sent the signal.
ProcessFault KillOf(int wait_status, const std::string& phase, int64_t kills);

// "exited with status 3", "received signal SIGSEGV", "was killed by signal SIGKILL".
std::string DescribeExit(int wait_status);
std::string SignalName(int signal);

}  // namespace poolproof::worker
