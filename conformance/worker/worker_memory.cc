#include "conformance/worker/worker_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

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

// The range in pieces, each of which is one mapping until the first batch.
constexpr uint64_t kPieces[] = {0,
                                kRunnerOffset,
                                kRunnerOffset + kRunnerBytes,
                                kRunnerFileBytes,
                                kWorkerOffset,
                                kWorkerOffset + kWorkerBytes,
                                kTotalBytes};

bool MoveTo(uint64_t base) {
  void* const range = reinterpret_cast<void*>(base);
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  if (mmap(range, kTotalBytes, PROT_NONE, kFlags, -1, 0) != range) return false;
  for (size_t i = 0; i + 1 < std::size(kPieces); ++i) {
    const uint64_t bytes = kPieces[i + 1] - kPieces[i];
    void* const to = reinterpret_cast<void*>(base + kPieces[i]);
    if (mremap(WorkerAt(kPieces[i]), bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to) return false;
  }
  g_worker_base = base;
  return true;
}

}  // namespace

bool MapWorkerMemory(int runner_fd, int worker_fd) {
  return MapAt(0, kRunnerFileBytes, runner_fd) && MapAt(kRunnerFileBytes, kWorkerFileBytes, worker_fd) &&
         Protect(kRunnerOffset, kRunnerBytes, PROT_READ) &&
         Protect(kWorkerOffset, kWorkerBytes, PROT_READ | PROT_WRITE);
}

void TakeBase() {
  const uint64_t base = WorkerAs<const RunnerBlock>(kRunnerOffset)->base;
  if (base != g_worker_base && !MoveTo(base)) _exit(kCannotProtect);
  for (int batch = 0; batch < kBatches; ++batch) {
    SetPages(RequestOffset(batch, 0), RequestOffset(batch, kSlots), Pages::kReadable);
    SetPages(ResponseOffset(batch, 0), ResponseOffset(batch, kSlots), Pages::kWritable);
  }
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
