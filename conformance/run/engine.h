// Runs the cases of a plan on lanes and hands the records back in plan order.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/results/run_result.h"
#include "conformance/run/set_aside.h"
#include "conformance/worker/lane.h"

namespace poolproof {

// A session sets selection, first, deadline and failures.
struct EngineOptions {
  Selection selection;
  uint64_t first = 0;              // place in the plan to begin at (resume)
  double time_budget_seconds = 0;  // for all of a run; 0: none
  // When no further case is started.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // The run ends with that case, in plan order, that is the `stop_after`th not to conform; 0: never.
  uint64_t stop_after = 0;
  uint64_t failures = 0;  // cases before `first` that do not conform
  SetAsideLimits limits;
};

// Called in plan order, from one thread at a time; false stops the run.
using Sink = std::function<bool(Record&)>;

// `lanes`: started, at least one. `set_aside` knows the cases before `first`. `interrupt` is looked
// at between chunks of cases (Ctrl-C).
EngineResult RunPlan(const Plan& plan, const EngineOptions& options, std::vector<std::unique_ptr<Lane>>& lanes,
                     SetAside& set_aside, const Sink& sink, const std::atomic<bool>& interrupt);

// Ends the processes of all lanes and adds what they did wrong outside of any case.
void StopLanes(std::vector<std::unique_ptr<Lane>>& lanes, EngineResult* result);

// Runs one problem on `lane` and judges it.
class OneCase {
 public:
  OneCase(Lane& lane, const Selection& selection) : lane_(lane), selection_(selection) {}

  Judgement Run(const PlannedCase& planned);
  // Facts of the last Run.
  const Expected& expected() const { return expected_; }
  Call& call() { return call_; }
  const CaseResult& result() const { return result_; }
  Result Answer() const { return Judge::Answer(call_, result_, 0); }

 private:
  Lane& lane_;
  Selection selection_;
  Judge judge_;
  Expected expected_;
  Call call_;
  PlannedCase planned_;
  CaseResult result_;
};

}  // namespace poolproof
