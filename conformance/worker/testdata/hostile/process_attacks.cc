#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "conformance/worker/testdata/hostile/attack.h"

namespace poolproof::hostile {
namespace {

constexpr int kMany = 200;

std::string Proc(pid_t process, const std::string& file) { return "/proc/" + std::to_string(process) + "/" + file; }
std::string OfRunner(const std::string& file) { return Proc(g_target.runner, file); }

// Entries of a folder that are numbers.
std::vector<pid_t> Numbers(const std::string& folder) {
  std::vector<pid_t> numbers;
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return numbers;
  while (const dirent* entry = readdir(entries)) {
    if (const int number = std::atoi(entry->d_name); number > 0) numbers.push_back(number);
  }
  closedir(entries);
  return numbers;
}

pid_t ParentOf(pid_t process) {
  std::ifstream file(Proc(process, "status"));
  for (std::string key; file >> key;) {
    pid_t parent = 0;
    if (key == "PPid:" && file >> parent) return parent;
  }
  return 0;
}

// The other workers of the same runner.
std::vector<pid_t> Siblings() {
  std::vector<pid_t> siblings;
  for (const pid_t process : Numbers("/proc")) {
    if (process != getpid() && ParentOf(process) == g_target.runner) siblings.push_back(process);
  }
  return siblings;
}

void TryRead(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char bytes[256];
  Report("read " + path, fd >= 0 && pread(fd, bytes, sizeof(bytes), 0) > 0);
}

void TryList(const std::string& path) {
  DIR* entries = opendir(path.c_str());
  int found = 0;
  errno = EACCES;
  while (entries != nullptr && readdir(entries) != nullptr) ++found;
  Report("list " + path, found > 2);  // . and .. are no news
}

void TrySignal(const char* what, long result) { Report(what, result == 0); }

void SignalTheRunnersThreads() {
  for (const pid_t thread : Numbers(OfRunner("task"))) {
    TrySignal("tkill a thread of the runner", syscall(SYS_tkill, thread, SIGKILL));
    TrySignal("tgkill a thread of the runner", syscall(SYS_tgkill, g_target.runner, thread, SIGKILL));
  }
}

void SignalByDescriptor() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  bool good = fcntl(ends[0], F_SETOWN, g_target.runner) == 0;
  good = good && fcntl(ends[0], F_SETSIG, SIGKILL) == 0;
  good = good && fcntl(ends[0], F_SETFL, O_ASYNC) == 0;
  Report("make the runner the owner of a pipe", good);
  (void)!write(ends[1], "x", 1);
}

void SignalByPidfd() {
  const long fd = syscall(SYS_pidfd_open, g_target.runner, 0);
  Report("pidfd_open of the runner", fd >= 0);
  if (fd >= 0) syscall(SYS_pidfd_send_signal, fd, SIGKILL, nullptr, 0);
}

void QueueSignal() {
  sigval value = {};
  TrySignal("sigqueue to the runner", sigqueue(g_target.runner, SIGTERM, value));
}

void KillSiblings() {
  for (const pid_t sibling : Siblings()) TrySignal("kill a worker", kill(sibling, SIGKILL));
}

// The names of the files may be listed, which are numbers; where they lead may not be seen.
void FollowDescriptors(pid_t process) {
  for (int fd = 0; fd < 64; ++fd) {
    const std::string path = Proc(process, "fd/" + std::to_string(fd));
    char target[256];
    const bool read = readlink(path.c_str(), target, sizeof(target)) > 0;
    if (read || fd == 0) Report("follow " + path, read);
    const int copy = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (copy >= 0 || fd == 0) Report("open " + path, copy >= 0);
  }
}

void ReadSiblings() {
  for (const pid_t sibling : Siblings()) {
    TryRead(Proc(sibling, "maps"));
    TryOpen(Proc(sibling, "mem"), O_RDWR);
    FollowDescriptors(sibling);
  }
}

void ReadOtherProcFiles() {
  for (const char* file : {"auxv", "smaps", "syscall", "stack", "io", "pagemap", "personality"}) {
    TryRead(OfRunner(file));
  }
}

void ReadOutOfTheRunner(long call) {
  char bytes[64];
  iovec here = {bytes, sizeof(bytes)}, there = {&g_target, sizeof(bytes)};
  errno = 0;
  syscall(call, g_target.runner, &here, 1, &there, 1, 0);
  Report("access the memory of the runner", errno == 0 || errno == EFAULT);
}

void AttachTo(int request) {
  const long result = ptrace(static_cast<__ptrace_request>(request), g_target.runner, 0, 0);
  Report("ptrace the runner", result == 0);
}

void StealDescriptor() {
  const long fd = syscall(SYS_pidfd_open, getpid(), 0);
  errno = 0;
  syscall(SYS_pidfd_getfd, fd, 0, 0);
  Report("pidfd_getfd", errno == 0);
}

[[noreturn]] void Stay(const char* name) {
  prctl(PR_SET_NAME, name);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  while (true) sleep(1);
}

void ForkBomb() {
  bool forked = false;
  for (int i = 0; i < kMany; ++i) {
    const pid_t child = fork();
    if (child == 0) Stay("hostile-bomb");
    forked |= child > 0;
  }
  Report("fork", forked);
}

// As a daemon does: away from parent, session and group.
void Daemon(bool session) {
  const pid_t child = fork();
  if (child == 0) {
    if (session) setsid();
    if (fork() == 0) Stay("hostile-daemon");
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
  Report("fork", child > 0);
}

void CloneAsSibling() {
  const long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, 0);
  if (child == 0) Stay("hostile-sibling");
  Report("clone a child of the runner", child > 0);
}

void Vfork() {
  const pid_t child = static_cast<pid_t>(syscall(SYS_vfork));
  if (child == 0) _exit(0);
  Report("vfork", child > 0);
}

void Spawn() {
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  pid_t child = 0;
  errno = posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, nullptr);
  Report("posix_spawn", errno == 0);
}

void Exec() {
  execl("/bin/sh", "sh", "-c", "echo breach: exec >&2", nullptr);
  Report("exec", false);
}

void LowerTheRunner() {
  const rlimit none = {0, 0};
  Report("limit the runner", prlimit(g_target.runner, RLIMIT_NOFILE, &none, nullptr) == 0);
  Report("renice the runner", setpriority(PRIO_PROCESS, static_cast<id_t>(g_target.runner), 19) == 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  Report("bind the runner", sched_setaffinity(g_target.runner, sizeof(one), &one) == 0);
}

}  // namespace

void AddProcessAttacks(Attacks* attacks) {
  attacks->merge(Attacks{
      {"read-runner-mem", [] { TryOpen(OfRunner("mem"), O_RDONLY); }},
      {"write-runner-mem", [] { TryOpen(OfRunner("mem"), O_RDWR); }},
      {"read-runner-environ", [] { TryRead(OfRunner("environ")); }},
      {"read-ancestor-environ", [] { TryRead(Proc(ParentOf(g_target.runner), "environ")); }},
      {"read-runner-fd", [] { FollowDescriptors(g_target.runner); }},
      {"read-runner-maps", [] { TryRead(OfRunner("maps")); }},
      {"read-runner-map-files", [] { TryList(OfRunner("map_files")); }},
      {"read-runner-other", &ReadOtherProcFiles},
      {"oom-runner", [] { TryOpen(OfRunner("oom_score_adj"), O_WRONLY); }},
      {"read-siblings", &ReadSiblings},
      {"ptrace-attach", [] { AttachTo(PTRACE_ATTACH); }},
      {"ptrace-seize", [] { AttachTo(PTRACE_SEIZE); }},
      {"ptrace-me", [] { Report("be traced", ptrace(PTRACE_TRACEME, 0, 0, 0) == 0); }},
      {"process-vm-readv", [] { ReadOutOfTheRunner(SYS_process_vm_readv); }},
      {"process-vm-writev", [] { ReadOutOfTheRunner(SYS_process_vm_writev); }},
      {"pidfd-getfd", &StealDescriptor},
      {"kill-runner", [] { TrySignal("kill the runner", kill(g_target.runner, SIGKILL)); }},
      {"stop-runner", [] { TrySignal("stop the runner", kill(g_target.runner, SIGSTOP)); }},
      {"kill-runner-group", [] { TrySignal("kill the runner's group", kill(-getpgid(g_target.runner), SIGTERM)); }},
      {"kill-runner-thread", &SignalTheRunnersThreads},
      {"kill-by-descriptor", &SignalByDescriptor},
      {"kill-by-pidfd", &SignalByPidfd},
      {"kill-by-queue", &QueueSignal},
      // SIGCONT, since it is all processes of the machine that a breach would hit.
      {"kill-all", [] { TrySignal("signal everybody", kill(-1, SIGCONT)); }},
      {"kill-siblings", &KillSiblings},
      {"join-runner-group", [] { Report("join the runner's group", setpgid(0, getpgid(g_target.runner)) == 0); }},
      {"fork-bomb", &ForkBomb},
      {"daemon", [] { Daemon(true); }},
      {"double-fork", [] { Daemon(false); }},
      {"clone-parent", &CloneAsSibling},
      {"vfork", &Vfork},
      {"spawn", &Spawn},
      {"exec", &Exec},
      {"system", [] { Report("system", std::system("true") == 0); }},
      {"lower-runner", &LowerTheRunner},
  });
}

}  // namespace poolproof::hostile
