// The lane of a shared object, see lane.h and shared_layout.h.
#ifndef POOLPROOF_CONFORMANCE_WORKER_SHARED_LANE_H_
#define POOLPROOF_CONFORMANCE_WORKER_SHARED_LANE_H_

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "conformance/worker/lane.h"
#include "conformance/worker/shared_memory.h"
#include "conformance/worker/worker_process.h"

namespace poolproof::worker {

class SharedLane : public Lane {
 public:
  // As StartLane, for a path.
  static std::unique_ptr<Lane> Start(const LaneOptions& options, Error* error);

  const BackendInfo& Info() const override { return info_; }
  void* Add(const poolproof_call& call, int64_t capacity) override;
  bool AddInferOnly(const poolproof_call& call) override;
  int64_t MaxBytes() const override { return kMaxTensorBytes; }
  int Filled() const override { return batches_[static_cast<size_t>(filling_)].count; }
  void Submit() override;
  std::span<const CaseResult> Wait() override;
  void Restart() override;
  int Restarts() const override { return restarts_; }
  int ProcessId() const override { return process_.Id(); }
  int64_t StdoutBytes() const override { return process_.StdoutBytes(); }

 private:
  // An event is found while a batch runs, its case is reported when it has ended.
  struct CaseState {
    Event event = Event::kNone;
    int event_placement = 0;
    std::string event_text;
    bool killed_before = false;  // by somebody else, and then run once more
  };
  struct Batch {
    int count = 0;
    bool full = false;
    std::array<CaseState, kSlots> cases;
    // Bytes used of the arenas, to be given back when the batch is filled anew.
    std::array<uint64_t, kMaxPlacements> input_arena{}, output_arena{};
  };
  // Where a region of input slack has been written, so that it can be made slack again.
  struct InputRegion {
    uint64_t filled = 0;  // bytes of the region that hold slack or data, from its flush side
    uint64_t offset = 0;  // the data of the last case
    uint64_t bytes = 0;
  };

  explicit SharedLane(const LaneOptions& options);

  bool HasRoom() const;
  CaseRequest* BeginCase(const poolproof_call& call);
  void FinishCase(const poolproof_call& call, bool infer_only, CaseRequest* request);
  void PlaceInput(const poolproof_tensor& input, int i, int slot, CaseRequest* request);
  uint64_t PlaceSmall(int slot, int placement, int i, uint64_t bytes, uint64_t element_size);
  InputExtent PlaceLarge(int placement, uint64_t bytes, uint64_t element_size);
  void ReleaseArenas(int batch);

  void CopyFeatureMaps(int batch) const;

  void SendBatch(int64_t first_step);
  // Records what became of the process while it ran the batch. Returns the step to go on with.
  int64_t HandleEnd(const ProcessEnd& end);
  // Every case of the running batch that is not complete has the event kCrash with this text.
  void MarkIncomplete(Event event, const std::string& text);
  bool StartAgain();
  CaseResult MakeResult(int slot) const;

  LaneOptions options_;
  int placements_;
  SharedMemory memory_;
  WorkerProcess process_;
  BackendInfo info_;
  std::array<Batch, kBatches> batches_;
  std::vector<InputRegion> regions_;
  std::vector<CaseResult> results_;
  std::string start_error_;  // why the process could not be started again
  int filling_ = 0;
  int running_ = -1;  // batch, -1: none
  int idle_deaths_ = 0;
  int restarts_ = 0;
};

}  // namespace poolproof::worker

#endif  // POOLPROOF_CONFORMANCE_WORKER_SHARED_LANE_H_
