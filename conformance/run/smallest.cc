#include "conformance/run/smallest.h"

#include <nlohmann/json.hpp>

#include "conformance/cases/fill.h"
#include "conformance/cases/formulas.h"
#include "conformance/cases/run_limits.h"
#include "conformance/cases/shrink.h"
#include "conformance/diagnosis/clause.h"
#include "conformance/diagnosis/unexplained.h"
#include "conformance/results/detail.h"
#include "conformance/run/reproducer.h"

namespace poolproof {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMaxJson = size_t{4} << 20;

// A hang costs a whole time-out per try, a crash a new process.
int CallsFor(Verdict verdict) {
  if (verdict == Verdict::kTimeout) return 12;
  return verdict == Verdict::kCrash ? 150 : 400;
}

bool NeedsHistory(Verdict verdict) { return verdict == Verdict::kInconsistent || verdict == Verdict::kMissing; }

// Runs problems and says whether they still show what the group shows.
class SameFault {
 public:
  SameFault(Lane& lane, const Selection& selection, const CauseGroup& group, const CauseSet& elsewhere,
            const std::function<bool()>& late)
      : one_(lane, selection), group_(group), elsewhere_(elsewhere), late_(late) {}

  bool Late() const { return late_(); }
  // The last problem was not run, since the run had to end.
  bool Ended() const { return one_.result().event == Event::kNotRun; }

  Judgement Run(const PlannedCase& planned) {
    Judgement judgement = one_.Run(planned);
    candidates_ = judgement.candidates.size();
    ChooseReadingOfGroup(&judgement);
    causes_.reset();
    if ((Named() || (elsewhere_.any() && !had_other_cause_)) && one_.result().event == Event::kNone) {
      causes_ = diagnostician_.Diagnose(one_.call(), one_.expected(), one_.Answer());
    }
    return judgement;
  }

  bool Shows(const Judgement& judgement, const Judgement& original) const {
    if (judgement.verdict != group_.smallest_verdict) return false;
    if (Named()) {
      return (causes_ & group_.causes).any() && causes_.count() <= most_causes_;
    }
    if (!had_other_cause_ && (causes_ & elsewhere_).any()) return false;
    if (original.verdict != group_.smallest_verdict) return true;  // nothing finer to compare with
    return judgement.difference == original.difference && judgement.deviations == original.deviations &&
           candidates_ <= most_candidates_;
  }

  // The last problem is the one to keep: what more causes or readings explain tells less and does not count; and
  // where none of the group's causes was found for it, none has to be found for another one.
  void KeepSpecificity() {
    most_causes_ = causes_.count();
    most_candidates_ = candidates_;
    had_group_cause_ = (causes_ & group_.causes).any();
    had_other_cause_ = (causes_ & elsewhere_).any();
  }

  // Whether the first wrong element differs in the sign of a zero alone, which a reader overlooks.
  bool OnlySignDiffers(const Judgement& judgement) const {
    if (judgement.difference != Difference::kValue) return false;
    const auto is_zero = [&](const Result& result) {
      const poolproof_tensor& tensor = result.outputs[judgement.output];
      return ElementAsNumber(tensor.element_type, tensor.data, judgement.element) == 0;
    };
    return is_zero(one_.Answer()) && is_zero(one_.expected().result());
  }

  OneCase& one() { return one_; }

 private:
  // Where several readings explain an answer, the whole run decided for that of the group.
  void ChooseReadingOfGroup(Judgement* judgement) {
    for (const Candidate& candidate : judgement->candidates) {
      Judgement chosen = *judgement;
      Choose(one_.expected().readings(), candidate, &chosen);
      if (chosen.verdict != Verdict::kDeviates || DeviationKey(chosen) != group_.signature) continue;
      *judgement = std::move(chosen);
      return;
    }
  }

  // A cause that gives the answer of the case itself.
  bool Named() const { return group_.causes.any() && group_.smallest_close && had_group_cause_; }

  OneCase one_;
  const CauseGroup& group_;
  const CauseSet& elsewhere_;
  const std::function<bool()>& late_;
  Diagnostician diagnostician_;
  CauseSet causes_;  // of the last problem
  size_t candidates_ = 0;
  size_t most_causes_ = kMaxCauses;
  size_t most_candidates_ = 0;
  bool had_group_cause_ = true;
  bool had_other_cause_ = false;  // then no other problem is asked for causes of other groups
};

// A fault that a case does not show alone comes from what ran before it. Tries the neighbours in the
// plan, the nearest first, each in a fresh process; empty where none of them brings the fault back.
std::string FindPredecessor(const Plan& plan, FreshStarts& starts, SameFault& fault, const CauseGroup& group,
                            const PlannedCase& planned, const Judgement& original) {
  constexpr uint64_t kNeighbours = 64;
  constexpr int kTimes = 4;  // so that what comes and goes by chance is not charged to a neighbour
  PlannedCase neighbour;
  for (uint64_t distance = 1; distance <= kNeighbours; ++distance) {
    for (const uint64_t n : {group.smallest_n - distance, group.smallest_n + distance}) {
      if (fault.Late() || n >= plan.Size() || !plan.Get(n, &neighbour)) continue;
      int shown = 0;
      do {
        if (!starts.Start()) return "";
        fault.Run(neighbour);
      } while (fault.Shows(fault.Run(planned), original) && ++shown < kTimes);
      if (shown == kTimes) return neighbour.id;
    }
  }
  return "";
}

PlannedCase AsCase(const Problem& problem) {
  PlannedCase planned;
  planned.problem = problem;
  planned.line = PrintLine(problem);
  planned.id = planned.line;
  return planned;
}

// Fills a problem that shows only the sign of a zero with ones, or else with minus ones; false if neither shows more.
bool AvoidZeros(SameFault& fault, const Judgement& original, Problem* problem) {
  if (problem->Elements() > ShrinkOptions().max_explicit_elements) return false;
  for (const Number value : {1, -1}) {
    Problem plain = *problem;
    plain.data.assign(static_cast<size_t>(problem->Elements()), value);
    plain.fill = Problem().fill;
    plain.seed = 0;
    if (fault.Late()) return false;
    const Judgement judgement = fault.Run(AsCase(plain));
    if (!fault.Shows(judgement, original) || fault.OnlySignDiffers(judgement)) continue;
    *problem = std::move(plain);
    return true;
  }
  return false;
}

// The smallest problem found that shows the fault of `problem`, whose judgement is `original`; more than the sign of a
// zero where there is such a one.
Problem Simplest(SameFault& fault, Verdict verdict, Problem problem, const Judgement& original) {
  ShrinkOptions options;
  options.max_calls = CallsFor(verdict);
  bool shows_more = !fault.OnlySignDiffers(original) || AvoidZeros(fault, original, &problem);
  return Shrink(
      problem,
      [&](const Problem& simpler) {
        if (fault.Late() || !WhyTooLarge(simpler).empty()) return false;
        const Judgement judgement = fault.Run(AsCase(simpler));
        if (!fault.Shows(judgement, original)) return false;
        const bool more = !fault.OnlySignDiffers(judgement);
        if (shows_more && !more) return false;
        shows_more = more;
        return true;
      },
      options);
}

// How the documents compute the sizes that the answer has otherwise.
std::string WhySizes(const Specs& specs, const PlannedCase& planned, OneCase& one, const Judgement& judgement) {
  if (judgement.difference != Difference::kShape) return "";
  return WhySizesAre(specs, planned.problem, one.expected().readings(), one.expected().result().outputs[0],
                     one.Answer().outputs[0]);
}

SmallestProblem Describe(OneCase& one, const PlannedCase& planned, const Judgement& judgement,
                         const std::string& after) {
  SmallestProblem problem;
  problem.line = planned.line;
  problem.after = after;
  const Result answer = one.Answer();
  const bool answered = one.result().event == Event::kNone;
  const Expected& expected = one.expected();
  Call& call = one.call();
  ordered_json smallest = {{"line", planned.line},
                           {"vector", VectorJson(planned, call, expected)},
                           {"c", ReproducerSource(planned, call, expected)},
                           {"detail", MakeDetail(planned, call, expected, answered ? &answer : nullptr, judgement)}};
  if (!after.empty()) smallest["after"] = after;
  if (planned.id != planned.line) smallest["id"] = planned.id;
  problem.json = smallest.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  // A reader takes no longer lines than it says, and a line that long is not read.
  if (problem.json.size() <= kMaxJson) return problem;
  problem.json = ordered_json{{"line", planned.line}}.dump();
  return problem;
}

}  // namespace

bool DescribeSmallest(const Plan& plan, const Selection& selection, const SmallestOptions& options,
                      const std::function<bool()>& late, FreshStarts& starts, Lane& lane, CauseGroup* group) {
  Error ignored;
  std::optional<PlannedCase> planned = plan.Find(group->smallest_id, &ignored);
  if (!planned) return true;
  SameFault fault(lane, selection, *group, options.elsewhere, late);
  Judgement judgement = fault.Run(*planned);
  if (fault.Ended()) return false;
  fault.KeepSpecificity();
  if (options.shrink && !NeedsHistory(group->smallest_verdict) && fault.Shows(judgement, judgement)) {
    const Problem small = Simplest(fault, group->smallest_verdict, planned->problem, judgement);
    // An example keeps its place in the document where shrinking gained nothing.
    if (PrintLine(small) != planned->line) *planned = AsCase(small);
    judgement = fault.Run(*planned);
    if (fault.Ended()) return false;
  }
  const bool alone = fault.Shows(judgement, judgement);
  std::string after;
  if (!alone && !NeedsHistory(group->smallest_verdict) && group->smallest_verdict != Verdict::kTimeout) {
    after = FindPredecessor(plan, starts, fault, *group, *planned, judgement);
    group->message += after.empty() ? " It does not show when the case runs alone."
                                    : " It shows only after another case: " + after + ".";
  }
  if (alone) {
    group->message = judgement.message + WhySizes(plan.specs(), *planned, fault.one(), judgement);
  }
  if (alone) CompareWithRule(planned->problem, group);
  group->clause = ClauseOfCause(plan.specs(), planned->problem, group->cause);
  if (group->clause.empty()) group->clause = ClauseOf(plan.specs(), *planned, judgement);
  group->smallest = Describe(fault.one(), *planned, judgement, after);
  return true;
}

}  // namespace poolproof
