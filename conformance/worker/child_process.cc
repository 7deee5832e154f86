#include "conformance/worker/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>

#include "conformance/worker/clock.h"
#include "conformance/worker/sanitizers.h"

namespace poolproof::worker {
namespace {

constexpr int64_t kStep = 200'000;  // nanoseconds between two looks

void Sleep(int64_t nanoseconds) {
  const timespec time = AsTimespec(nanoseconds);
  nanosleep(&time, nullptr);
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Processes that this program has started and will reap.
std::mutex g_mutex;
std::set<pid_t> g_own;

// The value of a line of /proc/PID/status; "" where there is none.
std::string StatusOf(pid_t process, const std::string& key) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key + ":\t")) return line.substr(key.size() + 2);
  }
  return "";
}

bool IsRunning(pid_t process) { return StatusOf(process, "State").find_first_of("ZX") != 0; }

// Children of this process that come out of a cell: processes there, and no other children,
// have given up new privileges.
std::vector<pid_t> Orphans() {
  std::vector<pid_t> orphans;
  std::error_code none;
  const std::lock_guard lock(g_mutex);
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child; list >> child;) {
      if (!g_own.contains(child) && StatusOf(child, "NoNewPrivs") == "1") orphans.push_back(child);
    }
  }
  return orphans;
}

bool HasOrphans() {
  const std::vector<pid_t> orphans = Orphans();
  return std::any_of(orphans.begin(), orphans.end(), IsRunning);
}

// The child starts with no signal blocked or ignored, whatever the runner does with them.
void SetAttributes(posix_spawnattr_t* attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_init(attributes);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setpgroup(attributes, 0);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

// In the child nothing is open from `first` on. Before glibc 2.34 spawn has no action for it; then nothing that is open
// here outlives an exec.
void CloseFrom(int first, posix_spawn_file_actions_t* actions) {
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  static_cast<void>(actions);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int descriptor = std::stoi(entry.path().filename().string());
    if (descriptor >= first) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
#endif
}

}  // namespace

std::string ProgramFolder() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path().string();
}

std::string WorkerProgram() { return ProgramFolder() + "/poolproof-worker"; }

bool ChildProcess::Start(const std::string& path, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment, const std::vector<int>& descriptors,
                         Error* error) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (size_t i = 0; i < descriptors.size(); ++i) {
    posix_spawn_file_actions_adddup2(&actions, descriptors[i], static_cast<int>(i));
  }
  CloseFrom(static_cast<int>(descriptors.size()), &actions);
  posix_spawnattr_t attributes;
  SetAttributes(&attributes);
  const std::lock_guard lock(g_mutex);
  const int failure =
      posix_spawn(&pid_, path.c_str(), &actions, &attributes, Pointers(arguments).data(), Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == 0) g_own.insert(pid_);
  thread_ = gettid();
  if (failure == 0) return true;
  pid_ = 0;
  return Fail("cannot start " + path + ": " + strerror(failure), error);
}

bool ChildProcess::HasEnded() const {
  siginfo_t ended = {};
  const int options = WEXITED | WNOHANG | WNOWAIT;
  return pid_ > 0 && waitid(P_PID, static_cast<id_t>(pid_), &ended, options) == 0 && ended.si_pid == pid_;
}

std::optional<int> ChildProcess::WaitFor(double seconds, double grace_seconds) {
  const int64_t deadline = Now() + Nanoseconds(seconds);
  while (!HasEnded()) {
    if (Now() >= deadline) return std::nullopt;
    Sleep(kStep);
  }
  const pid_t group = pid_;
  const int status = Reap();
  const int64_t end = Now() + Nanoseconds(grace_seconds);
  while ((kill(-group, 0) == 0 || HasOrphans()) && Now() < end) Sleep(kStep);
  // Orphans first: one that has ended counts as one of its group until it is reaped.
  left_others_behind_ = EndOrphans() > 0;
  left_others_behind_ |= kill(-group, SIGKILL) == 0;
  return status;
}

bool ChildProcess::LostItsThread() const { return thread_ > 0 && tgkill(getpid(), thread_, 0) != 0; }

void ChildProcess::End() {
  constexpr double kSeconds = 1;
  if (pid_ > 0) kill(-pid_, SIGTERM);
  if (pid_ > 0 && !WaitFor(kSeconds)) Kill();
}

int ChildProcess::Kill() {
  if (pid_ <= 0) return 0;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);  // it may have left its group
  const int status = Reap();
  EndOrphans();
  return status;
}

Tasks CountTasks(const std::string& process, int64_t most) {
  Tasks tasks;
  std::error_code none;
  const auto add = [&](const std::string& one) {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + one + "/task", none)) {
      if (++tasks.threads > most) return;
      std::ifstream list(thread.path() / "children");
      for (pid_t child; list >> child;) tasks.children.push_back(child);
    }
  };
  add(process);
  for (size_t i = 0; i < tasks.children.size() && static_cast<int64_t>(tasks.children.size()) <= most; ++i) {
    add(std::to_string(tasks.children[i]));
  }
  return tasks;
}

int64_t EndOrphans() {
  int64_t ended = 0;
  // Ending one may make orphans of what it has started.
  for (std::vector<pid_t> orphans = Orphans(); !orphans.empty(); orphans = Orphans()) {
    for (const pid_t orphan : orphans) {
      const bool zombie = !IsRunning(orphan);
      kill(orphan, SIGKILL);
      while (waitpid(orphan, nullptr, 0) < 0 && errno == EINTR) {
      }
      ended += zombie ? 0 : 1;
    }
  }
  return ended;
}

void KeepOthersAway() {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (!kAddressSanitizer && !kThreadSanitizer) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int ChildProcess::Reap() {
  const std::lock_guard lock(g_mutex);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  g_own.erase(pid_);
  pid_ = 0;
  left_others_behind_ = false;
  return status;
}

bool WasKilled(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return false;
  return WTERMSIG(wait_status) == SIGKILL || WTERMSIG(wait_status) == SIGTERM;
}

int64_t OutOfMemoryKills() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (int64_t number = 0; file >> name >> number;) {
    if (name == "oom_kill") return number;
  }
  return -1;
}

ProcessFault KillOf(int wait_status, const std::string& phase, int64_t kills) {
  const bool no_memory = WTERMSIG(wait_status) == SIGKILL && OutOfMemoryKills() > kills;
  const char* why = no_memory ? ", as the system ran out of memory" : ", which this program did not send";
  return {DescribeExit(wait_status) + phase + why, 1, no_memory};
}

std::string SignalName(int signal) {
  // The C library has these from glibc 2.32 on.
  constexpr const char* kNames[] = {"",       "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
                                    "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
                                    "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
                                    "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};
  const bool known = signal > 0 && static_cast<size_t>(signal) < std::size(kNames);
  return known ? std::string("SIG") + kNames[signal] : "number " + std::to_string(signal);
}

std::string DescribeExit(int wait_status) {
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == kTooManyProcesses) {
    return "started more processes than it may";
  }
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == kTooManyThreads) return "started more threads than it may";
  if (WIFEXITED(wait_status)) {
    return "exited with status " + std::to_string(WEXITSTATUS(wait_status));
  }
  return (WasKilled(wait_status) ? "was killed by signal " : "received signal ") + SignalName(WTERMSIG(wait_status));
}

}  // namespace poolproof::worker
