// Layout of the memory that a lane and its worker process share.
//
// It is two sparse files in memory, mapped one behind the other by both sides. The first one is
// the runner's: the worker gets a descriptor of it that is open for reading only, so that no
// mprotect makes it writable there. The second one is what the worker writes. The worker has the
// range at an address of the run and opens only the regions below to the backend, so that everything between
// them faults. Offsets are the same on both sides:
//
//   runner's file:  guard | RunnerBlock | guard
//                   per batch: requests | guard | per slot and placement: input 1 | guard | ...
//                   per placement: input arena
//   worker's file:  guard | WorkerBlock | guard | per batch: responses | guard
//                   per output set, slot and placement: output 1 | guard | output 2 | guard
//                   per placement: output arena
//
// Tensors of up to kSmallBytes lie in the regions of their slot, which stay open for the life of
// the process: a small case costs no system call. Larger ones lie in the arenas, whose pages are
// opened for their case. From the moment that run has returned, inputs there are closed and outputs
// can only be read; an access all the same is recorded and let through.
//
// There are two batches, one that runs while the other one is filled, and many output sets: the
// outputs of a batch lie untouched for a while after it has run, so that what a backend writes
// after run has returned is seen and hits no other case.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "conformance/backend.h"
#include "conformance/worker/lane.h"

namespace poolproof::worker {

// Changes whenever a struct or an offset here changes. Runner and worker are two programs, which
// may have been built at different times.
inline constexpr uint32_t kLayoutVersion = 5;

inline constexpr uint64_t kPage = 4096;
inline constexpr uint64_t kGuard = uint64_t{64} << 10;
inline constexpr int kBatches = 2;
inline constexpr int kOutputSets = 32;
inline constexpr int kSlots = 32;  // cases per batch
inline constexpr uint64_t kMaxTensorBytes = uint64_t{4} << 30;

// Where the worker has the range until its first batch, and from then on where no seed was set (BaseOf); outside what
// the address randomisation and the sanitizers of x86-64 and arm64 use, as are the addresses up to kBaseRoom behind it.
inline constexpr uint64_t kWorkerBase = 0x200000000000;
inline constexpr uint64_t kBaseRoom = uint64_t{1} << 43;

// Bytes that outputs and their slack hold before a run, per placement, where no seed was set (PrefillOf); and the bytes
// around inputs:
// as a float of any width the latter is large or NaN, so that a stray tap wins.
inline constexpr std::byte kPrefill[kMaxPlacements] = {std::byte{0xA5}, std::byte{0x5A}, std::byte{0xC3}};
inline constexpr std::byte kInputSlack{0x7F};

// The phase that the backend is in; part of the message when the process ends there.
enum class Phase : int32_t { kLoading, kIdle, kInferShapes, kRun, kLastError, kDestroy, kExit };

enum class NotRun : int32_t { kRan, kInferOnly, kBadDescription, kTooLarge };

enum class Access : int32_t { kUnknown, kRead, kWrite };

// Written by the runner, read-only in the worker.
struct RunnerBlock {
  uint32_t layout_version;
  int32_t placements;
  int32_t option_count;
  int32_t batch;       // the command: run this batch,
  int32_t output_set;  // with its outputs in this set
  int32_t case_count;  // of this number of cases,
  int32_t first_step;  // from this step on
  uint64_t base;       // where the worker has all of this from its first batch on; the same for all of them
  std::byte prefill[kMaxPlacements];
  // Where the free part of each output arena begins, as an offset into the arena.
  uint64_t arena_begin[kMaxPlacements];
  // Path of the shared object, then the options, each with its NUL.
  char config[32 * 1024];
};

struct FaultRecord {
  std::atomic<int32_t> signal;  // 0: none
  int32_t code;                 // si_code
  Access access;
  uint64_t address;
};

// An access to a large tensor after its call had returned; the access was let through.
struct LateRecord {
  uint64_t offset;
  Access access;
};
inline constexpr uint32_t kMaxLateRecords = 256;

// Written by the worker.
struct WorkerBlock {
  uint32_t abi_version;
  char name[256];
  char version[256];
  char load_error[2048];                 // why the backend could not be loaded; "" if it was
  std::atomic<int32_t> phase;            // Phase
  std::atomic<int64_t> step;             // the case and placement being run; -1: none of this batch yet
  std::atomic<int64_t> calls;            // of run, since the process was started
  std::atomic<int32_t> free_descriptor;  // the lowest one that is free, after the last batch
  uint64_t arena_end[kMaxPlacements];    // where the free part of each output arena begins now
  std::atomic<uint32_t> late_count;      // may be above kMaxLateRecords
  LateRecord late[kMaxLateRecords];
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
  int32_t given_up;  // not to be run; set while no process runs
  Capacity capacity;
  uint64_t max_output_bytes;  // of each output
  poolproof_call call;        // op, attributes and counts; inputs and outputs are set per placement
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
  int32_t output;     // -1: none
  int32_t past_end;   // 0: before the start
  uint64_t bytes;     // how many were changed
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
  uint32_t new_code;       // CountNewCode
  SlackDamage damage;
  uint64_t data_offset[kMaxOutputs];  // 0: no data
  uint64_t data_bytes[kMaxOutputs];
  uint64_t data_hash[kMaxOutputs];        // HashOutput at the moment that run returned
  poolproof_tensor outputs[kMaxOutputs];  // as described by infer_shapes
  char error[1024];
};

struct CaseResponse {
  PlacementResponse placement[kMaxPlacements];
};

// ---------------------------------------------------------------- offsets

constexpr uint64_t RoundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

static_assert(kMaxInputs == 2 && kMaxOutputs == 2);

inline constexpr uint64_t kSmallRegion = kSmallBytes;
inline constexpr uint64_t kRegionStride = kSmallRegion + kGuard;
inline constexpr uint64_t kRequestStride = RoundUp(sizeof(CaseRequest), kPage);
inline constexpr uint64_t kResponseStride = RoundUp(sizeof(CaseResponse), kPage);
// The arenas, of one placement. They are filled from the beginning on and begun again when nothing
// in them is in use, which is made so once they are filled up to kArenaTurn: every tensor there
// costs the kernel a few mappings, of which a process may have some 65,000.
inline constexpr uint64_t kInputArena = uint64_t{12} << 30;
inline constexpr uint64_t kOutputArena = uint64_t{12} << 30;
inline constexpr uint64_t kArenaTurn = uint64_t{512} << 20;
// Bytes that one batch may take at most of an output arena: two outputs of a large case, or those of all
// small ones. Inputs: at most one large case.
inline constexpr uint64_t kMaxOutputBytesOfBatch =
    kMaxOutputs * (kMaxTensorBytes + 2 * kGuard) +
    uint64_t{kMaxOutputs} * kSlots * (kMaxOutputBytesOfSmall + 2 * kGuard);
inline constexpr uint64_t kMaxInputBytesOfBatch = kMaxInputs * (kMaxTensorBytes + 2 * kGuard);
static_assert(kOutputArena >= kArenaTurn + kMaxOutputBytesOfBatch);
static_assert(kInputArena >= kArenaTurn + kMaxInputBytesOfBatch);

// ---- the runner's file
inline constexpr uint64_t kRunnerOffset = kGuard;
inline constexpr uint64_t kRunnerBytes = RoundUp(sizeof(RunnerBlock), kPage);
inline constexpr uint64_t kRequestsBytes = kSlots * kRequestStride;
inline constexpr uint64_t kRequestsOffset = RoundUp(kRunnerOffset + kRunnerBytes + kGuard, kGuard);
inline constexpr uint64_t kInputsOffset = RoundUp(kRequestsOffset + kBatches * (kRequestsBytes + kGuard), kGuard);
inline constexpr uint64_t kInputRegions = uint64_t{kBatches} * kSlots * kMaxPlacements * kMaxInputs;
inline constexpr uint64_t kInputArenasOffset = kInputsOffset + kInputRegions * kRegionStride;
inline constexpr uint64_t kRunnerFileBytes =
    RoundUp(kInputArenasOffset + kMaxPlacements * kInputArena + kGuard, kGuard);

// ---- the worker's file
inline constexpr uint64_t kWorkerOffset = kRunnerFileBytes + kGuard;
inline constexpr uint64_t kWorkerBytes = RoundUp(sizeof(WorkerBlock), kPage);
inline constexpr uint64_t kResponsesBytes = kSlots * kResponseStride;
inline constexpr uint64_t kResponsesOffset = RoundUp(kWorkerOffset + kWorkerBytes + kGuard, kGuard);
inline constexpr uint64_t kOutputsOffset = RoundUp(kResponsesOffset + kBatches * (kResponsesBytes + kGuard), kGuard);
inline constexpr uint64_t kOutputRegions = uint64_t{kOutputSets} * kSlots * kMaxPlacements * kMaxOutputs;
inline constexpr uint64_t kOutputArenasOffset = kOutputsOffset + kOutputRegions * kRegionStride;
inline constexpr uint64_t kTotalBytes = RoundUp(kOutputArenasOffset + kMaxPlacements * kOutputArena + kGuard, kGuard);
inline constexpr uint64_t kWorkerFileBytes = kTotalBytes - kRunnerFileBytes;

// Slot kSlots is where those of the batch end.
constexpr uint64_t RequestOffset(int batch, int slot) {
  assert(batch >= 0 && batch < kBatches && slot >= 0 && slot <= kSlots);
  return kRequestsOffset + static_cast<uint64_t>(batch) * (kRequestsBytes + kGuard) +
         static_cast<uint64_t>(slot) * kRequestStride;
}
constexpr uint64_t ResponseOffset(int batch, int slot) {
  assert(batch >= 0 && batch < kBatches && slot >= 0 && slot <= kSlots);
  return kResponsesOffset + static_cast<uint64_t>(batch) * (kResponsesBytes + kGuard) +
         static_cast<uint64_t>(slot) * kResponseStride;
}
constexpr uint64_t InputOffset(int batch, int slot, int placement, int input) {
  assert(placement >= 0 && placement < kMaxPlacements && input >= 0 && input < kMaxInputs);
  const int index = ((batch * kSlots + slot) * kMaxPlacements + placement) * kMaxInputs + input;
  return kInputsOffset + static_cast<uint64_t>(index) * kRegionStride;
}
constexpr uint64_t OutputOffset(int output_set, int slot, int placement, int output) {
  assert(placement >= 0 && placement < kMaxPlacements && output >= 0 && output < kMaxOutputs);
  const int index = ((output_set * kSlots + slot) * kMaxPlacements + placement) * kMaxOutputs + output;
  return kOutputsOffset + static_cast<uint64_t>(index) * kRegionStride;
}
constexpr uint64_t InputArenaOffset(int placement) {
  return kInputArenasOffset + static_cast<uint64_t>(placement) * kInputArena;
}
constexpr uint64_t OutputArenaOffset(int placement) {
  return kOutputArenasOffset + static_cast<uint64_t>(placement) * kOutputArena;
}

// Which case a step of a batch runs: all cases in placement 0, then all in placement 1 in reverse
// order, and so on.
struct Step {
  int placement;
  int slot;
};
constexpr Step StepAt(int64_t step, int case_count) {
  assert(step >= 0 && case_count > 0);
  const int placement = static_cast<int>(step / case_count);
  const int position = static_cast<int>(step % case_count);
  return {placement, placement == 1 ? case_count - 1 - position : position};
}

// Where a tensor of `bytes` begins inside the pages [begin, end): flush with the end, flush with
// the beginning, or at an address that is aligned to the element and to nothing more.
uint64_t PlaceTensor(int placement, uint64_t begin, uint64_t end, uint64_t bytes, uint64_t element_size);
// Pages that a tensor of `bytes` needs in any placement; the arenas hand out that many.
uint64_t PagesFor(uint64_t bytes);

// The prefill of a placement by the seed of the run, which differs from those of the others; that of seed 1 is
// kPrefill.
std::byte PrefillOf(uint64_t seed, int placement);
// The base by the seed of the run, on a page; that of seed 1 is kWorkerBase. Any other one leaves the range there free,
// from which it is moved. ThreadSanitizer knows of kWorkerBase alone.
uint64_t BaseOf(uint64_t seed);

// A number that changes with any byte of an output. Of a large one as well: its pages can only be read once run has
// returned, but a device, or another mapping, may still write them.
uint64_t HashOutput(const std::byte* data, uint64_t bytes);

}  // namespace poolproof::worker
