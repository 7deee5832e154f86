// The worker's side of the shared memory: what the backend may read and write.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/worker/shared_layout.h"

namespace poolproof::worker {

// Where the range lies now.
inline uint64_t g_worker_base = kWorkerBase;

// Maps the runner's file and the worker's at kWorkerBase, closed but for the two blocks. False: errno says why.
bool MapWorkerMemory(int runner_fd, int worker_fd);

// These end the process with status kCannotProtect if the system refuses, since a tensor without
// guards would prove nothing.
//
// Moves the range, before the first batch, to the base that the RunnerBlock names, and opens requests and responses.
// Pointers from earlier calls of WorkerAs are invalid afterwards.
void TakeBase();
// Opens the regions of small tensors of one slot, when it is first used: hundreds of calls at the
// start would be half of what starting the process costs.
void OpenInputs(int batch, int slot, int placements);
void OpenOutputs(int output_set, int slot, int placements);
// Opens pages of an arena, and closes them again.
enum class Pages { kClosed, kReadable, kWritable };
void SetPages(uint64_t begin, uint64_t end, Pages access);
inline constexpr int kCannotProtect = 113;

inline std::byte* WorkerAt(uint64_t offset) { return reinterpret_cast<std::byte*>(g_worker_base + offset); }
template <typename T>
T* WorkerAs(uint64_t offset) {
  return reinterpret_cast<T*>(g_worker_base + offset);
}

}  // namespace poolproof::worker
