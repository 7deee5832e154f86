// Seccomp: system calls that lead out of the cell.
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "conformance/worker/cell_parts.h"
#include "conformance/worker/fault_handler.h"

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
  void DenyWhere(const char* name, std::initializer_list<scmp_arg_cmp> where) {
    Add(SCMP_ACT_ERRNO(EPERM), name, where);
  }
  void TrapWhere(const char* name, std::initializer_list<scmp_arg_cmp> where) {
    Add(SCMP_ACT_TRAP, name, where);
  }
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
    failed_ = seccomp_rule_add_array(context_, action, number, static_cast<unsigned>(where.size()),
                                     where.begin());
  }

  scmp_filter_ctx context_;
  int failed_ = 0;
};

void DenyOtherProcesses(const CellRules& rules, bool signals_scoped, Filter* filter) {
  filter->Deny({"process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise"});
#if !defined(__SANITIZE_ADDRESS__)
  filter->Deny({"ptrace"});  // which looks for leaks at the end
#endif
  const auto runner = static_cast<uint32_t>(rules.runner);
  for (const char* name : {"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
                           "pidfd_open", "prlimit64", "sched_setscheduler", "sched_setaffinity"}) {
    filter->DenyWhere(name, {SCMP_A0_32(SCMP_CMP_EQ, runner)});
  }
  if (signals_scoped) return;
  filter->DenyWhere("kill", {SCMP_A0_32(SCMP_CMP_EQ, static_cast<uint32_t>(-1))});
  filter->DenyWhere("kill", {SCMP_A0_32(SCMP_CMP_EQ, static_cast<uint32_t>(-rules.runner))});
}

void DenyProcesses(const CellRules& rules, Filter* filter) {
  for (const int flag : {CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC,
                         CLONE_NEWUTS, CLONE_NEWCGROUP}) {
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

void DenySystem(Filter* filter) {
  filter->Deny({"mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree",
                "fsopen", "fsmount", "fsconfig", "fspick", "mount_setattr", "bpf",
                "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
                "io_uring_register", "add_key", "request_key", "keyctl", "init_module",
                "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
                "swapon", "swapoff", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
                "sethostname", "setdomainname", "acct", "quotactl", "syslog", "vhangup", "iopl",
                "ioperm", "name_to_handle_at", "open_by_handle_at", "fanotify_init", "nfsservctl",
                "lookup_dcookie"});
}

}  // namespace

std::string FilterSystemCalls(const CellRules& rules, bool signals_scoped) {
  Filter filter;
  DenySystem(&filter);
  DenyOtherProcesses(rules, signals_scoped, &filter);
  DenyProcesses(rules, &filter);
  if (!rules.network) filter.Deny({"socket", "socketcall"}, EACCES);
  // A handler that is installed past the C library is chained like any other (fault_handler.h).
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS}) {
    if (rules.program) break;
    filter.TrapWhere("rt_sigaction",
                     {SCMP_A0_32(SCMP_CMP_EQ, static_cast<uint32_t>(signal)),
                      SCMP_A1(SCMP_CMP_NE, 0), SCMP_A5(SCMP_CMP_NE, FaultHandlerPass())});
  }
  return filter.Load();
}

}  // namespace poolproof::worker
