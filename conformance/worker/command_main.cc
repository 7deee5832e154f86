#include "conformance/worker/command_main.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "conformance/worker/child_process.h"

namespace poolproof::worker {
namespace {

void KillGroup(int) { kill(0, SIGKILL); }

// Ends this process by the signal that ended the child.
int EndBy(int signal) {
  ::signal(signal, SIG_DFL);
  raise(signal);
  return 128 + signal;
}

}  // namespace

// A core file of a process with gigabytes of sparse memory helps nobody. One byte, not zero: that
// is the limit which also keeps a core handler from being started.
void DisableCoreFiles() {
  const rlimit limit = {1, 1};
  setrlimit(RLIMIT_CORE, &limit);
}

int RunCommand(const char* command) {
  DisableCoreFiles();
  signal(SIGTERM, KillGroup);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGTERM, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command, nullptr);
    _exit(kNoShell);
  }
  if (child < 0) {
    std::fprintf(stderr, "cannot start a process: %s\n", std::strerror(errno));
    return kNoShell;
  }
  // Only the program itself may keep its stdout open.
  close(0);
  close(1);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? EndBy(WTERMSIG(status)) : WEXITSTATUS(status);
}

}  // namespace poolproof::worker
