#include "conformance/worker/command_main.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "conformance/worker/cell.h"
#include "conformance/worker/child_process.h"

namespace poolproof::worker {
namespace {

volatile sig_atomic_t g_signals_scoped = 0;

void KillCell(int) {
  if (g_signals_scoped != 0) kill(-1, SIGKILL);
  kill(0, SIGKILL);
}

// Ends this process by the signal that ended the child.
int EndBy(int signal) {
  ::signal(signal, SIG_DFL);
  raise(signal);
  return 128 + signal;
}

// Ends all that the program started and that still runs. How much that was.
int64_t EndDescendants(const CellState& state) {
  int64_t ended = 0;
  while (true) {
    // All of the cell at once where that can be had, so that nothing can start more meanwhile.
    if (state.signals_scoped) {
      kill(-1, SIGKILL);
    } else {
      for (const pid_t child : CountTasks("self", kMostThreads).children) kill(child, SIGKILL);
    }
    int status = 0;
    const pid_t reaped = waitpid(-1, &status, 0);
    if (reaped < 0 && errno == ECHILD) return ended;
    if (reaped > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ++ended;
  }
}

// Waits for the program, and looks how many processes and threads it has started. SIGCHLD is blocked.
int AwaitProgram(pid_t program, const CellState& state) {
  constexpr timespec kLook = {0, 50'000'000};
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  int status = 0;
  while (true) {
    const pid_t reaped = waitpid(-1, &status, WNOHANG);
    if (reaped == program || (reaped < 0 && errno != EINTR)) return status;
    if (reaped != 0) continue;
    const Tasks tasks = CountTasks("self", kMostThreads);
    const bool many = state.processes > 0 && static_cast<int64_t>(tasks.children.size()) > state.processes;
    if (many || tasks.threads > kMostThreads) {
      EndDescendants(state);
      _exit(many ? kTooManyProcesses : kTooManyThreads);
    }
    sigtimedwait(&ended, nullptr, &kLook);
  }
}

void BlockSigchld(int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(how, &set, nullptr);
}

}  // namespace

// A core file of a process with gigabytes of sparse memory is of no use. One byte, not zero: that
// is the limit which also keeps a core handler from being started.
void DisableCoreFiles() {
  const rlimit limit = {1, 1};
  setrlimit(RLIMIT_CORE, &limit);
}

void ContinueInChild() {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return;
  }
  if (child < 0) _exit(kNoShell);
  syscall(__NR_close_range, 0u, ~0u, 0u);  // the child has them; glibc has a function from 2.34 on
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  _exit(WIFSIGNALED(status) ? EndBy(WTERMSIG(status)) : WEXITSTATUS(status));
}

// A command that is a program with its arguments, and nothing for a shell to do, is run in the shell's place.
std::string InPlaceOfShell(const std::string& command) {
  const std::string first = command.substr(0, command.find(' '));
  const bool plain = command.find_first_of(";&|<>(){}\n") == command.npos && first.find('=') == first.npos;
  return plain && first != "exec" ? "exec " + command : command;
}

int RunCommand(int cell, const char* command) {
  DisableCoreFiles();
  signal(SIGTERM, KillCell);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const CellState state = EnterCell(cell);
  // A process that the program leaves behind becomes a child of this process, which it cannot look into.
  KeepOthersAway();
  g_signals_scoped = state.signals_scoped ? 1 : 0;
  BlockSigchld(SIG_BLOCK);
  const pid_t child = fork();
  if (child == 0) {
    BlockSigchld(SIG_UNBLOCK);
    signal(SIGTERM, SIG_DFL);
    if (state.names_open && !EnterProgram(cell)) _exit(kNoShell);
    close(cell);
    execl("/bin/sh", "sh", "-c", (state.names_open ? InPlaceOfShell(command) : std::string(command)).c_str(), nullptr);
    _exit(kNoShell);
  }
  if (child < 0) {
    std::fprintf(stderr, "cannot start a process: %s\n", std::strerror(errno));
    return kNoShell;
  }
  // Only the program itself may keep its stdout open.
  close(0);
  close(1);
  const int status = AwaitProgram(child, state);
  const int64_t left = EndDescendants(state);
  if (left > 0) ReportLeftBehind(cell, left);
  return WIFSIGNALED(status) ? EndBy(WTERMSIG(status)) : WEXITSTATUS(status);
}

}  // namespace poolproof::worker
