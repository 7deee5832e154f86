#include "conformance/worker/child_process.h"

#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "conformance/worker/clock.h"

namespace poolproof::worker {
namespace {

constexpr int64_t kStep = 200'000;  // nanoseconds between two looks

void Sleep(int64_t nanoseconds) {
  const timespec time = AsTimespec(nanoseconds);
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

std::optional<int> ChildProcess::WaitFor(double seconds, double grace_seconds) {
  const int64_t deadline = Now() + Nanoseconds(seconds);
  while (!HasEnded()) {
    if (Now() >= deadline) return std::nullopt;
    Sleep(kStep);
  }
  const pid_t group = pid_;
  const int status = Reap();
  const int64_t end = Now() + Nanoseconds(grace_seconds);
  while (kill(-group, 0) == 0 && Now() < end) Sleep(kStep);
  left_others_behind_ = kill(-group, SIGKILL) == 0;
  return status;
}

int ChildProcess::Kill() {
  if (pid_ <= 0) return 0;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);  // it may have left its group
  return Reap();
}

int ChildProcess::Reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  left_others_behind_ = false;
  return status;
}

bool WasKilled(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return false;
  return WTERMSIG(wait_status) == SIGKILL || WTERMSIG(wait_status) == SIGTERM;
}

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "number " + std::to_string(signal) : std::string("SIG") + name;
}

std::string DescribeExit(int wait_status) {
  if (WIFEXITED(wait_status)) {
    return "exited with status " + std::to_string(WEXITSTATUS(wait_status));
  }
  return (WasKilled(wait_status) ? "killed by signal " : "received signal ") +
         SignalName(WTERMSIG(wait_status));
}

}  // namespace poolproof::worker
