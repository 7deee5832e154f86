// Running the cases of a batch in the worker process.
#pragma once

#include <array>
#include <cstdint>

#include "conformance/worker/backend_loader.h"
#include "conformance/worker/worker_memory.h"

namespace poolproof::worker {

class CaseRunner {
 public:
  // `count_new_code`: CountNewCode of the program, which only the worker program has.
  CaseRunner(const LoadedBackend& backend, uint32_t (*count_new_code)())
      : backend_(backend), count_new_code_(count_new_code) {}

  // Runs the batch that runner->batch names, from runner->first_step on.
  void RunBatch();

 private:
  // Needs of one call apart from the request.
  struct Outputs {
    std::array<poolproof_tensor, kMaxOutputs> tensor;
    std::array<poolproof_tensor*, kMaxOutputs> pointer;
    // Pages of an arena, which run may write; equal for a small output.
    std::array<uint64_t, kMaxOutputs> begin{}, end{};
  };

  void TurnArenas();
  void OpenSlot();
  void RunStep(int64_t step);
  void RunCase(const CaseRequest& request, PlacementResponse* response);
  void Infer(const CaseRequest& request, Outputs* outputs, PlacementResponse* response);
  void Run(const CaseRequest& request, Outputs* outputs, PlacementResponse* response);
  bool PlaceOutputs(const CaseRequest& request, Outputs* outputs, PlacementResponse* response);
  uint64_t PlaceOutput(int output, uint64_t bytes, uint64_t element_size, Outputs* outputs);
  void HashOutputs(const CaseRequest& request, const Outputs& outputs, PlacementResponse* response) const;
  void CheckOutputs(const CaseRequest& request, PlacementResponse* response) const;
  void CopyError(PlacementResponse* response);
  void Enter(Phase phase) { worker_->phase.store(static_cast<int32_t>(phase), std::memory_order_release); }

  LoadedBackend backend_;
  uint32_t (*count_new_code_)();
  const RunnerBlock* runner_ = WorkerAs<const RunnerBlock>(kRunnerOffset);
  WorkerBlock* worker_ = WorkerAs<WorkerBlock>(kWorkerOffset);
  // Slots whose regions are open.
  std::array<std::array<bool, kSlots>, kBatches> inputs_open_{};
  std::array<std::array<bool, kSlots>, kOutputSets> outputs_open_{};
  // Where the free part of each output arena begins.
  std::array<uint64_t, kMaxPlacements> arena_{};
  Step step_{};  // the one being run
};

}  // namespace poolproof::worker
