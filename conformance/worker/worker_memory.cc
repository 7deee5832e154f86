#include "conformance/worker/worker_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace poolproof::worker {
namespace {

bool Protect(uint64_t offset, uint64_t bytes, int protection) {
  return mprotect(WorkerAt(offset), bytes, protection) == 0;
}

bool MapAt(uint64_t offset, uint64_t bytes, int fd) {
  void* mapped = mmap(WorkerAt(offset), bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
  if (mapped == WorkerAt(offset)) return true;
  if (mapped != MAP_FAILED) errno = EEXIST;  // a kernel that takes the address for a hint
  return false;
}

}  // namespace

bool MapWorkerMemory(int runner_fd, int worker_fd) {
  if (!MapAt(0, kRunnerFileBytes, runner_fd) || !MapAt(kRunnerFileBytes, kWorkerFileBytes, worker_fd)) {
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

void OpenInputs(int batch, int slot, int placements) {
  for (int p = 0; p < placements; ++p) {
    for (int i = 0; i < kMaxInputs; ++i) {
      const uint64_t begin = InputOffset(batch, slot, p, i);
      SetPages(begin, begin + kSmallRegion, Pages::kReadable);
    }
  }
}

void OpenOutputs(int output_set, int slot, int placements) {
  for (int p = 0; p < placements; ++p) {
    for (int i = 0; i < kMaxOutputs; ++i) {
      const uint64_t begin = OutputOffset(output_set, slot, p, i);
      SetPages(begin, begin + kSmallRegion, Pages::kWritable);
    }
  }
}

void SetPages(uint64_t begin, uint64_t end, Pages access) {
  const int protection = access == Pages::kClosed     ? PROT_NONE
                         : access == Pages::kReadable ? PROT_READ
                                                      : PROT_READ | PROT_WRITE;
  if (!Protect(begin, end - begin, protection)) _exit(kCannotProtect);
}

}  // namespace poolproof::worker
