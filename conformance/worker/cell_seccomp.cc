// Seccomp: system calls that lead out of the cell.
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "conformance/worker/cell_parts.h"
#include "conformance/worker/fault_handler.h"
#include "conformance/worker/sanitizers.h"

namespace poolproof::worker {
namespace {

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ALLOW)) {}
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  // Calls that this system does not have are no rule.
  void Deny(std::initializer_list<const char*> names) { Deny(names, EPERM); }
  void Deny(std::initializer_list<const char*> names, uint32_t error) {
    for (const char* name : names) Add(SCMP_ACT_ERRNO(error), name, {});
  }
  void DenyWhere(const char* name, std::initializer_list<scmp_arg_cmp> where) { DenyWhere(name, EPERM, where); }
  void DenyWhere(const char* name, uint32_t error, std::initializer_list<scmp_arg_cmp> where) {
    Add(SCMP_ACT_ERRNO(error), name, where);
  }
  void TrapWhere(const char* name, std::initializer_list<scmp_arg_cmp> where) { Add(SCMP_ACT_TRAP, name, where); }
  std::string Load() {
    if (context_ == nullptr) return "not available: seccomp: out of memory";
    seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    const int failed = failed_ != 0 ? failed_ : seccomp_load(context_);
    return failed == 0 ? "on" : std::string("not available: seccomp: ") + std::strerror(-failed);
  }

 private:
  void Add(uint32_t action, const char* name, std::initializer_list<scmp_arg_cmp> where) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR || number < 0 || failed_ != 0) return;
    failed_ = seccomp_rule_add_array(context_, action, number, static_cast<unsigned>(where.size()), where.begin());
  }

  scmp_filter_ctx context_;
  int failed_ = 0;
};

// Signals to others, where the kernel does not keep them inside already. A shared object has no
// process but its own to send one to; of a program's, only the runner is told from the rest.
void DenySignals(const CellRules& rules, Filter* filter) {
  const bool alone = !rules.program && rules.processes == 0;
  const auto self = static_cast<uint32_t>(getpid());
  const auto runner = static_cast<uint32_t>(rules.runner);
  const auto group = static_cast<uint32_t>(rules.runner_group);
  for (const char* name : {"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open"}) {
    filter->DenyWhere(name, {alone ? SCMP_A0_32(SCMP_CMP_NE, self) : SCMP_A0_32(SCMP_CMP_EQ, runner)});
  }
  // An event on a descriptor could be a signal to its owner; a lease has whoever opens the file wait.
  for (const int command : {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE}) {
    filter->DenyWhere("fcntl", {SCMP_A1_32(SCMP_CMP_EQ, static_cast<uint32_t>(command))});
  }
  filter->DenyWhere("ioctl", {SCMP_A1_32(SCMP_CMP_EQ, FIOSETOWN)});
  filter->DenyWhere("ioctl", {SCMP_A1_32(SCMP_CMP_EQ, SIOCSPGRP)});
  filter->DenyWhere("setpgid", {SCMP_A1_32(SCMP_CMP_EQ, group)});
  if (alone || rules.signals_scoped) return;
  filter->DenyWhere("kill", {SCMP_A0_32(SCMP_CMP_EQ, static_cast<uint32_t>(-1))});
  filter->DenyWhere("kill", {SCMP_A0_32(SCMP_CMP_EQ, 0u - group)});
}

void DenyOtherProcesses(const CellRules& rules, Filter* filter) {
  filter->Deny({"process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise", "migrate_pages",
                "move_pages"});
  if (!kAddressSanitizer) filter->Deny({"ptrace"});  // which looks for leaks at the end
  const auto runner = static_cast<uint32_t>(rules.runner);
  for (const char* name : {"prlimit64", "sched_setscheduler", "sched_setparam", "sched_setattr", "sched_setaffinity"}) {
    filter->DenyWhere(name, {SCMP_A0_32(SCMP_CMP_EQ, runner)});
  }
  filter->DenyWhere("setpriority", {SCMP_A1_32(SCMP_CMP_EQ, runner)});
  // Objects that all processes of the system share by number or name.
  filter->Deny({"shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd", "msgrcv",
                "msgctl", "mq_open", "mq_unlink"},
               ENOSYS);
}

// Denies what Landlock leaves open on files that may only be read; truncate does so before Linux 6.2.
void DenyAttributesOfFiles(Filter* filter) {
  filter->Deny({"truncate",    "truncate64",   "chmod",        "fchmod",        "fchmodat",    "fchmodat2",
                "chown",       "fchown",       "lchown",       "fchownat",      "utime",       "utimes",
                "futimesat",   "utimensat",    "setxattr",     "lsetxattr",     "fsetxattr",   "setxattrat",
                "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr"});
  filter->DenyWhere("ioctl", {SCMP_A1_32(SCMP_CMP_EQ, FS_IOC_SETFLAGS)});
  filter->DenyWhere("ioctl", {SCMP_A1_32(SCMP_CMP_EQ, FS_IOC_FSSETXATTR)});
  // Keys typed into the terminal of the runner.
  filter->DenyWhere("ioctl", {SCMP_A1_32(SCMP_CMP_EQ, TIOCSTI)});
  filter->DenyWhere("ioctl", {SCMP_A1_32(SCMP_CMP_EQ, TIOCLINUX)});
}

void DenyProcesses(const CellRules& rules, Filter* filter) {
  for (const int flag :
       {CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP}) {
    const auto bits = static_cast<scmp_datum_t>(flag);
    filter->DenyWhere("clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, bits, bits)});
  }
  filter->Deny({"clone3"}, ENOSYS);  // its flags cannot be seen here; clone's can
  filter->Deny({"unshare", "setns"});
  // The runner's end has to end it as well.
  filter->DenyWhere("prctl", {SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG)});
  if (rules.processes > 0) return;
  filter->DenyWhere("clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)});
  filter->Deny({"fork", "vfork", "execve", "execveat"});
}

// Shared memory without a file, and files in memory, are in no limit of a process. A device may need them.
void DenySharedMemory(const CellRules& rules, Filter* filter) {
  if (rules.memory_bytes == 0 || rules.allow_devices) return;
  constexpr auto kFlags = static_cast<scmp_datum_t>(MAP_SHARED | MAP_ANONYMOUS);
  filter->DenyWhere("mmap", ENOMEM, {SCMP_A3(SCMP_CMP_MASKED_EQ, kFlags, kFlags)});
  filter->Deny({"memfd_create", "memfd_secret"}, ENOSYS);
}

// The driver of NVIDIA does not start without a local socket that listens under a name. It comes to nothing: nobody is
// connected to or served, and the kinds that could send to a name are not to be had.
void DenySockets(const CellRules& rules, Filter* filter) {
  if (rules.network) return;
  filter->Deny({"socketcall"}, EACCES);
  if (!rules.nvidia) return filter->Deny({"socket"}, EACCES);
  constexpr scmp_datum_t kKind = 0xf;
  filter->DenyWhere("socket", EACCES, {SCMP_A0_32(SCMP_CMP_NE, AF_UNIX)});
  for (const auto kind : {SOCK_DGRAM, SOCK_RAW}) {
    filter->DenyWhere("socket", EACCES, {SCMP_A1_32(SCMP_CMP_MASKED_EQ, kKind, static_cast<uint32_t>(kind))});
  }
  filter->Deny({"connect", "accept", "accept4"}, EACCES);
}

void DenySystem(Filter* filter) {
  filter->Deny({"mount",
                "umount",
                "umount2",
                "pivot_root",
                "chroot",
                "move_mount",
                "open_tree",
                "fsopen",
                "fsmount",
                "fsconfig",
                "fspick",
                "mount_setattr",
                "bpf",
                "perf_event_open",
                "userfaultfd",
                "io_uring_setup",
                "io_uring_enter",
                "io_uring_register",
                "add_key",
                "request_key",
                "keyctl",
                "init_module",
                "finit_module",
                "delete_module",
                "kexec_load",
                "kexec_file_load",
                "reboot",
                "swapon",
                "swapoff",
                "settimeofday",
                "clock_settime",
                "clock_adjtime",
                "adjtimex",
                "sethostname",
                "setdomainname",
                "acct",
                "quotactl",
                "syslog",
                "vhangup",
                "iopl",
                "ioperm",
                "name_to_handle_at",
                "open_by_handle_at",
                "fanotify_init",
                "nfsservctl",
                "lookup_dcookie"});
}

}  // namespace

std::string FilterSystemCalls(const CellRules& rules) {
  Filter filter;
  DenySystem(&filter);
  DenySignals(rules, &filter);
  DenyOtherProcesses(rules, &filter);
  DenyAttributesOfFiles(&filter);
  DenySharedMemory(rules, &filter);
  DenyProcesses(rules, &filter);
  DenySockets(rules, &filter);
  // A handler that is installed past the C library is chained like any other (fault_handler.h).
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS}) {
    if (rules.program) break;
    filter.TrapWhere("rt_sigaction", {SCMP_A0_32(SCMP_CMP_EQ, static_cast<uint32_t>(signal)), SCMP_A1(SCMP_CMP_NE, 0),
                                      SCMP_A5(SCMP_CMP_NE, FaultHandlerPass())});
  }
  return filter.Load();
}

}  // namespace poolproof::worker
