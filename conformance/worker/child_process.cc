#include "conformance/worker/child_process.h"

#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

namespace poolproof::worker {
namespace {

void Sleep(long nanoseconds) {
  const timespec time = {0, nanoseconds};
  nanosleep(&time, nullptr);
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
  posix_spawnattr_setflags(
      attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

}  // namespace

bool ChildProcess::Start(const char* path, const std::vector<std::string>& arguments,
                         const std::vector<int>& descriptors, Error* error) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (size_t i = 0; i < descriptors.size(); ++i) {
    posix_spawn_file_actions_adddup2(&actions, descriptors[i], static_cast<int>(i));
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, static_cast<int>(descriptors.size()));
  posix_spawnattr_t attributes;
  SetAttributes(&attributes);
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  const int failure = posix_spawn(&pid_, path, &actions, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == 0) return true;
  pid_ = 0;
  error->message = std::string("cannot start ") + path + ": " + strerror(failure);
  return false;
}

bool ChildProcess::HasEnded() const {
  siginfo_t ended = {};
  const int options = WEXITED | WNOHANG | WNOWAIT;
  return pid_ > 0 && waitid(P_PID, static_cast<id_t>(pid_), &ended, options) == 0 &&
         ended.si_pid == pid_;
}

std::optional<int> ChildProcess::Poll() {
  if (!HasEnded()) return std::nullopt;
  // What it started itself and left behind goes too; until it is reaped its group is its own.
  return Kill();
}

std::optional<int> ChildProcess::WaitFor(double seconds) {
  constexpr long kStep = 200'000;
  for (int64_t left = static_cast<int64_t>(seconds * 1e9); left > 0; left -= kStep) {
    if (const std::optional<int> status = Poll()) return status;
    Sleep(kStep);
  }
  return Poll();
}

int ChildProcess::Kill() {
  if (pid_ <= 0) return 0;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);  // it may have left its group
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return status;
}

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "number " + std::to_string(signal) : std::string("SIG") + name;
}

std::string DescribeExit(int wait_status) {
  if (WIFEXITED(wait_status)) {
    return "exited with status " + std::to_string(WEXITSTATUS(wait_status));
  }
  const int signal = WTERMSIG(wait_status);
  const bool from_outside = signal == SIGKILL || signal == SIGTERM;
  return (from_outside ? "killed by signal " : "received signal ") + SignalName(signal);
}

}  // namespace poolproof::worker
