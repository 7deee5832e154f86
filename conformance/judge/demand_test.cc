// Goal: a reading that is chosen is demanded. Method: for every entry of the ledger and
// every two of its readings, the oracle under one of them is the backend and the other is chosen; some
// problem must then deviate by just that entry, and pass where the entry is left open.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/generate.h"
#include "conformance/judge/judge.h"

namespace poolproof {
namespace {

using reference::ComputableReadings;
using reference::Entry;
using reference::Readings;

// Problems on which each entry has a bearing: systematic ones, invalid calls, random ones.
std::vector<Problem> MakeProblems() {
  std::vector<Problem> problems;
  Error error;
  const auto add = [&](const std::string& line) {
    if (auto problem = ParseLine(BuiltInSpecs(), line, &error)) problems.push_back(*std::move(problem));
  };
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const InvalidCall& invalid : spec.invalid_calls) {
      for (const std::string& line : invalid.lines) add(line);
    }
    for (Problem& problem : BoundaryProblems(spec)) problems.push_back(std::move(problem));
  }
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (Problem& problem : SpecialProblems(spec)) problems.push_back(std::move(problem));
  }
  // Random problems have few divisors below 0.
  add("torch.AvgPool f32 in=1x1x4x4 k=2 divisor_override=-3 fill=distinct seed=1");
  add("torch.AvgPool f64 in=1x2x5x3 k=2 divisor_override=-2 fill=distinct seed=1");
  for (uint64_t i = 0; i < 20000; ++i) problems.push_back(RandomProblem(BuiltInSpecs(), 21, i));
  std::erase_if(problems, [](const Problem& p) { return p.Elements() > 20000 && !p.ShapesAlone(); });
  return problems;
}

const std::vector<Problem>& Problems() {
  static const std::vector<Problem> problems = MakeProblems();
  return problems;
}

// One problem, answered by the oracle under `own` and judged under `selection`.
class DemandedAnswer {
 public:
  void Bind(const Problem& problem, const Readings& own) {
    problem_ = problem;
    call_.Bind(problem_);
    if (!problem_.ShapesAlone()) {
      input_.resize(std::max<size_t>(call_.inputs[0].size_bytes, 1));
      FillInput(problem_, input_.data());
      call_.inputs[0].data = input_.data();
    }
    own_.Compute(call_, own, problem_.ShapesAlone(), problem_.capacity);
  }
  bool Touches(Entry entry) const { return own_.touched().Has(entry); }

  Judgement Judge(const Selection& selection) {
    selected_.Compute(call_, selection.readings, problem_.ShapesAlone(), problem_.capacity);
    CaseResult result;
    const Result& got = own_.result();
    result.infer_status = got.status;
    result.ran = got.status == POOLPROOF_OK && got.computed;
    result.placements = 1;
    result.not_run = "too large";
    for (size_t i = 0; i < got.output_count; ++i) {
      result.outputs[i] = got.outputs[i];
      result.data[0][i] = static_cast<const std::byte*>(got.outputs[i].data);
    }
    const Expectation expectation{&selected_, nullptr, nullptr, selection.demanded, false};
    return judge_.Decide(problem_, call_, expectation, result);
  }
  Problem& problem() { return problem_; }
  const Result& got() const { return own_.result(); }

 private:
  Problem problem_;
  Call call_;
  std::vector<std::byte> input_;
  Expected own_, selected_;
  poolproof::Judge judge_;
};

// Whether the entry is the deviation, or one of those that only the whole run can tell apart.
bool Names(const Judgement& judgement, Entry entry) {
  const auto has = [entry](const std::vector<Choice>& deviations) {
    return std::any_of(deviations.begin(), deviations.end(),
                       [entry](const Choice& choice) { return choice.entry == entry; });
  };
  return has(judgement.deviations) ||
         std::any_of(judgement.candidates.begin(), judgement.candidates.end(),
                     [&](const Candidate& candidate) { return has(candidate.deviations); });
}

// How often a backend that reads `entry` as `own` deviates by it where `chosen` is demanded, as are the
// readings of all other entries, and how often it passes where nothing is.
struct Counts {
  int deviates = 0, passes_if_open = 0;
};
Counts Count(Entry entry, uint8_t own, uint8_t chosen, int enough) {
  Readings backend;
  backend[entry] = own;
  Selection selection;
  selection.readings[entry] = chosen;
  Selection open = selection;
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    selection.demanded.Add(static_cast<Entry>(e));
  }
  DemandedAnswer answered;
  Counts counts;
  for (const Problem& problem : Problems()) {
    if (counts.deviates >= enough) break;
    answered.Bind(problem, backend);
    if (!answered.Touches(entry)) continue;
    const Judgement judgement = answered.Judge(selection);
    if (judgement.verdict != Verdict::kDeviates || !Names(judgement, entry)) continue;
    ++counts.deviates;
    counts.passes_if_open += answered.Judge(open).verdict == Verdict::kPass ? 1 : 0;
  }
  return counts;
}

TEST(Demand, OfEveryEntryEveryReading) {
  constexpr int kEnough = 3;
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    const Entry entry = static_cast<Entry>(e);
    for (uint8_t chosen = 0; chosen < ComputableReadings(entry); ++chosen) {
      for (uint8_t own = 0; own < ComputableReadings(entry); ++own) {
        if (own == chosen) continue;
        // A sum in f32 is a possible result of summing in the type, and one that is scaled at the end of scaling first.
        const bool nested = (entry == Entry::kMeanAccumulation || entry == Entry::kMeanScaling) && own == 0;
        // Where small numbers are flushed shows in few problems.
        if (entry == Entry::kSubnormals && own != 0 && chosen != 0) continue;
        const Counts counts = Count(entry, own, chosen, kEnough);
        EXPECT_EQ(counts.deviates, nested ? 0 : kEnough)
            << reference::EntryId(entry) << "=" << reference::ReadingNames(entry)[chosen] << " against "
            << reference::ReadingNames(entry)[own];
        if (reference::IsSilence(entry)) {
          EXPECT_EQ(counts.passes_if_open, counts.deviates) << reference::EntryId(entry);
        }
      }
    }
  }
}

// The oracle knows one index of an empty window; a backend may give any.
TEST(Demand, OfTheIndexOfAnEmptyWindow) {
  DemandedAnswer answered;
  Error error;
  const auto problem =
      ParseLine(BuiltInSpecs(), "MaxPool-8 f32 in=1x1x3x3 k=2 s=2 pb=2 pe=2 fill=distinct seed=1", &error);
  ASSERT_TRUE(problem) << error.message;
  answered.Bind(*problem, {});
  auto* indices = static_cast<int64_t*>(answered.got().outputs[1].data);
  EXPECT_EQ(std::exchange(indices[0], 7), 0);
  EXPECT_EQ(answered.Judge({}).verdict, Verdict::kPass);
  Selection selection;
  selection.demanded.Add(Entry::kEmptyWindowIndex);
  const Judgement judgement = answered.Judge(selection);
  EXPECT_EQ(judgement.verdict, Verdict::kDeviates);
  EXPECT_TRUE(Names(judgement, Entry::kEmptyWindowIndex));
}

TEST(Demand, OfARuleOfRoundingWithoutName) {
  DemandedAnswer answered;
  Error error;
  const auto problem =
      ParseLine(BuiltInSpecs(), "AvgPool-1 i8 in=1x1x1x2 k=1x2 s=1 pb=0 pe=0 exclude_pad=true data=-1,-2", &error);
  ASSERT_TRUE(problem) << error.message;
  answered.Bind(*problem, {});
  auto* means = static_cast<int8_t*>(answered.got().outputs[0].data);
  EXPECT_EQ(std::exchange(means[0], int8_t{-2}), -1);
  EXPECT_EQ(answered.Judge({}).verdict, Verdict::kPass);
  Selection selection;
  selection.demanded.Add(Entry::kAvgIntegerRounding);
  EXPECT_EQ(answered.Judge(selection).verdict, Verdict::kDeviates);
}

}  // namespace
}  // namespace poolproof
