// One lane on its way through a plan: fills a batch while another one runs, judges what has run, and finds out which
// case broke a process.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <vector>

#include "conformance/run/delivery.h"
#include "conformance/run/engine.h"

namespace poolproof {

// State that all lanes of one run share.
struct SharedState {
  const Plan& plan;
  const EngineOptions& options;
  const std::atomic<bool>& interrupt;
  Delivery& delivery;
  SetAside& set_aside;
  std::atomic<bool> time_over{false}, stopped{false};
  std::atomic<uint64_t> last{UINT64_MAX};  // case of the plan behind which none is of interest
  std::mutex alone = {};                   // held while a very large case is run
  std::mutex mutex = {};
  std::vector<ProcessFault> faults = {};  // that no case is accused of

  bool TimeIsOver() {
    if (std::chrono::steady_clock::now() < options.deadline) return false;
    time_over = true;
    return true;
  }
};

// Binds the call and adds it, with its input filled, to the batch; false where that is full.
bool AddToBatch(Lane& lane, const PlannedCase& planned, Call* call);

// Runs and delivers cases until none is left or the run has to end. From any number of threads, each with a lane of its
// own.
void RunLane(SharedState& shared, Lane& lane);

}  // namespace poolproof
