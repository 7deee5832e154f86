#include "conformance/worker/worker_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace poolproof::worker {
namespace {

bool Protect(uint64_t offset, uint64_t bytes, int protection) {
  return mprotect(WorkerAt(offset), bytes, protection) == 0;
}

}  // namespace

bool MapWorkerMemory(int memory_fd) {
  void* mapped = mmap(WorkerAt(0), kTotalBytes, PROT_NONE,
                      MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, memory_fd, 0);
  if (mapped == MAP_FAILED) return false;
  if (mapped != WorkerAt(0)) {  // a kernel that takes the address for a hint
    errno = EEXIST;
    return false;
  }
  for (int batch = 0; batch < kBatches; ++batch) {
    if (!Protect(RequestOffset(batch, 0), kRequestsBytes, PROT_READ) ||
        !Protect(ResponseOffset(batch, 0), kResponsesBytes, PROT_READ | PROT_WRITE)) {
      return false;
    }
  }
  return Protect(kRunnerOffset, kRunnerBytes, PROT_READ) &&
         Protect(kWorkerOffset, kWorkerBytes, PROT_READ | PROT_WRITE);
}

void OpenSlot(int batch, int slot, int placements) {
  for (int p = 0; p < placements; ++p) {
    for (int region = 0; region < kRegionsPerPlacement; ++region) {
      const uint64_t begin = RegionOffset(batch, slot, p, region);
      OpenPages(begin, begin + kSmallRegion, region >= kMaxInputs);
    }
  }
}

void OpenPages(uint64_t begin, uint64_t end, bool writable) {
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  if (!Protect(begin, end - begin, protection)) _exit(kCannotProtect);
}

void ClosePages(uint64_t begin, uint64_t end) {
  if (!Protect(begin, end - begin, PROT_NONE)) _exit(kCannotProtect);
}

}  // namespace poolproof::worker
