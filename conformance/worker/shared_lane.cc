#include "conformance/worker/shared_lane.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "conformance/format/text.h"
#include "conformance/worker/case_result.h"
#include "conformance/worker/clock.h"
#include "conformance/worker/fault_report.h"

namespace poolproof::worker {
namespace {

// A process that keeps dying before it begins a case would otherwise be started for ever.
constexpr int kMaxIdleDeaths = 3;
// Copies of larger inputs are freed once their batch was taken.
constexpr size_t kMostKept = size_t{64} << 20;

bool KilledFromOutside(const ProcessEnd& end) {
  return end.kind == ProcessEnd::kDied && !end.left && end.excess.empty() && WasKilled(end.wait_status);
}

}  // namespace

SharedLane::SharedLane(const LaneOptions& options)
    : options_(options),
      placements_(options.odd_starts ? 3 : 2),
      rest_seconds_(options.rest_seconds),
      placer_(memory_, placements_) {}

std::unique_ptr<Lane> SharedLane::Start(const LaneOptions& options, Error* error) {
  std::unique_ptr<SharedLane> lane(new SharedLane(options));
  if (!lane->memory_.Create(error) || !lane->process_.Prepare(options, &lane->memory_, error) ||
      !lane->process_.Start(error)) {
    return nullptr;
  }
  const WorkerBlock* block = lane->memory_.Worker();
  const auto text = [](const char(&bytes)[256]) {
    return Printable(std::string_view(bytes, strnlen(bytes, sizeof(bytes))));
  };
  lane->info_ = {text(block->name), text(block->version), block->abi_version, lane->process_.CellParts()};
  return lane;
}

void SharedLane::SetSeed(uint64_t seed) {
  RunnerBlock* runner = memory_.Runner();
  runner->base = BaseOf(seed);
  for (int p = 0; p < kMaxPlacements; ++p) runner->prefill[p] = PrefillOf(seed, p);
}

// ---------------------------------------------------------------- running

// Bytes of shared memory that inputs and outputs may take while the batch runs that was submitted last.
uint64_t SharedLane::NeededBytes() {
  uint64_t needed =
      (kInputRegions + kOutputRegions) * kSmallRegion + large_bytes_ + kept_bytes_ + Running().large_bytes;
  for (int slot = 0; slot < Running().count; ++slot) {
    const LaneCase& c = Running().cases[static_cast<size_t>(slot)];
    if (!c.infer_only) needed += static_cast<uint64_t>(placements_) * c.output_count * PagesFor(c.max_output_bytes);
  }
  return needed;
}

void SharedLane::SendBatch(int64_t first_step) {
  RunnerBlock* runner = memory_.Runner();
  runner->batch = BatchOf(submitted_ - 1);
  runner->output_set = static_cast<int32_t>(SetOf(submitted_ - 1));
  runner->case_count = Running().count;
  runner->first_step = static_cast<int32_t>(first_step);
  std::copy(arena_begin_.begin(), arena_begin_.end(), runner->arena_begin);
  process_.SendBatch(NeededBytes());
}

bool SharedLane::StartAgain() {
  ended_ = ended_ || (options_.must_end && options_.must_end());
  if (ended_) return false;
  Error error;
  late_collected_ = 0;
  const bool started = process_.StartAgain(&error);
  start_error_ = started ? "" : error.message;
  ++restarts_;
  return started;
}

void SharedLane::AwaitRunning() {
  if (run_ == submitted_) return;
  LaneBatch& batch = Running();
  const int64_t steps = int64_t{placements_} * batch.count;
  std::vector<std::pair<size_t, int>> timeouts;  // kind, how often
  bool alive = process_.Id() != 0;
  while (alive) {
    const ProcessEnd end = process_.AwaitBatch();
    CollectLate();
    for (size_t p = 0; p < static_cast<size_t>(placements_); ++p) {
      const uint64_t used = memory_.Worker()->arena_end[p];
      // A number that a wild write left behind counts as all that the batch might have used.
      const uint64_t most = batch.output_begin[p] + kMaxOutputBytesOfBatch;
      if (used == 0) continue;  // it had not come to this batch
      arena_begin_[p] = used >= arena_begin_[p] && used <= most ? used : most;
    }
    if (end.kind == ProcessEnd::kDone) {
      idle_deaths_ = 0;
      break;
    }
    ended_ = ended_ || end.kind == ProcessEnd::kMustEnd;
    if (ended_) break;
    const int64_t next = HandleEnd(end);
    if (end.kind == ProcessEnd::kTimeout && next > 0) {
      const size_t kind = batch.cases[static_cast<size_t>(StepAt(next - 1, batch.count).slot)].kind;
      auto found =
          std::find_if(timeouts.begin(), timeouts.end(), [kind](const auto& entry) { return entry.first == kind; });
      if (found == timeouts.end()) found = timeouts.insert(found, {kind, 0});
      if (++found->second == kMaxTimeoutsPerBatch) GiveUpKind(kind);
    }
    alive = StartAgain();
    if (!alive || next == steps) break;
    SendBatch(next);
  }
  if (ended_) {
    MarkIncomplete(Event::kNotRun, "the run had to end");
  } else if (!alive) {
    MarkIncomplete(Event::kCrash, "could not be started again: " + start_error_);
  }
  Settle();
}

void SharedLane::Settle() {
  LaneBatch& batch = Running();
  batch.output_end = arena_begin_;
  for (size_t p = 0; p < static_cast<size_t>(placements_); ++p) {
    batch.large_bytes += batch.output_end[p] - batch.output_begin[p];
  }
  for (int slot = 0; slot < batch.count; ++slot) {
    LaneCase& c = batch.cases[static_cast<size_t>(slot)];
    const CaseResponse* response = RunningResponse(slot);
    for (size_t p = 0; p < static_cast<size_t>(placements_); ++p) {
      std::memcpy(&c.responses[p], &response->placement[p], sizeof(c.responses[p]));
    }
    CheckInputs(&c);
  }
  // Not what the worker does on its own.
  if (MarkIncomplete(Event::kCrash, "overwrote the memory of the worker process")) {
    process_.Kill();
    StartAgain();
  }
  batch.done = Now();
  large_bytes_ += batch.large_bytes;
  ++run_;
}

// No page of an input can be written through the mapping that the worker has; this finds what was
// written all the same.
void SharedLane::CheckInputs(LaneCase* c) const {
  for (size_t p = 0; p < static_cast<size_t>(placements_) && c->event == Event::kNone; ++p) {
    for (size_t i = 0; i < c->input_count; ++i) {
      const InputExtent& extent = c->extents[p][i];
      if (extent.bytes == 0 || c->IsFirstAgain(p, i) ||
          std::memcmp(memory_.At(extent.offset), c->inputs[i].data(), extent.bytes) == 0) {
        continue;
      }
      return c->SetEvent(Event::kInputModified, static_cast<int>(p), "changed " + InputName(static_cast<int>(i)));
    }
  }
}

void SharedLane::GiveUpKind(size_t kind) {
  const LaneBatch& batch = Running();
  for (int slot = 0; slot < batch.count; ++slot) {
    if (batch.cases[static_cast<size_t>(slot)].kind == kind) {
      memory_.Request(BatchOf(submitted_ - 1), slot)->given_up = 1;
    }
  }
}

int64_t SharedLane::HandleEnd(const ProcessEnd& end) {
  const RunnerBlock* runner = memory_.Runner();
  // Not begun, or a number that a wild write left behind.
  const int64_t steps = int64_t{placements_} * runner->case_count;
  const bool unknown = end.step < runner->first_step || end.step >= steps;
  const int64_t at = unknown ? runner->first_step : end.step;
  if (unknown && ++idle_deaths_ < kMaxIdleDeaths) return at;
  idle_deaths_ = 0;
  const Step step = StepAt(at, runner->case_count);
  LaneCase& c = Running().cases[static_cast<size_t>(step.slot)];
  // A signal from outside is no answer of the backend; the case gets a second chance.
  if (KilledFromOutside(end) && !c.killed_before) {
    c.killed_before = true;
    return at;
  }
  const PlacementResponse& response = RunningResponse(step.slot)->placement[step.placement];
  const EventReport report = DescribeEnd({c, response, step.placement, BatchOf(submitted_ - 1), runner->base},
                                         *memory_.Worker(), end, options_.timeout_seconds);
  c.SetEvent(report.event, step.placement, report.text);
  RunningResponse(step.slot)->placement[step.placement].completed = 0;
  return at + 1;
}

bool SharedLane::MarkIncomplete(Event event, const std::string& text) {
  LaneBatch& batch = Running();
  bool any = false;
  for (int slot = 0; slot < batch.count; ++slot) {
    LaneCase& c = batch.cases[static_cast<size_t>(slot)];
    const CaseResponse* response = RunningResponse(slot);
    int done = 0;
    bool damaged = false;
    while (done < placements_ && response->placement[done].completed) {
      damaged |= response->placement[done].damage.output >= 0;
      ++done;
    }
    if (done == placements_ || damaged || c.event != Event::kNone) continue;
    const bool given_up = memory_.Request(BatchOf(submitted_ - 1), slot)->given_up != 0;
    any = any || !given_up;
    c.SetEvent(given_up ? Event::kNotRun : event, done,
               given_up ? "the backend had hung in other cases of this operator and type" : text);
  }
  return any;
}

// ---------------------------------------------------------------- taking

bool SharedLane::Ripe(const LaneBatch& batch) const { return Now() >= batch.done + Nanoseconds(rest_seconds_); }

std::optional<std::span<const CaseResult>> SharedLane::Take(bool wait) {
  if (InFlight() == 0) return std::nullopt;
  if (wait && run_ == taken_) AwaitRunning();
  if (run_ == taken_) return std::nullopt;
  LaneBatch& batch = sets_[SetOf(taken_)];
  if (!wait && !Ripe(batch)) return std::nullopt;
  while (!Ripe(batch)) {
    const int64_t left = batch.done + Nanoseconds(rest_seconds_) - Now();
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<int64_t>(left, 0)));
  }
  CollectLate();
  TellLate(&batch);
  // Bytes that were taken before may be overwritten from now on.
  ReleaseTaken();
  results_.clear();
  for (int slot = 0; slot < batch.count; ++slot) {
    results_.push_back(ReadResult(memory_, batch.cases[static_cast<size_t>(slot)], placements_));
  }
  large_bytes_ -= batch.large_bytes;
  kept_bytes_ = batch.large_bytes;
  ++taken_;
  return results_;
}

void SharedLane::CollectLate() {
  const WorkerBlock* block = memory_.Worker();
  const uint32_t count = std::min(block->late_count.load(), kMaxLateRecords);
  for (; late_collected_ < count; ++late_collected_) {
    late_.push_back(block->late[late_collected_]);
  }
}

void SharedLane::TellLate(LaneBatch* batch) {
  for (int slot = 0; slot < batch->count && !late_.empty(); ++slot) {
    LaneCase& c = batch->cases[static_cast<size_t>(slot)];
    for (const LateRecord& late : late_) {
      if (c.event != Event::kNone) break;
      const LateReport report = DescribeLate(c, placements_, late);
      if (report.event != Event::kNone) c.SetEvent(report.event, report.placement, report.text);
    }
  }
}

void SharedLane::ReleaseTaken() {
  if (taken_ > 0) Release(&sets_[SetOf(taken_ - 1)]);
}

void SharedLane::Release(LaneBatch* batch) {
  // Only a large case fills a batch before all of its slots are taken.
  for (LaneCase& c : batch->cases) {
    for (std::vector<std::byte>& input : c.inputs) {
      if (input.capacity() > kMostKept) std::vector<std::byte>().swap(input);
    }
  }
  for (size_t p = 0; p < static_cast<size_t>(placements_); ++p) {
    const uint64_t input = batch->input_begin[p], output = batch->output_begin[p];
    if (batch->input_end[p] > input) memory_.Release(input, batch->input_end[p] - input);
    if (batch->output_end[p] > output) {
      memory_.Release(OutputArenaOffset(static_cast<int>(p)) + output, batch->output_end[p] - output);
    }
    batch->input_end[p] = batch->output_end[p] = 0;
  }
}

void SharedLane::Restart() {
  if (InFlight() > 0) throw std::logic_error("a batch is in flight: Take has to come before Restart");
  process_.Stop();
  StartAgain();
}

}  // namespace poolproof::worker
