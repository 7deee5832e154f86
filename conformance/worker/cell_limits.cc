// Privileges and limits of a backend process.
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conformance/worker/cell_parts.h"
#include "conformance/worker/command_main.h"
#include "conformance/worker/sanitizers.h"

namespace poolproof::worker {
namespace {

// The sanitizers' own memory would be above any limit.
constexpr bool kSanitized = kAddressSanitizer || kThreadSanitizer;

std::string Missing(const char* what) { return std::string("not available: ") + what + ": " + std::strerror(errno); }

bool Limit(__rlimit_resource resource, int64_t value) {
  rlimit limit = {};
  if (getrlimit(resource, &limit) != 0) return false;
  const rlim_t wanted = static_cast<rlim_t>(value);
  limit.rlim_max = limit.rlim_max < wanted ? limit.rlim_max : wanted;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0;
}

void WriteFile(const char* path, const char* text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  (void)!write(fd, text, std::strlen(text));
  close(fd);
}

std::string MountProc() {
  constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  const bool mounted = mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                       mount("proc", "/proc", "proc", kFlags, nullptr) == 0;
  return mounted ? "on" : Missing("/proc of its own");
}

}  // namespace

std::string ForbidNewPrivileges() {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? "on" : Missing("no_new_privs");
}

std::string DropCapabilities() {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);  // not allowed to who has none anyway
  }
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  return syscall(SYS_capset, &header, none) == 0 ? "on" : Missing("capset");
}

std::string LimitResources(const CellRules& rules) {
  // Where memory runs out, the kernel takes the backend, not the runner.
  WriteFile("/proc/self/oom_score_adj", "1000");
  bool good =
      Limit(RLIMIT_NOFILE, rules.open_files) && Limit(RLIMIT_FSIZE, rules.file_bytes) && Limit(RLIMIT_MSGQUEUE, 0);
  if (rules.memory_bytes > 0 && !kSanitized) good = good && Limit(RLIMIT_DATA, rules.memory_bytes);
  // A write beyond the limit is an error, as on a full disk, and not the end.
  signal(SIGXFSZ, SIG_IGN);
  return good ? "on" : Missing("setrlimit");
}

std::string EnterNamespaces() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS) != 0) {
    return Missing("unshare");
  }
  WriteFile("/proc/self/setgroups", "deny");
  const auto map = [](uid_t id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  WriteFile("/proc/self/uid_map", map(user).c_str());
  WriteFile("/proc/self/gid_map", map(group).c_str());
  // The first process of a namespace has no default actions for signals; the backend is the second.
  ContinueInChild();
  // Other processes of the machine, and their command lines, are not to be seen.
  const std::string proc = MountProc();
  ContinueInChild();
  return proc;
}

}  // namespace poolproof::worker
