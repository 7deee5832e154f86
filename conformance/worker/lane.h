// A lane: one backend in a process of its own, fed with batches of cases through shared memory.
//
// The backend process maps inputs and requests through a descriptor that cannot be written, every
// tensor between unmapped pages, and cannot reach any memory of the runner. Each case is run in two
// placements:
//   0  tensors end flush against an unmapped page; batch order
//   1  tensors begin flush after an unmapped page; reverse batch order, so that each case also
//      follows another one than before
// and the outputs are prefilled with another byte in each. With Options::odd_starts a
// third placement starts tensors at odd, type-aligned addresses inside a page.
//
// The answer is what lies in the outputs when run returns. The outputs rest for kRestSeconds before
// they are handed over, and have to be the same then; what is written later is an event.
//
// A backend that is not a shared object ("process:COMMAND") is a lane as well; there a placement is
// the same call sent again, and there are no guards.
//
// A lane is used by one thread at a time, and its process dies with the thread that started it last
// (StartLane, Restart, or a Submit or Take that had to start it again).
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/backend.h"
#include "conformance/cases/problem.h"  // kMaxInputs, kMaxOutputs, Error
#include "conformance/worker/cell_options.h"

namespace poolproof {

inline constexpr int kMaxPlacements = 3;
inline constexpr int64_t kSmallBytes = int64_t{32} * 1024;
// Larger inputs lie in the same place in every placement, and are run while no other lane runs such.
inline constexpr int64_t kOneCopyBytes = int64_t{256} << 20;
inline constexpr int64_t kMaxOutputBytesOfSmall = int64_t{8} << 20;
inline constexpr int64_t kMaxDescriptionBytes = int64_t{48} * 1024;
// An output has to stay as it is for so long after run has returned.
inline constexpr double kRestSeconds = 0.012;

struct LaneOptions {
  std::string backend;                      // path of a shared object, or "process:COMMAND"
  std::vector<std::string> options;         // "key=value", given to poolproof_backend::create
  std::vector<std::string> device_options;  // likewise, behind those; where it runs, which no result depends on
  double timeout_seconds = 10;              // for one case in one placement
  double load_timeout_seconds = 60;         // for loading the library and create
  double exit_timeout_seconds = 0;          // for ending once asked to; 0: as long as it took to start, 2 at least
  double rest_seconds = kRestSeconds;       // that outputs rest
  std::string log_path;                     // where stdout and stderr of the backend go; "" drops them
  int64_t log_bytes = 8 << 20;              // of which the last are kept
  bool odd_starts = false;                  // the third placement
  CellOptions cell;
  // Asked some times a second while the backend is waited for, whatever it does: true once the run has to end. The
  // process is then killed, nothing is started again, and what it did not complete was not run.
  std::function<bool()> must_end;

  std::vector<std::string> AllOptions() const {
    std::vector<std::string> all = options;
    all.insert(all.end(), device_options.begin(), device_options.end());
    return all;
  }
};

struct BackendInfo {
  std::string name, version;
  uint32_t abi_version = 0;
  std::vector<CellPart> cell;  // what it runs in
};

// Events of the process while it ran a case.
// kNotRun: the case was given up because others of its kind had hung, or because the run had to end.
enum class Event { kNone, kCrash, kTimeout, kOutOfBounds, kInputModified, kWrittenLate, kNotRun };

// Hangs of one operator and element type in one batch after which its remaining cases of that kind
// are given up.
inline constexpr int kMaxTimeoutsPerBatch = 3;

// A fault of a backend process outside of any case: "received signal SIGSEGV in destroy", "left
// 1 process behind", "left 64 descriptors open in 64 calls of run".
struct ProcessFault {
  std::string text;
  uint64_t times = 1;
  bool warning = false;  // is told, and does not count against the backend
};
// Adds a fault to others, of which each text is there once.
void AddFault(const ProcessFault& fault, std::vector<ProcessFault>* faults);

// One case, after the batch has run. Everything here, the bytes included, stays valid until the
// next Take, Wait or Add of the same lane.
struct CaseResult {
  Event event = Event::kNone;
  // For an event: what happened, as a sentence without full stop: "wrote 4 bytes past the end of
  // output 1 (values)", "received signal SIGSEGV at address 0x0 in run", "exited with status 3".
  std::string event_text;
  int event_placement = 0;  // nothing is known of this placement and those after it

  poolproof_status infer_status = POOLPROOF_OK;
  std::array<poolproof_status, kMaxPlacements> run_status{};  // if ran
  bool ran = false;                                           // infer_shapes was OK and run was called
  // Fault of the description of an output, without full stop: "output 1 (values) is
  // described as f32 2x5 with 39 bytes, which needs 40". Outputs so described must not be followed.
  std::string bad_description;
  // Why run was not called although infer_shapes was OK, without full stop: "infer only", that an
  // output needs too many bytes, or bad_description.
  std::string not_run;
  std::string error;   // last_error where a status is not OK
  int placements = 0;  // how many were completed
  // Where the backend answered about the same call twice and differently: infer_shapes in a later
  // placement, or descriptions that run changed. Empty otherwise. Statuses of run are compared by
  // the judge, from run_status.
  std::string inconsistency;
  // Outputs as infer_shapes described them in placement 0 (data is not set), and their bytes per
  // placement: as many as `capacity` gives output i; null if the case was not run.
  std::array<poolproof_tensor, kMaxOutputs> outputs{};
  std::array<std::array<const std::byte*, kMaxOutputs>, kMaxPlacements> data{};
  std::array<std::byte, kMaxPlacements> prefill{};  // the byte that outputs were filled with
  // Places of the backend's code that no case before reached in the same process, where it was compiled to count them.
  uint64_t new_code = 0;
};

// In the sentence about a backend that could not be started: before each line that the backend wrote to stderr last.
inline constexpr std::string_view kSaid = "\n  | ";

class Lane {
 public:
  virtual ~Lane() = default;

  virtual const BackendInfo& Info() const = 0;

  // Adds a case to the batch being filled and returns where its feature map (inputs[0], of
  // inputs[0]->size_bytes bytes) is to be written before Submit; nullptr when the batch is full
  // (Submit first). That memory is the runner's own and is valid as long as the results are. The
  // other inputs are copied from their data pointers now; `call` and what it points to need not live
  // on. `capacity` is added to the bytes that each output gets. An
  // empty batch always takes a case of inputs up to MaxBytes each. More than MaxBytes, or a
  // description (attributes and strings) of more than kMaxDescriptionBytes: throws
  // std::length_error.
  virtual void* Add(const poolproof_call& call, Capacity capacity) = 0;
  // Adds a case of which only infer_shapes is called; its feature map may be of any size_bytes,
  // since its data is never needed. False when the batch is full.
  virtual bool AddInferOnly(const poolproof_call& call) = 0;
  // The largest input in bytes. Outputs of a case whose inputs are below kSmallBytes may take up to
  // kMaxOutputBytesOfSmall each; those of others ten times the input's bytes, or 64 MiB where that
  // is less. A case whose outputs need more is not run, and says so.
  virtual int64_t MaxBytes() const = 0;
  // Frees the memory of what was taken last, which is kept otherwise until the next Take or Add.
  virtual void ReleaseTaken() {}
  // Cases added to the batch being filled so far.
  virtual int Filled() const = 0;

  // Starts the filled batch, after the one before has been run.
  virtual void Submit() = 0;
  // Batches that were submitted and not yet taken.
  virtual int InFlight() const = 0;
  // Where true, batches in flight have to be taken before a case is added to an empty batch.
  virtual bool MustTake() const = 0;
  // The cases of the oldest batch in flight, in the order of Add, once it has been run and its
  // outputs have rested; nothing where there is none such, or, with `wait`, where none is in flight.
  // A case that ended the process has an event; the process has then been started again and the
  // rest was run. If it cannot be started again, the rest have the event kCrash and say so.
  virtual std::optional<std::span<const CaseResult>> Take(bool wait) = 0;
  // The same, waiting; no cases where nothing is in flight.
  std::span<const CaseResult> Wait() { return Take(true).value_or(std::span<const CaseResult>()); }
  // Draws from a seed what outputs hold before a run, and at which addresses tensors lie; before the first batch.
  virtual void SetSeed(uint64_t) {}
  // How long outputs rest from now on.
  virtual void SetRest(double seconds) = 0;

  // Starts the process afresh, so that the next batch runs in a process that has run nothing. Not
  // while a batch is in flight. If the process does not start, the next batch says so for each case.
  virtual void Restart() = 0;
  // Lets the process end on its own, with the backend's destroy and all exit handlers.
  virtual void Stop() = 0;
  // Faults of all processes of this lane that have ended so far.
  virtual const std::vector<ProcessFault>& ProcessFaults() const = 0;
  // How often the process was started again so far, and its process id (0: not running).
  virtual int Restarts() const = 0;
  virtual int ProcessId() const = 0;
  // How long the last start took until the backend was loaded.
  virtual double StartSeconds() const = 0;
  // Bytes that the backend wrote to stdout so far.
  virtual int64_t StdoutBytes() const = 0;
  // True once a wait was broken off because the run had to end; from then on nothing is run.
  virtual bool Ended() const = 0;
};

// Starts the process and loads the backend. On failure nullptr and one sentence: no such file, not
// a shared object, no symbol, other ABI version, died while loading, create failed.
std::unique_ptr<Lane> StartLane(const LaneOptions& options, Error* error);

}  // namespace poolproof
