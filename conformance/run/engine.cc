#include "conformance/run/engine.h"

#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <memory>
#include <thread>

#include "conformance/judge/message.h"
#include "conformance/problem/fill.h"
#include "conformance/run/delivery.h"
#include "conformance/run/tally.h"

namespace poolproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kChunk = 256;
constexpr uint64_t kWindow = 32;

// What all lanes of one run share.
struct Shared {
  const Plan& plan;
  const EngineOptions& options;
  const std::atomic<bool>& interrupt;
  Delivery& delivery;
  Clock::time_point deadline;
  std::atomic<uint64_t> crashes{0}, timeouts{0};
  std::atomic<bool> time_over{false}, stopped{false};
};

struct Chunk {
  uint64_t first = 0;
  size_t open = 0;      // cases that are not judged yet
  bool closed = false;  // all of its cases have been added
  std::vector<Record> records;
};

struct Slot {
  PlannedCase planned;
  Call call;
  Expected expected;
  Chunk* chunk = nullptr;
  size_t record = 0;
};

// Groups wrong results that no known cause explains: what is wrong, and with which operator.
std::string Signature(const PlannedCase& planned, const Judgement& judgement) {
  if (judgement.verdict == Verdict::kDeviates) return DeviationKey(judgement);
  std::string what;
  if (judgement.verdict == Verdict::kFail) {
    what = fmt::format("{} {}", static_cast<int>(judgement.difference), judgement.output);
  } else if (judgement.verdict != Verdict::kNondeterministic &&
             judgement.verdict != Verdict::kUnwritten &&
             judgement.difference == Difference::kNone) {
    for (const char c : judgement.message) {  // sentences that differ in numbers alone are one
      if (c < '0' || c > '9') what += c;
    }
  }
  return fmt::format("{}|{}", planned.problem.spec->id, what);
}

// Binds the call and adds it, with its input filled, to the batch; false where that is full.
bool AddToBatch(Lane& lane, const PlannedCase& planned, Call* call) {
  call->Bind(planned.problem);
  if (planned.problem.ShapesAlone()) return lane.AddInferOnly(call->call);
  void* input = lane.Add(call->call, planned.problem.capacity);
  if (input == nullptr) return false;
  FillInput(planned.problem, input);
  call->inputs[0].data = input;
  return true;
}

// One lane: fills one batch while another one runs, and judges what has run and rested.
class LaneLoop {
 public:
  LaneLoop(Shared& shared, Lane& lane) : shared_(shared), lane_(lane) {}

  void Run() {
    while (const std::optional<uint64_t> first = Claim()) {
      chunks_.push_back(std::make_unique<Chunk>());
      Chunk& chunk = *chunks_.back();
      chunk.first = *first;
      for (uint64_t n = *first; n < shared_.delivery.ChunkEnd(*first); ++n) Plan(n, &chunk);
      chunk.closed = true;
      DeliverFinished();
    }
    FlushAll();
  }

 private:
  // Nothing is filled, in flight or undelivered afterwards.
  void FlushAll() {
    Flush();
    while (JudgeOldest(true)) {
    }
    DeliverFinished();
  }

  std::optional<uint64_t> Claim() {
    if (shared_.interrupt || shared_.stopped) shared_.delivery.Stop();
    const std::optional<uint64_t> first = shared_.delivery.Claim([this] { FlushAll(); });
    if (!first || *first < shared_.plan.FixedSize() || Clock::now() < shared_.deadline) return first;
    shared_.time_over = true;
    shared_.delivery.Stop();
    return std::nullopt;
  }

  void Plan(uint64_t n, Chunk* chunk) {
    if (shared_.stopped) return;  // the plan ends here
    Slot& slot = NextSlot();
    if (!shared_.plan.Get(n, &slot.planned)) return;
    slot.chunk = chunk;
    slot.record = chunk->records.size();
    chunk->records.emplace_back();
    ++chunk->open;
    if (GivenUp()) {
      Judgement missing;
      missing.message = fmt::format("Not run: the backend had crashed {} and hung {} times before.",
                                    shared_.crashes.load(), shared_.timeouts.load());
      Finish(slot, std::move(missing), {});
      return;
    }
    Enter(slot);
    ++used_;
  }

  bool GivenUp() const {
    return shared_.crashes >= shared_.options.max_crashes ||
           shared_.timeouts >= shared_.options.max_timeouts;
  }

  Slot& NextSlot() {
    if (used_ == filling_.size()) filling_.push_back(std::make_unique<Slot>());
    return *filling_[used_];
  }

  void Enter(Slot& slot) {
    if (!AddToBatch(lane_, slot.planned, &slot.call)) {
      // The batch is full: this slot becomes the first one of the next.
      std::unique_ptr<Slot> keep = std::move(filling_[used_]);
      filling_.erase(filling_.begin() + static_cast<ptrdiff_t>(used_));
      Flush();
      filling_.insert(filling_.begin(), std::move(keep));
      AddToBatch(lane_, slot.planned, &slot.call);
    }
    ComputeExpected(slot.planned, shared_.options.selection.readings, slot.call, &slot.expected);
  }

  // Starts the filled batch, and judges what is ready while that runs.
  void Flush() {
    if (used_ > 0) {
      lane_.Submit();
      Batch batch{std::move(filling_), used_};
      filling_.clear();
      if (!spare_.empty()) filling_.swap(spare_.back()), spare_.pop_back();
      used_ = 0;
      flying_.push_back(std::move(batch));
    }
    while (JudgeOldest(lane_.MustTake())) {
    }
    DeliverFinished();
  }

  // False where nothing is ready, or, with `wait`, nothing in flight.
  bool JudgeOldest(bool wait) {
    const auto results = lane_.Take(wait);
    if (!results) return false;
    Batch& batch = flying_.front();
    for (size_t i = 0; i < batch.used; ++i) JudgeOne(*batch.slots[i], (*results)[i]);
    spare_.push_back(std::move(batch.slots));
    flying_.pop_front();
    return true;
  }

  void JudgeOne(Slot& slot, const CaseResult& result) {
    // Random cases are too many to compute each under more readings than needed.
    const Expectation expectation{&slot.expected, slot.planned.example, slot.planned.invalid,
                                  shared_.options.selection.demanded, slot.planned.section != Section::kRandom};
    Judgement judgement = judge_.Decide(slot.planned.problem, slot.call, expectation, result);
    CauseSet causes;
    const bool comparable = result.event == Event::kNone &&
                            judgement.verdict != Verdict::kDeviates &&
                            judgement.verdict != Verdict::kUnwritten &&
                            judgement.verdict != Verdict::kNondeterministic;
    if (!Conforms(judgement.verdict) && comparable) {
      causes = diagnostician_.Diagnose(slot.call, slot.expected,
                                       Judge::Answer(slot.call, result, 0));
    }
    if (judgement.verdict == Verdict::kTimeout) {
      ++shared_.timeouts;
    } else if (result.event != Event::kNone && result.event != Event::kNotRun) {
      ++shared_.crashes;
    }
    Finish(slot, std::move(judgement), causes);
  }

  void Finish(Slot& slot, Judgement judgement, const CauseSet& causes) {
    Record& record = slot.chunk->records[slot.record];
    record.n = slot.planned.n;
    record.id = slot.planned.id;
    record.line = slot.planned.line;
    record.section = slot.planned.section;
    record.spec = slot.planned.problem.spec;
    record.function = slot.planned.problem.function;
    record.type = slot.planned.problem.type;
    record.elements = slot.planned.problem.Elements();
    record.causes = causes;
    if (!Conforms(judgement.verdict)) {
      record.signature = Signature(slot.planned, judgement);
    }
    record.judgement = std::move(judgement);
    --slot.chunk->open;
  }

  void DeliverFinished() {
    while (!chunks_.empty() && chunks_.front()->closed && chunks_.front()->open == 0) {
      shared_.delivery.Deliver(chunks_.front()->first, std::move(chunks_.front()->records));
      chunks_.pop_front();
    }
  }

  Shared& shared_;
  Lane& lane_;
  Judge judge_;
  Diagnostician diagnostician_;
  using Slots = std::vector<std::unique_ptr<Slot>>;
  struct Batch {
    Slots slots;
    size_t used;  // of them
  };
  Slots filling_;
  size_t used_ = 0;
  std::deque<Batch> flying_;  // in the order in which they were submitted
  std::vector<Slots> spare_;  // to be used again
  std::deque<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace

void ComputeExpected(const PlannedCase& planned, const reference::Readings& readings, Call& call,
                     Expected* expected) {
  // A capacity below the need is part of the problem: the oracle must not see its own memory.
  expected->Compute(call, readings, planned.problem.ShapesAlone(), planned.problem.capacity);
  if (planned.example == nullptr || expected->result().status != POOLPROOF_OK) return;
  for (size_t i = 0; i < planned.example->outputs.size(); ++i) {
    if (i < expected->result().output_count) {
      expected->Override(i, planned.example->outputs[i]);
    }
  }
}

EngineResult RunPlan(const Plan& plan, const EngineOptions& options,
                     std::vector<std::unique_ptr<Lane>>& lanes, const Sink& sink,
                     const std::atomic<bool>& interrupt) {
  // Stops at a place of the plan, whatever is in flight then.
  std::atomic<bool>* stopped = nullptr;
  uint64_t failures = 0;
  const Sink in_order = [&](Record& record) {
    if (!sink(record)) return false;
    if (Conforms(record.judgement.verdict) || ++failures != options.stop_after) return true;
    *stopped = true;
    return false;
  };
  Delivery delivery(options.first, plan.Size(), kChunk, kWindow, in_order);
  const auto deadline =
      options.time_budget_seconds > 0
          ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(options.time_budget_seconds))
          : Clock::time_point::max();
  Shared shared{plan, options, interrupt, delivery, deadline};
  stopped = &shared.stopped;
  std::vector<std::thread> threads;
  for (const std::unique_ptr<Lane>& lane : lanes) {
    threads.emplace_back([&shared, &lane] { LaneLoop(shared, *lane).Run(); });
  }
  for (std::thread& thread : threads) thread.join();
  EngineResult result;
  result.end = delivery.Delivered();
  result.time_over = shared.time_over;
  result.stopped = shared.stopped;
  result.interrupted = interrupt;
  for (const std::unique_ptr<Lane>& lane : lanes) result.stdout_bytes += lane->StdoutBytes();
  return result;
}

Judgement OneCase::Run(const PlannedCase& planned) {
  planned_ = planned;
  AddToBatch(lane_, planned_, &call_);
  ComputeExpected(planned_, selection_.readings, call_, &expected_);
  lane_.Submit();
  result_ = lane_.Wait()[0];
  const Expectation expectation{&expected_, planned_.example, planned_.invalid,
                                selection_.demanded};
  return judge_.Decide(planned_.problem, call_, expectation, result_);
}

}  // namespace poolproof
