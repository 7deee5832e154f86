// Attacks on what worker and runner share: the socket, the memory, and the process at its two ends.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "conformance/worker/shared_layout.h"
#include "conformance/worker/testdata/hostile/attack.h"

namespace poolproof::hostile {
namespace {

using worker::kWorkerBase;
constexpr int kControl = 3;  // the socket to the runner

template <typename T>
T& At(uint64_t offset) {
  return *reinterpret_cast<T*>(kWorkerBase + offset);
}
worker::WorkerBlock& Block() { return At<worker::WorkerBlock>(worker::kWorkerOffset); }

// All that the worker may say of all cases of both batches; it says the truth only of what follows.
template <typename Change>
void ForEachResponse(Change change) {
  for (int batch = 0; batch < worker::kBatches; ++batch) {
    for (int slot = 0; slot < worker::kSlots; ++slot) {
      const uint64_t offset = worker::kResponsesOffset +
                              static_cast<uint64_t>(batch) * (worker::kResponsesBytes + worker::kGuard) +
                              static_cast<uint64_t>(slot) * worker::kResponseStride;
      for (auto& placement : At<worker::CaseResponse>(offset).placement) change(placement);
    }
  }
}

// The runner reads while this goes on, whatever the worker writes itself.
template <typename Change>
void KeepSaying(Change change) {
  std::thread([change] {
    for (int i = 0; i < 20'000; ++i) {
      ForEachResponse(change);
      usleep(100);
    }
  }).detach();
  usleep(20'000);
}

void SayHugeCounts(worker::PlacementResponse& said) {
  for (uint64_t& bytes : said.data_bytes) bytes = ~uint64_t{0} >> 1;
  for (auto& output : said.outputs) output.size_bytes = ~size_t{0};
}

void SayHighRank(worker::PlacementResponse& said) {
  for (auto& output : said.outputs) output.rank = 1'000'000;
}

// Where the inputs are, and before and behind all memory.
void SayOtherPlaces(worker::PlacementResponse& said) {
  static uint64_t places[] = {worker::kInputsOffset, 8, worker::kTotalBytes - 8, ~uint64_t{0} - 4096};
  static unsigned turn = 0;
  for (uint64_t& offset : said.data_offset) offset = places[turn++ % 4];
}

void SayEndlessText(worker::PlacementResponse& said) { std::memset(said.error, 'x', sizeof(said.error)); }

void SayUnknownWords(worker::PlacementResponse& said) {
  said.run_status = -7;
  said.not_run = static_cast<worker::NotRun>(99);
  said.not_run_output = 1'000'000;
  said.changed_output = 1'000'000;
  said.damage = {1'000'000, 9, ~uint64_t{0}, ~uint64_t{0}};
}

void ForgeFault() {
  Block().fault.address = ~uint64_t{0};
  Block().fault.code = 12345;
  Block().fault.access = static_cast<worker::Access>(99);
  Block().fault.signal.store(1'000'000);
}

void ForgeLateRecords() {
  for (auto& record : Block().late) record = {~uint64_t{0} - 8, static_cast<worker::Access>(99)};
  Block().late_count.store(worker::kMaxLateRecords);
}

void LoseNames() {
  std::memset(Block().name, 0x1b, sizeof(Block().name));
  std::memset(Block().version, 0xff, sizeof(Block().version));
  std::memset(Block().load_error, 'x', sizeof(Block().load_error));
}

void SealMemory() {
  for (int fd = 3; fd < 256; ++fd) {
    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_FUTURE_WRITE);
    (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
  }
}

// The file that is open for reading only, opened again for writing.
void ReopenMemory() {
  for (int fd = 4; fd < 16; ++fd) {
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    char target[64] = {};
    if (readlink(path.c_str(), target, sizeof(target) - 1) > 0 && std::strstr(target, "poolproof-runner") != nullptr) {
      return (void)TryOpen(path, O_RDWR);
    }
  }
  errno = ENOENT;
  Report("find the runner's memory among the descriptors", false);
}

void RemoveInputs() {
  const auto address = reinterpret_cast<uintptr_t>(g_target.call->inputs[0]->data) / 4096 * 4096;
  Report("remove the pages of the inputs", madvise(reinterpret_cast<void*>(address), 4096, MADV_REMOVE) == 0);
}

void RemoveBlock() { madvise(&Block(), worker::kWorkerBytes, MADV_REMOVE); }

void* PageOfOutput() {
  return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(g_target.call->outputs[0]->data) / 4096 * 4096);
}

// The outputs lie elsewhere for the runner than for whoever writes them from now on.
void ReplaceOutputs() {
  (void)mmap(PageOfOutput(), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

// By another address of the same memory, which no protection of the outputs covers.
void ChangeLate(bool back) {
  const poolproof_tensor& output = *g_target.call->outputs[0];
  auto* other = static_cast<char*>(mremap(PageOfOutput(), 0, 4096, MREMAP_MAYMOVE));
  char* byte = other + reinterpret_cast<uintptr_t>(output.data) % 4096;
  if (back) *byte = static_cast<char>(~*byte);
  std::thread([byte] {
    usleep(3000);
    *byte = static_cast<char>(~*byte);
  }).detach();
}

void FloodControl() {
  const std::vector<char> noise(1 << 20, 'd');
  (void)send(kControl, noise.data(), noise.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

// Descriptors that the runner is to keep until it has none left.
void SendDescriptors() {
  int given[64];
  std::fill(std::begin(given), std::end(given), STDERR_FILENO);
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(given))] = {};
  char byte = 'd';
  iovec part = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof(space);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(given));
  std::memcpy(CMSG_DATA(header), given, sizeof(given));
  for (int i = 0; i < 30; ++i) (void)sendmsg(kControl, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void LogIntoControl() {
  dup2(kControl, STDOUT_FILENO);
  for (int i = 0; i < 10; ++i) (void)!write(STDOUT_FILENO, "dbr", 3);
}

// A filter of its own, under which no system call works any more.
void DenyAll() {
  sock_filter rules[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)};
  const sock_fprog program = {1, rules};
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

void UnloadItself() {
  Dl_info found = {};
  if (dladdr(reinterpret_cast<void*>(&UnloadItself), &found) == 0) return;
  void* self = dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  // To code that is gone.
  if (self != nullptr) std::thread([self] { dlclose(self), dlclose(self); }).join();
}

void KillByTimer() {
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer = {};
  const itimerspec soon = {{0, 0}, {0, 1000}};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &soon, nullptr);
  while (true) usleep(1000);
}

// The kernel, which no rule on files binds, would write it into the runner's folder.
void DumpCore() {
  const rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_CORE, &all);
  prctl(PR_SET_DUMPABLE, 1);
  raise(SIGQUIT);
}

void ExecuteMemory() {
  const int fd = memfd_create("program", 0);
  const char script[] = "#!/bin/sh\necho breach: exec >&2\n";
  (void)!write(fd, script, sizeof(script) - 1);
  char name[] = "program";
  char* arguments[] = {name, nullptr};
  fexecve(fd, arguments, environ);
  Report("execute a file in memory", false);
}

// A program that opens the file would wait for the backend.
void TakeLease() {
  const int fd = open("/etc/hostname", O_RDONLY | O_CLOEXEC);
  errno = 0;
  const bool taken = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
  Report("take a lease of a file", taken || (errno != EPERM && errno != EACCES && errno != EBADF));
}

volatile bool g_deeper = true;
[[gnu::noinline]] int Overflow(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return g_deeper ? Overflow(depth + 1) + frame[0] : 0;
}

bool g_killed_at_end = false;
[[gnu::destructor]] void KillAtEnd() {
  if (g_killed_at_end) raise(SIGKILL);
}

}  // namespace

void AddChannelAttacks(Attacks* attacks) {
  attacks->merge(Attacks{
      {"say-huge-counts", [] { KeepSaying(&SayHugeCounts); }},
      {"say-high-rank", [] { KeepSaying(&SayHighRank); }},
      {"say-other-places", [] { KeepSaying(&SayOtherPlaces); }},
      {"say-endless-text", [] { KeepSaying(&SayEndlessText); }},
      {"say-unknown-words", [] { KeepSaying(&SayUnknownWords); }},
      {"forge-fault", &ForgeFault},
      {"forge-late-records", &ForgeLateRecords},
      {"step-back", [] { Block().step.store(INT64_MIN); }},
      {"step-behind-end", [] { Block().step.store(INT64_MAX); }},
      {"lose-names", &LoseNames},
      {"seal-memory", &SealMemory},
      {"reopen-memory", &ReopenMemory},
      {"remove-inputs", &RemoveInputs},
      {"remove-block", &RemoveBlock},
      {"replace-outputs", &ReplaceOutputs},
      {"change-late", [] { ChangeLate(false); }},
      {"correct-late", [] { ChangeLate(true); }},
      {"write-self-mem", [] { TryOpen("/proc/self/mem", O_RDWR); }},
      {"flood-control", &FloodControl},
      {"send-descriptors", &SendDescriptors},
      {"shut-writing", [] { shutdown(kControl, SHUT_WR); }},
      {"shut-reading", [] { shutdown(kControl, SHUT_RD); }},
      {"log-into-control", &LogIntoControl},
      {"deny-all-calls", &DenyAll},
      {"unload-itself", &UnloadItself},
      {"terminate-self", [] { raise(SIGTERM); }},
      {"timer-kill", &KillByTimer},
      {"dump-core", &DumpCore},
      {"exec-memory", &ExecuteMemory},
      {"take-lease", &TakeLease},
      {"overflow-stack", [] { (void)Overflow(0); }},
      {"kill-at-end", [] { g_killed_at_end = true; }},
  });
}

}  // namespace poolproof::hostile
