// A lane: one backend in a process of its own, fed with batches of cases through shared memory.
//
// The backend process maps inputs and requests read-only, every tensor between unmapped pages, and
// cannot reach any memory of the runner. Each case is run in two placements:
//   0  tensors end flush against an unmapped page; batch order
//   1  tensors begin flush after an unmapped page; reverse batch order, so that each case also
//      follows another one than before
// and the outputs are prefilled with a different byte pattern in each. With Options::odd_starts a
// third placement starts tensors at odd, type-aligned addresses inside a page.
//
// A backend that is not a shared object ("process:COMMAND") is a lane as well; there placements are
// the same memory twice, and there are no guards.
#ifndef POOLPROOF_CONFORMANCE_WORKER_LANE_H_
#define POOLPROOF_CONFORMANCE_WORKER_LANE_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/backend.h"
#include "conformance/problem/problem.h"

namespace poolproof {

inline constexpr int kMaxPlacements = 3;

struct LaneOptions {
  std::string backend;               // path of a shared object, or "process:COMMAND"
  std::vector<std::string> options;  // "key=value", given to poolproof_backend::create
  double timeout_seconds = 10;       // for one case
  std::string log_path;              // where stdout and stderr of the backend go; "" drops them
  bool odd_starts = false;           // the third placement
};

struct BackendInfo {
  std::string name, version;
  uint32_t abi_version = 0;
};

// What happened to the process while it ran a case.
enum class Event { kNone, kCrash, kTimeout, kOutOfBounds, kInputModified };

// One case, after the batch has run. Pointers stay valid until the next Wait of the same lane.
struct CaseResult {
  Event event = Event::kNone;
  // For an event: what happened, as a sentence without full stop: "wrote 4 bytes past the end of
  // output 1", "received signal SIGSEGV at address 0x0", "exited with status 3".
  std::string event_text;
  int event_placement = 0;

  poolproof_status infer_status = POOLPROOF_OK;
  std::array<poolproof_status, kMaxPlacements> run_status{};  // if ran
  bool ran = false;       // infer_shapes was OK and run was called
  std::string error;      // last_error where a status is not OK
  int placements = 0;     // how many were run
  // Outputs as infer_shapes described them (data is not set), and their bytes per placement.
  std::array<poolproof_tensor, kMaxOutputs> outputs{};
  std::array<std::array<const std::byte*, kMaxOutputs>, kMaxPlacements> data{};
  std::array<std::byte, kMaxPlacements> prefill{};  // the byte that outputs were filled with
};

class Lane {
 public:
  virtual ~Lane() = default;

  virtual const BackendInfo& Info() const = 0;

  // Adds a case to the batch being filled and returns where its feature map (call.inputs[0], of
  // inputs[0].size_bytes bytes) is to be written; nullptr when the batch is full (Submit first). The
  // other inputs are copied from their data pointers. `capacity` is added to the bytes that each
  // output gets. A batch always takes at least one case, of any size up to MaxBytes.
  virtual void* Add(const Call& call, int64_t capacity) = 0;
  virtual int64_t MaxBytes() const = 0;

  // Starts the filled batch; at most one batch runs while the next one is being filled.
  virtual void Submit() = 0;
  // Waits for the batch that was submitted and returns its cases in the order of Add. A case that
  // ended the process has an event; the process has then been started again and the rest was run.
  // If it cannot be started again, the rest have the event kCrash and say so.
  virtual std::span<const CaseResult> Wait() = 0;

  // Runs one case alone in a fresh process or after the given others; for bisecting.
  virtual void Restart() = 0;
  // Bytes that the backend wrote to stdout so far.
  virtual int64_t StdoutBytes() const = 0;
};

// Starts the process and loads the backend. On failure nullptr and one sentence: no such file, not a
// shared object, no symbol, other ABI version, died while loading, create failed.
std::unique_ptr<Lane> StartLane(const LaneOptions& options, Error* error);

// Entry of the worker process; the command line calls it for the hidden argument "--worker-fd=N".
// Returns the exit status of the process.
int RunWorker(int control_fd);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_WORKER_LANE_H_
