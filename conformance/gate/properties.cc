// `conformance --backend=LIB --level=properties`: judges without an oracle.

#include <fmt/format.h>

#include <cstring>
#include <deque>

#include "conformance/cases/fill.h"
#include "conformance/format/text.h"
#include "conformance/gate/command.h"
#include "conformance/properties/property.h"

namespace poolproof {
namespace {

struct Score {
  uint64_t holds = 0, fails = 0, unsupported = 0;
  std::string reason;              // of the first round that fails
  std::vector<std::string> lines;  // its problems
};

// The problems of one round, run on a lane; answers own their outputs, for a lane forgets them.
class RoundOnLane {
 public:
  RoundOnLane(const Property& property, Lane& lane) : property_(property), lane_(lane) {}

  // False where the property has no problem for this seed.
  bool Run(const Specs& specs, uint64_t seed) {
    property_.make(specs, seed, &problems_);
    if (problems_.empty()) return false;
    const bool all_ok = RunNew();
    if (all_ok && property_.make_more != nullptr) {
      std::vector<Problem> more;
      property_.make_more({problems_, answers_}, &more);
      problems_.insert(problems_.end(), more.begin(), more.end());
      RunNew();
    }
    return true;
  }

  PropertyVerdict Verdict() const {
    if (!event_.empty()) return {Holding::kFails, event_};
    return JudgeRound(property_, {problems_, answers_});
  }
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  // Runs the problems that have no answer yet; false where an answer is not OK.
  bool RunNew() {
    bool all_ok = true;
    while (answers_.size() < problems_.size()) {
      size_t added = 0;
      std::deque<Call> calls;
      for (size_t i = answers_.size(); i < problems_.size(); ++i, ++added) {
        calls.emplace_back().Bind(problems_[i]);
        void* input = lane_.Add(calls.back().call, 0);
        if (input == nullptr) break;
        FillInput(problems_[i], input);
      }
      lane_.Submit();
      for (const CaseResult& result : lane_.Wait()) all_ok &= Keep(result);
      if (added == 0) return false;
    }
    return all_ok;
  }

  bool Keep(const CaseResult& result) {
    Answer& answer = answers_.emplace_back();
    if (result.event != Event::kNone) event_ = "the backend " + result.event_text;
    answer.status = result.ran ? result.run_status[0] : result.infer_status;
    if (result.event != Event::kNone) answer.status = POOLPROOF_INTERNAL_ERROR;
    for (size_t i = 0; answer.status == POOLPROOF_OK && i < answer.outputs.size(); ++i) {
      answer.outputs[i] = result.outputs[i];
      if (result.data[0][i] == nullptr) continue;
      memory_.emplace_back(result.data[0][i], result.data[0][i] + result.outputs[i].size_bytes);
      answer.outputs[i].data = memory_.back().data();
    }
    return answer.status == POOLPROOF_OK;
  }

  const Property& property_;
  Lane& lane_;
  std::vector<Problem> problems_;
  std::vector<Answer> answers_;
  std::deque<std::vector<std::byte>> memory_;
  std::string event_;
};

Score RunProperty(const Property& property, const Specs& specs, uint64_t seed, uint64_t rounds, Lane& lane) {
  Score score;
  for (uint64_t i = 0; i < rounds; ++i) {
    RoundOnLane round(property, lane);
    if (!round.Run(specs, seed * 1000003 + i)) continue;
    const PropertyVerdict verdict = round.Verdict();
    score.holds += verdict.holding == Holding::kHolds;
    score.fails += verdict.holding == Holding::kFails;
    score.unsupported += verdict.holding == Holding::kUnsupported;
    if (verdict.holding != Holding::kFails || score.fails > 1) continue;
    score.reason = verdict.reason;
    for (const Problem& problem : round.problems()) score.lines.push_back(PrintLine(problem));
  }
  return score;
}

void PrintScore(const Property& property, const Score& score) {
  const char* verdict = score.fails > 0 ? "FAILS" : score.holds > 0 ? "holds" : "unsupported";
  fmt::print("{:<12} {:<62} {:>6} {:>6} {:>6}\n", verdict, property.sentence, score.holds, score.fails,
             score.unsupported);
  if (score.fails == 0) return;
  fmt::print("             {}\n", EscapeForTerminal(score.reason));
  for (const std::string& line : score.lines) fmt::print("             {}\n", line);
}

}  // namespace

void RunProperties(const BackendOptions& backend, uint64_t seed, uint64_t rounds, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Error error;
  const std::unique_ptr<Lane> lane = StartLane(backend.Lane(), &error);
  if (lane == nullptr) return program.Fail(kBackendNotStarted, error.message);
  fmt::print("{} {}, {} rounds of each property, seed {}\n\n", EscapeForTerminal(lane->Info().name),
             EscapeForTerminal(lane->Info().version), rounds, seed);
  fmt::print("{:<12} {:<62} {:>6} {:>6} {:>6}\n", "", "property", "holds", "fails", "unsup.");
  size_t failed = 0;
  for (const Property& property : Properties()) {
    const Score score = RunProperty(property, *specs, seed, rounds, *lane);
    failed += score.fails > 0;
    PrintScore(property, score);
  }
  fmt::print("\n{} of {} properties fail\n", failed, Properties().size());
  program.exit_code = failed > 0 ? kDoesNotConform : kConforms;
}

}  // namespace poolproof
