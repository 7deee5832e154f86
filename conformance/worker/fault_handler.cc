#include "conformance/worker/fault_handler.h"

#include <signal.h>
#include <ucontext.h>

#include <array>

namespace poolproof::worker {
namespace {

FaultRecord* g_record = nullptr;
std::array<char, 64 * 1024> g_signal_stack;

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

void OnFault(int signal, siginfo_t* info, void* context) {
  int32_t none = 0;
  if (g_record->signal.compare_exchange_strong(none, signal)) {
    g_record->code = info->si_code;
    g_record->address = reinterpret_cast<uint64_t>(info->si_addr);
    g_record->access = AccessOf(signal, context);
  }
  // Returning repeats a faulting instruction, now with the default action; a signal that was sent,
  // or that stands behind its instruction, has to be sent again.
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (info->si_code <= 0 || signal == SIGTRAP || signal == SIGSYS) raise(signal);
}

}  // namespace

void InstallFaultHandlers(FaultRecord* record) {
  g_record = record;
  stack_t stack = {};
  stack.ss_sp = g_signal_stack.data();
  stack.ss_size = g_signal_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = &OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS}) {
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace poolproof::worker
