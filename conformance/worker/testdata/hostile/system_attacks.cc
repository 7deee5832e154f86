#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "conformance/worker/testdata/hostile/attack.h"

namespace poolproof::hostile {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

// Refused before its arguments, which are all wrong, have been looked at.
void TryCall(const char* name, long number) {
  errno = 0;
  const long result = syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
  Report(name, result >= 0 || (errno != EPERM && errno != ENOSYS && errno != EACCES));
}

void SystemCalls() {
  TryCall("bpf", SYS_bpf);
  TryCall("perf_event_open", SYS_perf_event_open);
  TryCall("userfaultfd", SYS_userfaultfd);
  TryCall("io_uring_setup", SYS_io_uring_setup);
  TryCall("keyctl", SYS_keyctl);
  TryCall("add_key", SYS_add_key);
  TryCall("shmget", SYS_shmget);
  TryCall("shmctl", SYS_shmctl);
  TryCall("msgget", SYS_msgget);
  TryCall("semget", SYS_semget);
  TryCall("mq_open", SYS_mq_open);
  TryCall("open_by_handle_at", SYS_open_by_handle_at);
  TryCall("process_madvise", SYS_process_madvise);
  TryCall("kcmp", SYS_kcmp);
  TryCall("swapon", SYS_swapon);
  TryCall("kexec_load", SYS_kexec_load);
}

void Namespaces() {
  Report("unshare user", unshare(CLONE_NEWUSER) == 0);
  Report("unshare mount", unshare(CLONE_NEWNS) == 0);
  Report("unshare network", unshare(CLONE_NEWNET) == 0);
  errno = 0;
  syscall(SYS_clone3, nullptr, 0);
  Report("clone3", errno != ENOSYS);
}

void Mount() {
  Report("mount", mount("none", "/mnt", "tmpfs", 0, nullptr) == 0);
  Report("chroot", chroot("/") == 0);
}

// Privileges that a worker of the superuser must not have.
void Privileges() {
  Report("setuid", geteuid() == 0 ? setuid(65534) == 0 : setuid(0) == 0);
  Report("nice", setpriority(PRIO_PROCESS, 0, -5) == 0);
  const rlimit more = {8192, 1 << 20};
  Report("raise a limit", setrlimit(RLIMIT_NOFILE, &more) == 0);
  Report("no_new_privs off", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
}

// Untouched, so that a system that lets it through is not harmed.
void Map30GB(int flags) {
  constexpr size_t kBytes = size_t{30} << 30;
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  Report("map 30 GB", memory != MAP_FAILED);
}

// 12 GB, without touching them.
void Malloc() {
  for (int i = 0; i < 12 * 1024; ++i) {
    if (std::malloc(kMiB) == nullptr) return Report("malloc 12 GB", false);
  }
  Report("malloc 12 GB", true);
}

void FillMemoryFile() {
  const int fd = memfd_create("fill", MFD_CLOEXEC);
  Report("a file of 1 GB in memory", ftruncate(fd, 1024 * kMiB) == 0);
  close(fd);
}

void ExhaustDescriptors() {
  int opened = 0;
  while (opened < 100'000 && open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) ++opened;
  Report("open 100,000 files", opened == 100'000);
}

// The inputs are a file that is open for reading only; nothing makes them writable.
void WriteInputs() {
  const auto address = reinterpret_cast<uintptr_t>(g_target.call->inputs[0]->data);
  void* page = reinterpret_cast<void*>(address / 4096 * 4096);
  Report("mprotect the inputs", mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0);
  char name[64];
  std::snprintf(name, sizeof(name), "/proc/self/map_files/%lx-%lx", address / 4096 * 4096,
                address / 4096 * 4096 + 4096);
  TryOpen(name, O_RDWR);
}

}  // namespace

void AddSystemAttacks(Attacks* attacks) {
  attacks->merge(Attacks{
      {"system-calls", &SystemCalls},
      {"namespaces", &Namespaces},
      {"mount", &Mount},
      {"privileges", &Privileges},
      {"keep-alive", [] { Report("outlive the runner", prctl(PR_SET_PDEATHSIG, 0) == 0); }},
      {"map-30-gb", [] { Map30GB(MAP_PRIVATE); }},
      {"share-30-gb", [] { Map30GB(MAP_SHARED); }},
      {"malloc", &Malloc},
      {"fill-memory-file", &FillMemoryFile},
      {"exhaust-descriptors", &ExhaustDescriptors},
      {"write-inputs", &WriteInputs},
  });
}

}  // namespace poolproof::hostile
