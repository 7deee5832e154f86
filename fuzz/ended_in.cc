#include "fuzz/ended_in.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "conformance/properties/in_process.h"
#include "conformance/worker/child_process.h"

namespace poolproof::fuzz {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

struct State {
  std::function<bool(std::string_view)> known;
  std::string op;
  bool said = false;
  struct sigaction before[NSIG] = {};
};

// Never destroyed: exit() asks for it at last.
State& Global() {
  static State& state = *new State;
  return state;
}

// A process that is about to die is not asked to be careful: this allocates in a signal handler. What goes wrong in it
// costs the words, not the finding.
void Say(const std::string& how) {
  State& state = Global();
  const char* function = InProcessBackend::Running();
  if (std::exchange(state.said, true)) return;
  if (function == nullptr) {
    std::fprintf(stderr, "ENDED IN: the harness, %s\n", how.c_str());
    return;
  }
  const std::string signature = state.op + "|" + how + " in " + function;
  const bool known = state.known && state.known(signature);
  std::fprintf(stderr, "ENDED IN: the library, %s in %s of %s\n%s", how.c_str(), function, state.op.c_str(),
               known ? "KNOWN CAUSE\n" : "");
}

void OnSignal(int number, siginfo_t* info, void* context) {
  // The words of the gate for an event, without what differs from run to run (EventCause).
  const bool at_address = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0 && info->si_code != SI_KERNEL;
  Say("received signal " + worker::SignalName(number) + (at_address ? " at address #" : ""));
  const struct sigaction& before = Global().before[number];
  sigaction(number, &before, nullptr);
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(number, info, context);
  } else {
    std::raise(number);
  }
}

void OnExit() {
  if (InProcessBackend::Running() != nullptr) Say("called exit");
}

}  // namespace

void SayWhereItEnds(std::function<bool(std::string_view)> known) {
  Global().known = std::move(known);
  std::atexit(OnExit);
  struct sigaction action = {};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int number : kSignals) sigaction(number, &action, &Global().before[number]);
}

void SetOperator(std::string_view op) { Global().op = op; }

void EndIsExplained() { Global().said = true; }

}  // namespace poolproof::fuzz

// Hooks of the sanitizers, where they are linked.
extern "C" void __asan_on_error() { poolproof::fuzz::Say("stopped by AddressSanitizer"); }
extern "C" void __ubsan_on_report() { poolproof::fuzz::Say("stopped by UndefinedBehaviorSanitizer"); }
