// Layout of the memory that a lane and its worker process share.
//
// It is one sparse file in memory. The runner maps all of it; the worker reserves the same range at
// kWorkerBase and opens only the regions below to the backend, so that everything between them
// faults. Offsets in the file and in the worker's range are the same:
//
//   guard | RunnerBlock (read-only) | guard | WorkerBlock | guard
//   per batch: requests (read-only) | guard | responses | guard
//              per slot and placement: input 1 | guard | input 2 | guard | output 1 | ... | guard
//              per placement: input arena, output arena
//
// Tensors of up to kSmallBytes lie in the regions of their slot, which stay open for the life of
// the process: a small case costs no system call. Larger ones lie in the arenas, whose pages are
// opened for the time of one case.
#ifndef POOLPROOF_CONFORMANCE_WORKER_SHARED_LAYOUT_H_
#define POOLPROOF_CONFORMANCE_WORKER_SHARED_LAYOUT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "conformance/backend.h"
#include "conformance/worker/lane.h"

namespace poolproof::worker {

// Changes whenever a struct or an offset here changes. Runner and worker are the same program, so
// a difference means that the file of the program was replaced while it was running.
inline constexpr uint32_t kLayoutVersion = 1;

inline constexpr uint64_t kPage = 4096;
inline constexpr uint64_t kGuard = 64 * 1024;
inline constexpr int kBatches = 2;
inline constexpr int kSlots = 32;  // cases per batch
inline constexpr uint64_t kMaxTensorBytes = uint64_t{256} << 20;

// Outside what the address randomisation and the sanitizers of x86-64 and arm64 use. Fixed, so that
// addresses in messages are the same in every run.
inline constexpr uint64_t kWorkerBase = 0x200000000000;

// Bytes that outputs and their slack hold before a run, per placement, and the bytes around inputs:
// as a float of any width the latter is large or NaN, so that a stray tap wins.
inline constexpr std::byte kPrefill[kMaxPlacements] = {std::byte{0xA5}, std::byte{0x5A},
                                                       std::byte{0xC3}};
inline constexpr std::byte kInputSlack{0x7F};

// What the backend is doing; part of the message when the process ends there.
enum class Phase : int32_t { kLoading, kIdle, kInferShapes, kRun, kLastError };

enum class NotRun : int32_t { kRan, kInferOnly, kBadDescription, kTooLarge };

enum class Access : int32_t { kUnknown, kRead, kWrite };

// Written by the runner, read-only in the worker.
struct RunnerBlock {
  uint32_t layout_version;
  int32_t placements;
  int32_t option_count;
  int32_t batch;       // the command: run this batch,
  int32_t case_count;  // of so many cases,
  int32_t first_step;  // from this step on
  // Path of the shared object, then the options, each with its NUL.
  char config[32 * 1024];
};

struct FaultRecord {
  std::atomic<int32_t> signal;  // 0: none
  int32_t code;                 // si_code
  Access access;
  uint64_t address;
};

// Written by the worker.
struct WorkerBlock {
  uint32_t abi_version;
  char name[256];
  char version[256];
  char load_error[2048];         // why the backend could not be loaded; "" if it was
  std::atomic<int32_t> phase;    // Phase
  std::atomic<int64_t> step;     // the case and placement being run; -1: none of this batch yet
  std::atomic<int64_t> started;  // when, in nanoseconds of CLOCK_MONOTONIC
  uint64_t arena_used[kMaxPlacements];  // bytes of the output arenas that this batch has used
  FaultRecord fault;
};

// One input in one placement. begin and end are the pages to open, equal for a small tensor.
struct InputExtent {
  uint64_t offset;
  uint64_t bytes;
  uint64_t begin;
  uint64_t end;
};

// One case. Pointers are those of the worker's address range.
struct CaseRequest {
  int32_t infer_only;
  int64_t capacity;
  poolproof_call call;  // op, attributes and counts; inputs and outputs are set per placement
  InputExtent extents[kMaxPlacements][kMaxInputs];
  poolproof_tensor infer_inputs[kMaxPlacements][kMaxInputs];
  poolproof_tensor run_inputs[kMaxPlacements][kMaxInputs];
  const poolproof_tensor* infer_pointers[kMaxPlacements][kMaxInputs];
  const poolproof_tensor* run_pointers[kMaxPlacements][kMaxInputs];
  uint64_t description_used;
  alignas(16) std::byte description[kMaxDescriptionBytes];  // attributes, lists and strings
};

// Bytes changed in the slack around one output.
struct SlackDamage {
  int32_t output;    // -1: none
  int32_t past_end;  // 0: before the start
  uint64_t bytes;    // how many were changed
  uint64_t distance;  // of the nearest one; 1 is the byte next to the output
};

struct PlacementResponse {
  int32_t completed;
  int32_t ran;
  poolproof_status infer_status;
  poolproof_status run_status;
  NotRun not_run;
  int32_t not_run_output;
  int32_t changed_output;  // run changed the description of this one; -1: of none
  SlackDamage damage;
  uint64_t data_offset[kMaxOutputs];  // 0: no data
  uint64_t data_bytes[kMaxOutputs];
  poolproof_tensor outputs[kMaxOutputs];  // as described by infer_shapes
  char error[1024];
};

struct CaseResponse {
  PlacementResponse placement[kMaxPlacements];
};

// ---------------------------------------------------------------- offsets

constexpr uint64_t RoundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

enum Region { kInput1, kInput2, kOutput1, kOutput2, kRegionsPerPlacement };
static_assert(kMaxInputs == 2 && kMaxOutputs == 2);

inline constexpr uint64_t kSmallRegion = kSmallBytes;
inline constexpr uint64_t kRegionStride = kSmallRegion + kGuard;
inline constexpr uint64_t kRequestStride = RoundUp(sizeof(CaseRequest), kPage);
inline constexpr uint64_t kResponseStride = RoundUp(sizeof(CaseResponse), kPage);
inline constexpr uint64_t kInputArena = uint64_t{1} << 30;   // of one placement of one batch
inline constexpr uint64_t kOutputArena = uint64_t{2} << 30;
// Every small case may take its share, and the one large case of a batch two full outputs.
static_assert(kOutputArena >= 2 * (kMaxTensorBytes + 2 * kGuard) +
                                  2 * kSlots * (kMaxOutputBytesOfSmall + 2 * kGuard));
static_assert(kInputArena >= kMaxInputs * (kMaxTensorBytes + 2 * kGuard));

inline constexpr uint64_t kRunnerOffset = kGuard;
inline constexpr uint64_t kRunnerBytes = RoundUp(sizeof(RunnerBlock), kPage);
inline constexpr uint64_t kWorkerOffset = kRunnerOffset + kRunnerBytes + kGuard;
inline constexpr uint64_t kWorkerBytes = RoundUp(sizeof(WorkerBlock), kPage);

// Offsets inside one batch.
inline constexpr uint64_t kRequestsBytes = kSlots * kRequestStride;
inline constexpr uint64_t kResponsesBytes = kSlots * kResponseStride;
inline constexpr uint64_t kResponsesInBatch = kRequestsBytes + kGuard;
inline constexpr uint64_t kRegionsInBatch = kResponsesInBatch + kResponsesBytes + kGuard;
inline constexpr uint64_t kArenasInBatch = RoundUp(
    kRegionsInBatch + kSlots * kMaxPlacements * kRegionsPerPlacement * kRegionStride, kGuard);
inline constexpr uint64_t kBatchBytes =
    kArenasInBatch + kMaxPlacements * (kInputArena + kOutputArena);

inline constexpr uint64_t kBatchesOffset = RoundUp(kWorkerOffset + kWorkerBytes + kGuard, kGuard);
inline constexpr uint64_t kTotalBytes = kBatchesOffset + kBatches * kBatchBytes + kGuard;

constexpr uint64_t BatchOffset(int batch) {
  return kBatchesOffset + static_cast<uint64_t>(batch) * kBatchBytes;
}
constexpr uint64_t RequestOffset(int batch, int slot) {
  return BatchOffset(batch) + static_cast<uint64_t>(slot) * kRequestStride;
}
constexpr uint64_t ResponseOffset(int batch, int slot) {
  return BatchOffset(batch) + kResponsesInBatch + static_cast<uint64_t>(slot) * kResponseStride;
}
constexpr uint64_t RegionOffset(int batch, int slot, int placement, int region) {
  const int index = (slot * kMaxPlacements + placement) * kRegionsPerPlacement + region;
  return BatchOffset(batch) + kRegionsInBatch + static_cast<uint64_t>(index) * kRegionStride;
}
constexpr uint64_t InputArenaOffset(int batch, int placement) {
  return BatchOffset(batch) + kArenasInBatch + static_cast<uint64_t>(placement) * kInputArena;
}
constexpr uint64_t OutputArenaOffset(int batch, int placement) {
  return BatchOffset(batch) + kArenasInBatch + kMaxPlacements * kInputArena +
         static_cast<uint64_t>(placement) * kOutputArena;
}

// Which case a step of a batch runs: all cases in placement 0, then all in placement 1 in reverse
// order, and so on.
struct Step {
  int placement;
  int slot;
};
constexpr Step StepAt(int64_t step, int case_count) {
  const int placement = static_cast<int>(step / case_count);
  const int position = static_cast<int>(step % case_count);
  return {placement, placement == 1 ? case_count - 1 - position : position};
}

// Where a tensor of `bytes` begins inside the pages [begin, end): flush with the end, flush with
// the beginning, or at an address that is aligned to the element and to nothing more.
uint64_t PlaceTensor(int placement, uint64_t begin, uint64_t end, uint64_t bytes,
                     uint64_t element_size);
// Pages that a tensor of `bytes` needs in any placement; the arenas hand out that many.
uint64_t PagesFor(uint64_t bytes);

}  // namespace poolproof::worker

#endif  // POOLPROOF_CONFORMANCE_WORKER_SHARED_LAYOUT_H_
