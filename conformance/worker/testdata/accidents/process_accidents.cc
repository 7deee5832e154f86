// Accidents of a process: time, ends, leaks, and what is around it.
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "conformance/worker/testdata/accidents/accident.h"

namespace poolproof::accidents {
namespace {

[[noreturn]] void Hang() {
  while (true) Sleep(1);
}

// True in one of `of` calls, which differ from run to run as the order of threads does.
bool OneIn(unsigned of) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<uint64_t>(now) * 0x9e3779b97f4a7c15u >> 32 < (uint64_t{1} << 32) / of;
}

Answer Fail(const char* sentence) { return {POOLPROOF_INTERNAL_ERROR, sentence}; }

Answer NeedVariable() {
  return std::getenv("ACCIDENT_LICENCE") == nullptr ? Fail("ACCIDENT_LICENCE is not set") : Answer();
}

Answer NeedTemporaryFolder() {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder == nullptr ? "/tmp" : folder) + "/accident-XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0) return Fail("cannot write to the temporary folder");
  close(file);
  unlink(path.c_str());
  return {};
}

Answer NeedFile() {
  const char* path = std::getenv("MINE_CONFIG");
  const int file = open(path == nullptr ? "" : path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return Fail("cannot read the configuration");
  close(file);
  return {};
}

Answer NeedMemory() {
  void* pool = mmap(nullptr, size_t{1} << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pool == MAP_FAILED ? Fail("no memory for the pool of 1 GiB") : Answer();
}

Answer LeakMemory(const CallView&) {
  constexpr size_t kBytes = size_t{64} << 20;
  void* lost = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return lost == MAP_FAILED ? Fail("out of memory") : Answer();
}

// In one of kOf calls.
template <int kOf>
Answer LeakDescriptor(const CallView&) {
  static int calls = 0;
  if (++calls % kOf == 0) (void)!open("/dev/null", O_RDONLY | O_CLOEXEC);
  return {};
}

Answer LeakThread(const CallView&) {
  std::thread([] { Hang(); }).detach();
  return {};
}

Answer UseStack(const CallView&) {
  volatile char frame[7 << 20];
  for (size_t i = 0; i < sizeof(frame); i += 4096) frame[i] = 1;
  return {};
}

[[noreturn]] void Chatter(FILE* stream) {
  while (true) std::fputs("accident: still here\n", stream);
}

// Every second time the device is still held by the process before.
Answer StartAtTimes() {
  const char* folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder == nullptr ? "/tmp" : folder) + "/accident-starts";
  std::ofstream(path, std::ios::app) << '.';
  return std::filesystem::file_size(path) % 2 == 0 ? Fail("the device is busy") : Answer();
}

// The lock is kept where a call fails.
Answer LockAndForget(const CallView& call) {
  static std::timed_mutex mutex;
  mutex.lock();
  if (call.Input(0).rank == 5) return Fail("no kernel for 3D");
  mutex.unlock();
  return {};
}

void AddTimes(Accidents* accidents) {
  accidents->merge(Accidents{
      {"slow-start", {.create = [] { return Sleep(0.5), Answer(); }}},
      {"never-starts", {.create = []() -> Answer { Hang(); }}},
      {"slow-destroy", {.destroy = [] { Sleep(0.5); }}},
      {"never-ends", {.destroy = [] { Hang(); }}},
      {"slow-exit", {.destroy = [] { std::atexit([] { Sleep(0.5); }); }}},
      {"hangs-in-f16",
       {.before =
            [](const CallView& call) {
              if (call.Input(0).element_type == POOLPROOF_F16) Hang();
              return Answer();
            }}},
      {"hangs-in-3d",
       {.before =
            [](const CallView& call) {
              if (call.Input(0).rank == 5) Hang();
              return Answer();
            }}},
      {"hangs-with-channels",
       {.before =
            [](const CallView& call) {
              if (call.Input(0).dims[1] > 1) Hang();
              return Answer();
            }}},
      {"hangs-after-an-error", {.before = &LockAndForget}},
  });
}

void AddEnds(Accidents* accidents) {
  accidents->merge(Accidents{
      {"starts-at-times",
       {.create = &StartAtTimes,
        .before =
            [](const CallView& call) {
              if (call.Input(0).rank == 5) std::abort();
              return Answer();
            }}},
      {"dies-at-random",
       {.before =
            [](const CallView&) {
              if (OneIn(20)) std::abort();
              return Answer();
            }}},
      {"dies-at-40th-call",
       {.before =
            [](const CallView&) {
              if (g_runs == 40) std::abort();
              return Answer();
            }}},
      {"fails-at-40th-call",
       {.before =
            [](const CallView&) { return g_runs % 40 == 0 ? Fail("the queue of the device is full") : Answer(); }}},
      {"terminates-at-40th-call",
       {.before =
            [](const CallView&) {
              if (g_runs == 40) raise(SIGTERM);
              return Answer();
            }}},
      {"exits-on-error",
       {.before =
            [](const CallView& call) {
              if (call.Input(0).rank == 5) std::exit(1);
              return Answer();
            }}},
      {"throws", {.before = [](const CallView& call) -> Answer {
         if (call.Input(0).rank == 5) throw std::runtime_error("3D is not implemented");
         return {};
       }}},
      {"dies-in-destroy", {.destroy = [] { std::abort(); }}},
      {"dies-at-exit", {.destroy = [] { std::atexit([] { std::abort(); }); }}},
      {"unknown-instruction",
       {.before =
            [](const CallView& call) {
              if (call.Input(0).element_type == POOLPROOF_F16) raise(SIGILL);
              return Answer();
            }}},
      {"unknown-instruction-in-create", {.create = []() -> Answer {
         raise(SIGILL);
         return {};
       }}},
  });
}

}  // namespace

void AddProcesses(Accidents* accidents) {
  AddTimes(accidents);
  AddEnds(accidents);
  accidents->merge(Accidents{
      {"needs-a-variable", {.create = &NeedVariable}},
      {"needs-a-temporary-folder", {.create = &NeedTemporaryFolder}},
      {"needs-a-file", {.create = &NeedFile}},
      {"needs-1-gib", {.create = &NeedMemory}},
      {"leaks-memory", {.before = &LeakMemory}},
      {"leaks-threads", {.before = &LeakThread}},
      {"leaks-descriptors", {.before = &LeakDescriptor<1>}},
      {"leaks-descriptors-at-times", {.before = &LeakDescriptor<9>}},
      {"large-stack", {.before = &UseStack}},
      {"prints-without-end", {.create = [] { return std::thread([] { Chatter(stdout); }).detach(), Answer(); }}},
      {"logs-without-end", {.create = [] { return std::thread([] { Chatter(stderr); }).detach(), Answer(); }}},
      {"changes-locale", {.create = [] { return setlocale(LC_ALL, "C.UTF-8"), Answer(); }}},
      {"changes-rounding", {.create = [] { return fesetround(FE_UPWARD), Answer(); }}},
      {"blocks-signals",
       {.create =
            [] {
              sigset_t all;
              sigfillset(&all);
              sigprocmask(SIG_SETMASK, &all, nullptr);
              return Answer();
            }}},
      {"changes-folder", {.create = [] { return (void)!chdir("/"), Answer(); }}},
  });
}

}  // namespace poolproof::accidents
