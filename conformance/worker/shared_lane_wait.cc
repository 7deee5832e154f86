// Waiting for a batch: what the process did, and the results of its cases.
#include <signal.h>
#include <sys/wait.h>

#include "conformance/worker/case_result.h"
#include "conformance/worker/fault_report.h"
#include "conformance/worker/shared_lane.h"
#include "fmt/format.h"

namespace poolproof::worker {
namespace {

// A process that keeps dying before it begins a case would otherwise be started for ever.
constexpr int kMaxIdleDeaths = 3;

bool KilledFromOutside(const ProcessEnd& end) {
  if (end.kind != ProcessEnd::kDied || !WIFSIGNALED(end.wait_status)) return false;
  const int signal = WTERMSIG(end.wait_status);
  return signal == SIGKILL || signal == SIGTERM;
}

}  // namespace

void SharedLane::SendBatch(int64_t first_step) {
  RunnerBlock* runner = memory_.Runner();
  runner->batch = running_;
  runner->case_count = batches_[static_cast<size_t>(running_)].count;
  runner->first_step = static_cast<int32_t>(first_step);
  process_.SendBatch();
}

bool SharedLane::StartAgain() {
  Error error;
  const bool started = process_.Start(&error);
  start_error_ = started ? "" : error.message;
  ++restarts_;
  return started;
}

int64_t SharedLane::HandleEnd(const ProcessEnd& end) {
  const RunnerBlock* runner = memory_.Runner();
  // Not begun, or a number that a wild write left behind.
  const int64_t steps = int64_t{placements_} * runner->case_count;
  const bool unknown = end.step < runner->first_step || end.step >= steps;
  if (unknown && ++idle_deaths_ < kMaxIdleDeaths) return runner->first_step;
  const int64_t at = unknown ? runner->first_step : end.step;
  idle_deaths_ = 0;
  const Step step = StepAt(at, runner->case_count);
  CaseState& state = batches_[static_cast<size_t>(running_)].cases[static_cast<size_t>(step.slot)];
  // A signal from outside is no answer of the backend; the case gets a second chance.
  if (KilledFromOutside(end) && !state.killed_before) {
    state.killed_before = true;
    return at;
  }
  const EventReport report = DescribeEnd(memory_, running_, step, end, options_.timeout_seconds);
  state.event = report.event;
  state.event_text = report.text;
  state.event_placement = step.placement;
  memory_.Response(running_, step.slot)->placement[step.placement].completed = 0;
  return at + 1;
}

void SharedLane::MarkIncomplete(Event event, const std::string& text) {
  Batch& batch = batches_[static_cast<size_t>(running_)];
  for (int slot = 0; slot < batch.count; ++slot) {
    CaseState& state = batch.cases[static_cast<size_t>(slot)];
    const CaseResponse* response = memory_.Response(running_, slot);
    int done = 0;
    bool damaged = false;
    while (done < placements_ && response->placement[done].completed) {
      damaged |= response->placement[done].damage.output >= 0;
      ++done;
    }
    if (done == placements_ || damaged || state.event != Event::kNone) continue;
    state.event = event;
    state.event_text = text;
    state.event_placement = done;
  }
}

std::span<const CaseResult> SharedLane::Wait() {
  results_.clear();
  if (running_ < 0) return {};
  Batch& batch = batches_[static_cast<size_t>(running_)];
  const int64_t steps = int64_t{placements_} * batch.count;
  bool alive = process_.Id() != 0;
  int timeouts = 0;
  while (alive) {
    const ProcessEnd end = process_.AwaitBatch();
    if (end.kind == ProcessEnd::kDone) {
      idle_deaths_ = 0;
      break;
    }
    const int64_t next = HandleEnd(end);
    alive = StartAgain();
    if (!alive || next == steps) break;
    if (end.kind == ProcessEnd::kTimeout && ++timeouts == kMaxTimeoutsPerBatch) {
      MarkIncomplete(Event::kNotRun, "the backend had hung in other cases of the same batch");
      break;
    }
    SendBatch(next);
  }
  if (!alive) MarkIncomplete(Event::kCrash, "the backend could not be started again: " + start_error_);
  for (int p = 0; p < placements_; ++p) {
    batch.output_arena[static_cast<size_t>(p)] = memory_.Worker()->arena_used[p];
  }
  for (int slot = 0; slot < batch.count; ++slot) results_.push_back(MakeResult(slot));
  running_ = -1;
  return results_;
}

CaseResult SharedLane::MakeResult(int slot) const {
  CaseResult result = ReadResult(memory_, running_, slot, placements_);
  const CaseState& state =
      batches_[static_cast<size_t>(running_)].cases[static_cast<size_t>(slot)];
  if (state.event != Event::kNone) {
    result.event = state.event;
    result.event_text = state.event_text;
    result.event_placement = state.event_placement;
  }
  return result;
}

}  // namespace poolproof::worker
