#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <locale>
#include <stdexcept>
#include <thread>

#include "conformance/worker/shared_layout.h"
#include "conformance/worker/testdata/hostile/attack.h"

namespace poolproof::hostile {
namespace {

using worker::kWorkerBase;
constexpr int kControl = 3;  // the socket to the runner

void Scribble(uint64_t offset, size_t bytes) { std::memset(reinterpret_cast<void*>(kWorkerBase + offset), -1, bytes); }

worker::WorkerBlock& Block() { return *reinterpret_cast<worker::WorkerBlock*>(kWorkerBase + worker::kWorkerOffset); }

[[noreturn]] void Hang() {
  while (true) usleep(1000);
}

void BlockSignals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  for (int signal = 1; signal < 32; ++signal) ::signal(signal, SIG_IGN);
}

volatile char g_sink;
void Fault() { g_sink = *reinterpret_cast<volatile char*>(16); }

jmp_buf g_back;
void Jump(int) { longjmp(g_back, 1); }

// Reads past the end of the input, and goes on as if nothing had been.
void Swallow(void (*install)()) {
  install();
  const poolproof_tensor& input = *g_target.call->inputs[0];
  if (setjmp(g_back) == 0) g_sink = static_cast<volatile char*>(input.data)[input.size_bytes];
}

void InstallBySyscall() {
  unsigned long action[4] = {};
  syscall(SYS_rt_sigaction, SIGSEGV, nullptr, action, 8);
  action[0] = reinterpret_cast<unsigned long>(&Jump);
  // Some guess at what lets a call pass.
  for (unsigned long guess = 0; guess < 64; ++guess) {
    syscall(SYS_rt_sigaction, SIGSEGV, action, nullptr, 8, 0, guess);
  }
}

void ScribbleDescriptors() {
  const char noise[] = "\0\xff garbage\n{}d";
  for (int fd = 3; fd < 256; ++fd) {
    (void)!write(fd, noise, sizeof(noise));
    (void)!ftruncate(fd, 0);
    lseek(fd, 1 << 20, SEEK_SET);
  }
}

void ForgeDone() {
  for (int i = 0; i < 100; ++i) (void)!write(kControl, "d", 1);
}

// Looks busy for ever: the runner is to see a later step at every look.
[[noreturn]] void RaiseStep() {
  while (true) {
    Block().step.fetch_add(1);
    usleep(1000);
  }
}

// Makes the socket readable with nothing to read.
[[noreturn]] void SendOutOfBand() {
  while (true) {
    (void)!send(kControl, "x", 1, MSG_OOB | MSG_NOSIGNAL | MSG_DONTWAIT);
    usleep(1000);
  }
}

void StealBatch() {
  fcntl(kControl, F_SETFL, O_NONBLOCK);
  char bytes[16];
  for (int i = 0; i < 100; ++i) (void)!recv(kControl, bytes, sizeof(bytes), MSG_DONTWAIT);
}

void Timer(int which) {
  const itimerval soon = {{0, 1000}, {0, 1000}};
  setitimer(static_cast<__itimer_which>(which), &soon, nullptr);
}

void LowerOwnLimits() {
  for (const auto resource : {RLIMIT_NOFILE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_AS}) {
    const rlimit none = {0, 0};
    setrlimit(resource, &none);
  }
}

void FlushDenormals() {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
}

void Locale() {
  setlocale(LC_ALL, "C.UTF-8");
  std::locale::global(std::locale("C.UTF-8"));
}

void Flood() {
  const std::string escapes = "\x1b[2J\x1b[1;1HCONFORMS\x1b]0;owned\x07\r";
  const std::string line = escapes + std::string(4000, 'x') + "\n";
  for (int i = 0; i < 2000; ++i) {
    (void)!write(STDOUT_FILENO, line.data(), line.size());
    (void)!write(STDERR_FILENO, line.data(), line.size());
  }
}

void MapOverInputs() {
  const auto address = reinterpret_cast<uintptr_t>(g_target.call->inputs[0]->data) / 4096 * 4096;
  (void)mmap(reinterpret_cast<void*>(address), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
             -1, 0);
}

void HoldTheLog() {
  std::thread([] {
    while (true) (void)!write(STDERR_FILENO, "x\n", 2);
  }).detach();
}

void ChangeDescription() {
  auto* call = const_cast<poolproof_call*>(g_target.call);
  call->output_count = 0;
}

void AddEnds(Attacks* attacks) {
  attacks->merge(Attacks{
      {"exit-0", [] { std::exit(0); }},
      {"_exit-0", [] { _exit(0); }},
      {"quick-exit", [] { std::quick_exit(0); }},
      {"exit-group", [] { syscall(SYS_exit_group, 0); }},
      {"exit-thread", [] { pthread_exit(nullptr); }},
      {"exit-at-exit", [] { std::atexit([] { _exit(0); }); }},
      {"abort", [] { std::abort(); }},
      {"kill-self", [] { raise(SIGKILL); }},
      {"stop-self", [] { raise(SIGSTOP); }},
      {"throw", [] { throw std::runtime_error("out of run"); }},
      {"throw-number", [] { throw 1; }},
      {"longjmp",
       [] {
         // To a frame that is gone.
         [] { setjmp(g_back); }();
         longjmp(g_back, 1);
       }},
      {"fault-blocked", [] { BlockSignals(), Fault(); }},
      {"hang-blocked", [] { BlockSignals(), Hang(); }},
      {"seccomp-strict", [] { prctl(PR_SET_SECCOMP, 1); }},
  });
}

void AddOwnMemory(Attacks* attacks) {
  attacks->merge(Attacks{
      {"scribble-block", [] { Scribble(worker::kWorkerOffset, sizeof(worker::WorkerBlock)); }},
      {"scribble-responses", [] { Scribble(worker::kResponsesOffset, worker::kResponsesBytes); }},
      {"scribble-runner-block", [] { Scribble(worker::kRunnerOffset, 4096); }},
      {"scribble-requests", [] { Scribble(worker::kRequestsOffset, 4096); }},
      {"unmap-all", [] { munmap(reinterpret_cast<void*>(kWorkerBase), worker::kTotalBytes); }},
      {"map-over-inputs", &MapOverInputs},
      {"change-description", &ChangeDescription},
      {"swallow-sigaction",
       [] {
         Swallow([] {
           struct sigaction action = {};
           action.sa_handler = &Jump;
           action.sa_flags = SA_NODEFER;
           sigaction(SIGSEGV, &action, nullptr);
         });
       }},
      {"swallow-signal", [] { Swallow([] { signal(SIGSEGV, &Jump); }); }},
      {"swallow-syscall", [] { Swallow(&InstallBySyscall); }},
  });
}

}  // namespace

void AddStateAttacks(Attacks* attacks) {
  AddEnds(attacks);
  AddOwnMemory(attacks);
  attacks->merge(Attacks{
      {"close-all", [] { close_range(3, ~0u, 0); }},
      {"close-standard", [] { close_range(0, 2, 0); }},
      {"scribble-descriptors", &ScribbleDescriptors},
      {"forge-done", &ForgeDone},
      {"raise-step", &RaiseStep},
      {"out-of-band", &SendOutOfBand},
      {"many-late-records", [] { Block().late_count.store(~0u); }},
      {"no-calls", [] { Block().calls.store(INT64_MIN); }},
      {"wild-descriptor", [] { Block().free_descriptor.store(INT32_MIN); }},
      {"wild-arena",
       [] {
         for (uint64_t& end : Block().arena_end) end = ~uint64_t{0};
       }},
      {"wild-phase", [] { Block().phase.store(INT32_MIN); }},
      {"fields-of-caller",
       [] {
         for (size_t i = 0; i < g_target.call->output_count; ++i) g_target.call->outputs[i]->struct_size = 0;
       }},
      {"steal-batch", &StealBatch},
      {"shut-socket", [] { shutdown(kControl, SHUT_RDWR); }},
      {"replace-socket", [] { dup2(0, kControl); }},
      {"timer-real", [] { Timer(ITIMER_REAL); }},
      {"timer-profile", [] { Timer(ITIMER_PROF); }},
      {"timer-ignored",
       [] {
         signal(SIGPROF, [](int) {});
         Timer(ITIMER_PROF);
       }},
      {"lower-own-limits", &LowerOwnLimits},
      {"rounding", [] { fesetround(FE_UPWARD); }},
      {"flush-denormals", &FlushDenormals},
      {"trap-exceptions", [] { feenableexcept(FE_INEXACT | FE_INVALID); }},
      {"locale", &Locale},
      {"chdir", [] { (void)!chdir("/proc"); }},
      {"umask", [] { umask(0777); }},
      {"clear-environment", [] { clearenv(); }},
      {"flood-log", &Flood},
      {"flood-log-forever", &HoldTheLog},
      {"escapes-in-error", [] {}},
  });
}

}  // namespace poolproof::hostile
