#include "conformance/worker/fault_handler.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "conformance/worker/worker_memory.h"

// The C library's own, whatever sigaction is here.
extern "C" int __sigaction(int signal, const struct sigaction* action, struct sigaction* old);  // NOLINT: its name

namespace poolproof::worker {
namespace {

using Action = struct sigaction;

constexpr std::array kFaultSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
constexpr size_t kSignals = 32;

bool g_installed = false;
std::array<char, size_t{64} << 10> g_signal_stack;

// As the kernel has it.
struct KernelAction {
  void* handler;
  unsigned long flags;
  void* restorer;
  uint64_t mask;
};
KernelAction g_ours;  // as the C library installed it first
uint64_t g_pass = 0;

// One system call that was filtered: its arguments, and where its result goes.
struct SystemCall {
  int signal;
  const KernelAction* action;
  KernelAction* old;
  size_t mask_size;
  greg_t* result;
};

SystemCall SystemCallOf(void* context) {
  auto* machine = &static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  auto& r = machine->gregs;
  return {static_cast<int>(r[REG_RDI]), reinterpret_cast<const KernelAction*>(r[REG_RSI]),
          reinterpret_cast<KernelAction*>(r[REG_RDX]), static_cast<size_t>(r[REG_R10]), &r[REG_RAX]};
#elif defined(__aarch64__)
  auto& r = machine->regs;
  return {static_cast<int>(r[0]), reinterpret_cast<const KernelAction*>(r[1]), reinterpret_cast<KernelAction*>(r[2]),
          static_cast<size_t>(r[3]), reinterpret_cast<greg_t*>(&r[0])};
#else
#error "no registers of system calls for this processor"
#endif
}

// The backend's handlers; nullptr for the default action. An action is written once and then
// published, since a signal may come at any time and in any thread; that number of changes later its place
// is used again.
constexpr uint32_t kActions = 4096;
std::array<Action, kActions> g_actions;
std::atomic<uint32_t> g_next_action{0};
std::array<std::atomic<const Action*>, kSignals> g_chained{};

// Written by the thread that runs the calls, read where a signal comes. Where there are more than
// kReturned, the oldest are forgotten.
struct Range {
  std::atomic<uint64_t> begin{0}, end{0};
};
constexpr uint32_t kReturned = 1024;
std::array<Range, kReturned> g_returned;
std::atomic<uint32_t> g_next_returned{0};

bool HasReturned(uint64_t offset) {
  for (const Range& pages : g_returned) {
    if (offset >= pages.begin.load() && offset < pages.end.load()) return true;
  }
  return false;
}

bool IsFaultSignal(int signal) {
  for (const int one : kFaultSignals) {
    if (one == signal) return true;
  }
  return false;
}

Access AccessOf([[maybe_unused]] int signal, [[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  // Page fault error code: bit 1 is set for a write.
  if (signal == SIGSEGV || signal == SIGBUS) {
    const auto* machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
    constexpr greg_t kPageFault = 14;
    if (machine->gregs[REG_TRAPNO] == kPageFault) {
      return (machine->gregs[REG_ERR] & 2) != 0 ? Access::kWrite : Access::kRead;
    }
  }
#endif
  return Access::kUnknown;
}

bool InGuardedMemory(int signal, const siginfo_t* info) {
  if ((signal != SIGSEGV && signal != SIGBUS) || info->si_code <= 0 || info->si_code == SI_KERNEL) {
    return false;
  }
  return reinterpret_cast<uint64_t>(info->si_addr) - g_worker_base < kTotalBytes;
}

WorkerBlock& Block() { return *WorkerAs<WorkerBlock>(kWorkerOffset); }

int SetKernelAction(int signal, const KernelAction& action) {
  return static_cast<int>(syscall(SYS_rt_sigaction, signal, &action, nullptr, sizeof(action.mask), 0, g_pass));
}

// Records the fault and sees to it that it ends the process.
void EndBy(int signal, const siginfo_t* info, const void* context) {
  int32_t none = 0;
  FaultRecord& fault = Block().fault;
  if (fault.signal.compare_exchange_strong(none, signal)) {
    fault.code = info->si_code;
    fault.address = reinterpret_cast<uint64_t>(info->si_addr);
    fault.access = AccessOf(signal, context);
  }
  // Returning repeats a faulting instruction, now with the default action; a signal that was sent,
  // or that stands behind its instruction, has to be sent again.
  const KernelAction standard = {};
  SetKernelAction(signal, standard);
  if (info->si_code <= 0 || signal == SIGTRAP || signal == SIGSYS) raise(signal);
}

// Records an access to memory of a call that has returned, and opens the page for it.
bool LetThrough(const siginfo_t* info, Access access) {
  const uint64_t offset = reinterpret_cast<uint64_t>(info->si_addr) - g_worker_base;
  if (!HasReturned(offset)) return false;
  const uint32_t number = Block().late_count.fetch_add(1);
  if (number < kMaxLateRecords) Block().late[number] = {offset, access};
  void* page = WorkerAt(offset / kPage * kPage);
  const bool readable = mprotect(page, kPage, PROT_READ | PROT_WRITE) == 0 || mprotect(page, kPage, PROT_READ) == 0;
  return readable;
}

void DoFilteredCall(void* context);

void OnFault(int signal, siginfo_t* info, void* context) {
  const int before = errno;
  constexpr int kSeccomp = 1;  // SYS_SECCOMP
  if (signal == SIGSYS && info->si_code == kSeccomp && info->si_syscall == SYS_rt_sigaction) {
    DoFilteredCall(context);
    errno = before;
    return;
  }
  if (InGuardedMemory(signal, info) && LetThrough(info, AccessOf(signal, context))) {
    errno = before;
    return;
  }
  const Action* chained = g_chained[static_cast<size_t>(signal)].load(std::memory_order_acquire);
  if (chained == nullptr || InGuardedMemory(signal, info)) return EndBy(signal, info, context);
  if (chained->sa_handler == SIG_IGN) {
    // As the kernel has it: a signal that was sent is ignored, a fault is not.
    if (info->si_code > 0) EndBy(signal, info, context);
    return;
  }
  if ((chained->sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    g_chained[static_cast<size_t>(signal)].store(nullptr, std::memory_order_release);
  }
  if ((chained->sa_flags & SA_SIGINFO) != 0) {
    chained->sa_sigaction(signal, info, context);
  } else {
    chained->sa_handler(signal);
  }
}

void Chain(int signal, const Action& action) {
  const Action* published = nullptr;
  if (action.sa_handler != SIG_DFL) {
    Action& place = g_actions[g_next_action.fetch_add(1) % kActions];
    place = action;
    published = &place;
  }
  g_chained[static_cast<size_t>(signal)].store(published, std::memory_order_release);
}

// Ours, with the mask of the handler that is chained.
int Install(int signal, const Action* chained) {
  KernelAction action = g_ours;
  if (chained != nullptr) {
    std::memcpy(&action.mask, &chained->sa_mask, sizeof(action.mask));
    action.flags |= static_cast<unsigned long>(chained->sa_flags & (SA_NODEFER | SA_RESTART));
  }
  return SetKernelAction(signal, action);
}

int SetAction(int signal, const Action* action, Action* old) {
  if (!g_installed || !IsFaultSignal(signal)) return __sigaction(signal, action, old);
  const Action* chained = g_chained[static_cast<size_t>(signal)].load(std::memory_order_acquire);
  const Action before = chained != nullptr ? *chained : Action{};  // SIG_DFL is a null pointer
  if (action != nullptr) {
    Chain(signal, *action);
    if (const int failed = Install(signal, action)) return failed;
  }
  if (old != nullptr) *old = before;
  return 0;
}

// rt_sigaction, past the C library; the result is that of the system call.
void DoFilteredCall(void* context) {
  const SystemCall call = SystemCallOf(context);
  Action action = {}, old = {};
  if (call.mask_size != sizeof(KernelAction::mask)) {
    *call.result = -EINVAL;
    return;
  }
  action.sa_sigaction = reinterpret_cast<void (*)(int, siginfo_t*, void*)>(call.action->handler);
  action.sa_flags = static_cast<int>(call.action->flags);
  std::memcpy(&action.sa_mask, &call.action->mask, sizeof(call.action->mask));
  const int failed = SetAction(call.signal, &action, &old);
  *call.result = failed != 0 ? -errno : 0;
  if (failed != 0 || call.old == nullptr) return;
  *call.old = {reinterpret_cast<void*>(old.sa_sigaction), static_cast<unsigned long>(old.sa_flags), nullptr, 0};
  std::memcpy(&call.old->mask, &old.sa_mask, sizeof(call.old->mask));
}

sighandler_t SetHandler(int signal, sighandler_t handler, int flags) {
  Action action = {}, old = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  return SetAction(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

}  // namespace

void InstallFaultHandlers() {
  if (getrandom(&g_pass, sizeof(g_pass), 0) != sizeof(g_pass)) g_pass = 0x9e3779b97f4a7c15;
  stack_t stack = {};
  stack.ss_sp = g_signal_stack.data();
  stack.ss_size = g_signal_stack.size();
  sigaltstack(&stack, nullptr);
  // The C library knows how a handler returns; from then on the kernel is called without it.
  Action action = {};
  action.sa_sigaction = &OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  __sigaction(SIGSEGV, &action, nullptr);
  syscall(SYS_rt_sigaction, SIGSEGV, nullptr, &g_ours, sizeof(g_ours.mask));
  g_installed = true;
  for (const int signal : kFaultSignals) Install(signal, nullptr);
}

uint64_t FaultHandlerPass() { return g_pass; }

void AddReturnedPages(uint64_t begin, uint64_t end) {
  Range& pages = g_returned[g_next_returned.fetch_add(1) % kReturned];
  pages.end.store(0);
  pages.begin.store(begin);
  pages.end.store(end);
}

void ForgetReturnedPages() {
  for (Range& pages : g_returned) pages.end.store(0);
}

void RestoreFaultHandler() {
  Action now;
  if (__sigaction(SIGSEGV, nullptr, &now) != 0 || now.sa_sigaction == &OnFault) return;
  Chain(SIGSEGV, now);
  Install(SIGSEGV, &now);
}

}  // namespace poolproof::worker

// Functions that every library that is loaded into this program finds instead of the C library's. The programs
// that link this file export these names (CMakeLists.txt).
#define POOLPROOF_SIGNAL_FUNCTION extern "C" __attribute__((visibility("default")))

// NOLINTBEGIN(readability-*, bugprone-reserved-identifier): the names are of the C library, those of parameters ours
POOLPROOF_SIGNAL_FUNCTION int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  return poolproof::worker::SetAction(signal, action, old);
}

POOLPROOF_SIGNAL_FUNCTION sighandler_t signal(int signal, sighandler_t handler) noexcept {
  return poolproof::worker::SetHandler(signal, handler, SA_RESTART);
}

POOLPROOF_SIGNAL_FUNCTION sighandler_t bsd_signal(int signal, sighandler_t handler) noexcept {
  return poolproof::worker::SetHandler(signal, handler, SA_RESTART);
}

POOLPROOF_SIGNAL_FUNCTION sighandler_t ssignal(int signal, sighandler_t handler) noexcept {
  return poolproof::worker::SetHandler(signal, handler, SA_RESTART);
}

POOLPROOF_SIGNAL_FUNCTION sighandler_t sysv_signal(int signal, sighandler_t handler) noexcept {
  return poolproof::worker::SetHandler(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}

POOLPROOF_SIGNAL_FUNCTION sighandler_t __sysv_signal(int signal, sighandler_t handler) noexcept {
  return poolproof::worker::SetHandler(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}
// NOLINTEND(readability-*, bugprone-reserved-identifier)
