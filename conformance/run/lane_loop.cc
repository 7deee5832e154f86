#include "conformance/run/lane_loop.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "conformance/cases/fill.h"
#include "conformance/results/answer.h"
#include "conformance/run/broken_process.h"

namespace poolproof {
namespace {

// How often in a row a lane starts its process again for those that answer INTERNAL_ERROR, until nothing else was
// answered, before it takes them at their word.
constexpr int kMostBreaks = 8;

struct Chunk {
  uint64_t first = 0;
  size_t open = 0;         // cases that are not judged yet
  bool closed = false;     // all of its cases have been added
  bool cut = false;        // and the plan ends with them
  size_t kept = SIZE_MAX;  // of its records, those before one that was not run
  uint64_t failures = 0;   // cases that do not conform
  uint64_t last = 0;       // in the plan, of those
  std::vector<Record> records;
};

struct Slot {
  PlannedCase planned;
  Call call;
  Expected expected;
  bool expects = false;  // expected is of this call
  Chunk* chunk = nullptr;
  size_t record = 0;
};

// Whether nothing was computed, and that is the whole answer.
bool IsUnsupported(const CaseResult& result) {
  return result.event == Event::kNone && !result.ran && result.infer_status == POOLPROOF_UNSUPPORTED;
}

// One lane: fills one batch while another one runs, and judges what has run and rested.
class LaneLoop {
 public:
  LaneLoop(SharedState& shared, Lane& lane) : shared_(shared), lane_(lane) {}

  void Run() {
    while (const std::optional<uint64_t> first = Claim()) {
      chunks_.push_back(std::make_unique<Chunk>());
      Chunk& chunk = *chunks_.back();
      chunk.first = *first;
      for (uint64_t n = *first; n < shared_.delivery.ChunkEnd(*first) && !chunk.cut; ++n) {
        Plan(n, &chunk);
      }
      chunk.closed = true;
      DeliverFinished();
    }
    FlushAll();
  }

 private:
  // Nothing is filled, in flight or undelivered afterwards.
  void FlushAll() {
    while (used_ > 0 || !in_flight_.empty()) {
      Flush();
      while (JudgeOldest(true)) {
      }
      AskDoubted();
      RunAgain();
    }
    DeliverFinished();
  }

  std::optional<uint64_t> Claim() {
    if (shared_.interrupt || shared_.stopped) shared_.delivery.Stop();
    const std::optional<uint64_t> first = shared_.delivery.Claim([this] { FlushAll(); });
    if (Corpus* corpus = shared_.plan.corpus(); corpus != nullptr && first) {
      corpus->Claim(std::max(shared_.delivery.ChunkEnd(*first), shared_.plan.FixedSize()) - shared_.plan.FixedSize());
    }
    if (!first || !shared_.TimeIsOver()) return first;
    shared_.delivery.Stop();
    return std::nullopt;
  }

  void Plan(uint64_t n, Chunk* chunk) {
    if (shared_.stopped || n > shared_.last || shared_.TimeIsOver() || lane_.Ended()) {
      chunk->cut = true;
      return;
    }
    Slot& slot = NextSlot();
    if (!shared_.plan.Get(n, &slot.planned)) return;
    slot.chunk = chunk;
    slot.record = chunk->records.size();
    chunk->records.emplace_back();
    ++chunk->open;
    Run(slot);
  }

  // Adds the slot that is next to be used to the batch, unless its kind is set aside; that then says
  // so when it is delivered.
  void Run(Slot& slot) {
    const Problem& problem = slot.planned.problem;
    if (shared_.set_aside.Knows(slot.planned.n, *problem.spec, problem.type)) {
      Finish(slot, RecordOf(slot.planned));
      return;
    }
    if (problem.ShapesAlone() || problem.InputBytes() <= kOneCopyBytes) {
      Enter(slot);
      ++used_;
    } else {
      RunAlone(slot);
    }
  }

  void RunAlone(Slot& slot) {
    FlushWithoutLastSlot([this] { FlushAll(); });
    const std::lock_guard lock(shared_.alone);
    Enter(slot);
    ++used_;
    FlushAll();
    lane_.ReleaseTaken();
  }

  // Flushes what is filled but not the slot at `used_`, which goes into the next batch, behind what the flush
  // may put there.
  void FlushWithoutLastSlot(const std::function<void()>& flush) {
    std::unique_ptr<Slot> keep = std::move(filling_[used_]);
    filling_.erase(filling_.begin() + static_cast<ptrdiff_t>(used_));
    flush();
    filling_.insert(filling_.begin() + static_cast<ptrdiff_t>(used_), std::move(keep));
  }

  Slot& NextSlot() {
    if (used_ == filling_.size()) filling_.push_back(std::make_unique<Slot>());
    return *filling_[used_];
  }

  // Adds the slot at `used_` to the batch. What is expected of a call that the backend was found to lack waits for an
  // answer to be compared with.
  void Enter(Slot& slot) {
    while (!AddToBatch(lane_, slot.planned, &slot.call)) FlushWithoutLastSlot([this] { Flush(); });
    const std::optional<Support>& support = shared_.plan.Options().support;
    slot.expects = false;
    if (!support || support->Supports(slot.planned.problem)) Expect(slot);
  }

  void Expect(Slot& slot) {
    ComputeExpected(slot.planned.problem, slot.planned.example, shared_.options.selection, slot.call, &slot.expected);
    slot.expects = true;
  }

  // Starts the filled batch, and judges what is ready while that runs.
  void Flush() {
    if (used_ > 0) {
      lane_.Submit();
      Batch batch{std::move(filling_), used_};
      filling_.clear();
      if (!recycled_slots_.empty()) filling_.swap(recycled_slots_.back()), recycled_slots_.pop_back();
      used_ = 0;
      in_flight_.push_back(std::move(batch));
    }
    while (JudgeOldest(lane_.MustTake())) {
    }
    DeliverFinished();
    AskDoubted();
    RunAgain();
  }

  // False where nothing is ready, or, with `wait`, nothing in flight.
  bool JudgeOldest(bool wait) {
    const auto results = lane_.Take(wait);
    if (!results) return false;
    Batch& batch = in_flight_.front();
    if (std::any_of(results->begin(), results->end(), WasRun)) breaks_ = 0;
    const std::optional<Break> broken = breaks_ < kMostBreaks ? FindBreak(*results) : std::nullopt;
    const bool first_break = doubted_.empty();
    for (size_t i = 0; i < batch.used; ++i) {
      // Others of its batch broke the process or hung, or the run had to end; that is nothing against this case.
      if (broken && AnswersInternalError((*results)[i])) {
        if (first_break && i == broken->first) {
          shown_by_ = doubted_.size();
          said_ = Said((*results)[i]);
        }
        if (first_break && i == broken->before) suspect_ = doubted_.size();
        doubted_.push_back(std::exchange(batch.slots[i], std::make_unique<Slot>()));
      } else if ((*results)[i].event != Event::kNotRun) {
        JudgeOne(*batch.slots[i], (*results)[i]);
      } else if (lane_.Ended()) {
        Leave(*batch.slots[i]);
      } else {
        again_.push_back(std::exchange(batch.slots[i], std::make_unique<Slot>()));
      }
    }
    recycled_slots_.push_back(std::move(batch.slots));
    in_flight_.pop_front();
    return true;
  }

  // Finds out which of the cases that answered INTERNAL_ERROR at the end of a process broke it: the first, if it
  // answers so alone in a new one, or the one before it. All others are asked again. Not while any is filled in.
  void AskDoubted() {
    if (doubted_.empty() || used_ > 0) return;
    while (JudgeOldest(true)) {  // what the same process ran
    }
    ++breaks_;
    lane_.Restart();
    std::unique_ptr<Slot> shown_by = std::move(doubted_[shown_by_]);
    const CaseResult alone = RunNow(shown_by);
    JudgeOne(*shown_by, alone);
    if (!AnswersInternalError(alone) && !lane_.Ended()) BlameOneBefore(shown_by);
    lane_.Restart();
    for (std::unique_ptr<Slot>& slot : doubted_) {
      if (slot != nullptr) again_.push_back(std::move(slot));
    }
    doubted_.clear();
    suspect_.reset();
  }

  void BlameOneBefore(std::unique_ptr<Slot>& shown_by) {
    if (suspect_) {
      lane_.Restart();
      CaseResult result = RunNow(doubted_[*suspect_]);
      if (AnswersInternalError(RunNow(shown_by))) {
        result.event = Event::kCrash;
        result.event_text = "left its process unable to go on: " + PrintLine(shown_by->planned.problem) +
                            " answered INTERNAL_ERROR, which it does not alone";
        JudgeOne(*std::exchange(doubted_[*suspect_], nullptr), result);
        return;
      }
    }
    const std::lock_guard lock(shared_.mutex);
    AddFault({"answered INTERNAL_ERROR" + said_ + " until its process was started again, to calls that it can answer"},
             &shared_.faults);
  }

  // Runs a case alone, in the process as it is. Nothing is filled or in flight.
  CaseResult RunNow(std::unique_ptr<Slot>& slot) {
    NextSlot();
    filling_[used_].swap(slot);
    Enter(*filling_[used_]);
    lane_.Submit();
    const CaseResult result = lane_.Wait()[0];
    filling_[used_].swap(slot);
    return result;
  }

  // Adds the cases that were not run to the batch that is being filled.
  void RunAgain() {
    while (!again_.empty()) {
      std::unique_ptr<Slot> slot = std::move(again_.front());
      again_.pop_front();
      if (slot->planned.n > shared_.last) {
        Leave(*slot);
        continue;
      }
      NextSlot();
      filling_[used_] = std::move(slot);
      Run(*filling_[used_]);
    }
  }

  void JudgeOne(Slot& slot, const CaseResult& result) {
    if (result.event == Event::kNotRun) return Leave(slot);
    if (!slot.expects && !IsUnsupported(result)) Expect(slot);
    // Random cases are too many to compute each under more readings than needed.
    const Expectation expectation{&slot.expected, slot.planned.example, slot.planned.invalid,
                                  shared_.options.selection.demanded, slot.planned.section != Section::kRandom};
    Corpus* corpus = shared_.plan.corpus();
    if (corpus != nullptr && result.new_code > 0) corpus->Add(slot.planned.problem);
    Record record = RecordOf(slot.planned);
    Judgement& judgement = record.judgement;
    judgement = judge_.Decide(slot.planned.problem, slot.call, expectation, result);
    const bool comparable = result.event == Event::kNone && judgement.verdict != Verdict::kDeviates &&
                            judgement.verdict != Verdict::kUnwritten && judgement.verdict != Verdict::kNondeterministic;
    if (!Conforms(judgement.verdict) && comparable) {
      record.causes = diagnostician_.Diagnose(slot.call, slot.expected, Judge::Answer(slot.call, result, 0));
    }
    if (!Conforms(judgement.verdict)) record.signature = SignatureOf(slot.planned, judgement, result);
    // Only the whole run knows which of several explanations holds.
    if (!Conforms(judgement.verdict) || !judgement.candidates.empty()) {
      record.answer = AnswerDigest(slot.call, slot.planned.problem.capacity, result, judgement.verdict);
    }
    if (!Conforms(judgement.verdict)) CountFailure(slot);
    Finish(slot, std::move(record));
    shared_.set_aside.Note(slot.chunk->records[slot.record]);
  }

  // Ends the run behind the failures of one chunk where these are enough, since each case behind them may hang as well.
  void CountFailure(const Slot& slot) {
    Chunk& chunk = *slot.chunk;
    chunk.last = std::max(chunk.last, slot.planned.n);
    const uint64_t enough = shared_.options.stop_after - shared_.options.failures;
    if (shared_.options.stop_after == 0 || ++chunk.failures < enough) return;
    uint64_t last = shared_.last;
    while (chunk.last < last && !shared_.last.compare_exchange_weak(last, chunk.last)) {
    }
  }

  void Finish(Slot& slot, Record record) {
    slot.chunk->records[slot.record] = std::move(record);
    --slot.chunk->open;
  }

  // The plan ends before the case.
  void Leave(const Slot& slot) {
    Chunk& chunk = *slot.chunk;
    chunk.cut = true;
    chunk.kept = std::min(chunk.kept, slot.record);
    --chunk.open;
    shared_.TimeIsOver();
    shared_.delivery.Stop();
  }

  void DeliverFinished() {
    while (!chunks_.empty() && chunks_.front()->closed && chunks_.front()->open == 0) {
      Chunk& chunk = *chunks_.front();
      if (chunk.records.size() > chunk.kept) chunk.records.resize(chunk.kept);
      shared_.delivery.Deliver(chunk.first, std::move(chunk.records), chunk.cut);
      chunks_.pop_front();
    }
  }

  SharedState& shared_;
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
  std::deque<Batch> in_flight_;              // in the order in which they were submitted
  std::vector<Slots> recycled_slots_;        // to be used again
  std::deque<std::unique_ptr<Slot>> again_;  // were not run, since others hung or broke the process
  Slots doubted_;                            // answered INTERNAL_ERROR at the end of a process
  size_t shown_by_ = 0;                      // the first of them that did
  std::string said_;                         // its own words
  std::optional<size_t> suspect_;            // the one that ran before it
  int breaks_ = 0;                           // since something else was answered
  std::deque<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace

bool AddToBatch(Lane& lane, const PlannedCase& planned, Call* call) {
  call->Bind(planned.problem);
  if (planned.problem.ShapesAlone()) return lane.AddInferOnly(call->call);
  void* input = lane.Add(call->call, planned.problem.capacity);
  if (input == nullptr) return false;
  FillInput(planned.problem, input);
  call->inputs[0].data = input;
  return true;
}

void RunLane(SharedState& shared, Lane& lane) { LaneLoop(shared, lane).Run(); }

}  // namespace poolproof
