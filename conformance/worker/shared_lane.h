// The lane of a shared object, see lane.h and shared_layout.h.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "conformance/worker/input_placer.h"
#include "conformance/worker/lane.h"
#include "conformance/worker/lane_batch.h"
#include "conformance/worker/shared_memory.h"
#include "conformance/worker/worker_process.h"

namespace poolproof::worker {

class SharedLane : public Lane {
 public:
  // As StartLane, for a path.
  static std::unique_ptr<Lane> Start(const LaneOptions& options, Error* error);

  const BackendInfo& Info() const override { return info_; }
  void* Add(const poolproof_call& call, Capacity capacity) override;
  bool AddInferOnly(const poolproof_call& call) override;
  int64_t MaxBytes() const override { return kMaxTensorBytes; }
  void ReleaseTaken() override;
  int Filled() const override { return sets_[SetOf(submitted_)].count; }
  void Submit() override;
  int InFlight() const override { return static_cast<int>(submitted_ - taken_); }
  bool MustTake() const override;
  std::optional<std::span<const CaseResult>> Take(bool wait) override;
  void SetSeed(uint64_t seed) override;
  void SetRest(double seconds) override { rest_seconds_ = seconds; }
  void Restart() override;
  void Stop() override { process_.Stop(); }
  const std::vector<ProcessFault>& ProcessFaults() const override { return process_.Faults(); }
  int Restarts() const override { return restarts_; }
  int ProcessId() const override { return process_.Id(); }
  double StartSeconds() const override { return process_.StartSeconds(); }
  int64_t StdoutBytes() const override { return process_.StdoutBytes(); }
  bool Ended() const override { return ended_; }

 private:
  explicit SharedLane(const LaneOptions& options);

  // Batches are numbered as they are filled. The outputs of number n lie in set SetOf(n), its
  // requests and responses in batch BatchOf(n).
  static size_t SetOf(uint64_t number) { return number % kOutputSets; }
  static int BatchOf(uint64_t number) { return static_cast<int>(number % kBatches); }
  LaneBatch& Running() { return sets_[SetOf(submitted_ - 1)]; }
  CaseResponse* RunningResponse(int slot) const { return memory_.Response(BatchOf(submitted_ - 1), slot); }

  // Filling.
  bool HasRoom() const;
  // Address, in the worker, of the request that the batch takes next.
  uint64_t WorkerAddress(const LaneBatch& batch) const;
  CaseRequest* BeginCase(const poolproof_call& call, bool infer_only, Capacity capacity);
  void FinishCase(const poolproof_call& call, CaseRequest* request);
  void TurnArenas();
  void CopyInputs();

  // Running.
  void SendBatch(int64_t first_step);
  uint64_t NeededBytes();
  // Waits until the batch that runs has been run, and keeps what came of it.
  void AwaitRunning();
  void Settle();
  void CheckInputs(LaneCase* c) const;
  // Records what became of the process while it ran the batch. Returns the step to go on with.
  int64_t HandleEnd(const ProcessEnd& end);
  void GiveUpKind(size_t kind);
  // Every case of the running batch that is not complete has this event; whether there is any, but
  // for those given up.
  bool MarkIncomplete(Event event, const std::string& text);
  bool StartAgain();

  bool Ripe(const LaneBatch& batch) const;
  // Keeps what the worker has recorded of accesses to memory of calls that had returned.
  void CollectLate();
  void TellLate(LaneBatch* batch);
  void Release(LaneBatch* batch);

  LaneOptions options_;
  int placements_;
  double rest_seconds_;
  SharedMemory memory_;
  InputPlacer placer_;
  WorkerProcess process_;
  BackendInfo info_;
  std::array<LaneBatch, kOutputSets> sets_;
  std::vector<CaseResult> results_;
  std::string start_error_;  // why the process could not be started again
  // Batches submitted, those of them that have been run, and those that have been taken.
  uint64_t submitted_ = 0, run_ = 0, taken_ = 0;
  std::array<uint64_t, kMaxPlacements> arena_begin_{};  // free part of the output arenas
  uint64_t large_bytes_ = 0;                            // in flight
  uint64_t kept_bytes_ = 0;                             // taken, and not released yet
  std::vector<LateRecord> late_;                        // of the arenas as they are filled now
  uint32_t late_collected_ = 0;                         // of this process
  int idle_deaths_ = 0;
  int restarts_ = 0;
  bool ended_ = false;  // the run had to end
};

}  // namespace poolproof::worker
