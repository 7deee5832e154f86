// Causes of runs whose backend is wrong in a way that is known here.
#include "conformance/diagnosis/diagnosis.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "conformance/diagnosis/clause.h"
#include "conformance/diagnosis/unexplained.h"
#include "conformance/format/verdict.h"
#include "conformance/results/answer.h"

namespace poolproof {
namespace {

size_t CauseNamed(std::string_view id) {
  for (size_t m = 0; m < Causes().size(); ++m) {
    if (Causes()[m].id == id) return m;
  }
  ADD_FAILURE() << "no cause " << id;
  return 0;
}

// A run over a small plan, judged as a backend would be that has a fault where a condition holds.
class RunOf {
 public:
  using Condition = std::function<bool(const Features&)>;

  RunOf() {
    Error error;
    specs_ = LoadSpecs("", &error);
    PlanOptions options;
    options.level = Level::kQuick;
    options.random_count = 4000;
    plan_ = Plan::Make(*specs_, options, &error);
    local_.emplace(*plan_, selection_);
  }

  void Add(std::string_view id, const Condition& where) {
    const Fault fault{false, CauseNamed(id), {}, 0};
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || !local_->AppliesTo(fault) || !where(local_->features())) continue;
      if (!local_->Compute() || !local_->FailsWith(fault)) continue;
      wrong_[n].push_back(fault.cause);
    }
  }

  // `count` cases that one fault breaks, whose answers have nothing to do with it; two in three of them another one
  // breaks as well.
  void AddUnlike(std::string_view breaks_all, std::string_view breaks_some, uint64_t count) {
    const Fault all{false, CauseNamed(breaks_all), {}, 0}, some{false, CauseNamed(breaks_some), {}, 0};
    uint64_t both = 0, one = 0;
    for (uint64_t n = 0; n < plan_->Size() && both + one < count; ++n) {
      if (!local_->Load(n, &words_) || !local_->AppliesTo(all) || !local_->Compute() || !local_->FailsWith(all)) {
        continue;
      }
      const bool is_both = local_->AppliesTo(some) && local_->FailsWith(some);
      if (wrong_.contains(n) || (!is_both && 2 * (one + 1) > both)) continue;
      ++(is_both ? both : one);
      Record record = RecordOf(Verdict::kFail);
      record.signature = "any|2 0";
      tally_.Add(record);
    }
  }

  // The next `count` cases of f32 end in a way that has nothing to do with an answer.
  void AddEvents(Verdict verdict, const std::string& signature, int count) {
    for (; count > 0; ++next_) {
      if (!local_->Load(next_, &words_) || local_->planned().problem.type != POOLPROOF_F32) continue;
      Record record = RecordOf(verdict);
      record.signature = "any|" + signature;
      tally_.Add(record);
      --count;
    }
  }

  // All cases for which `where` holds end in two ways, in turn.
  void AddEventsWhere(const Condition& where, Verdict even, Verdict odd) {
    uint64_t count = 0;
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || !where(local_->features())) continue;
      Record record = RecordOf(count++ % 2 == 0 ? even : odd);
      record.signature = "any|output values";
      tally_.Add(record);
    }
  }

  // All calls for which `where` holds are refused, also those that `cause` would not refuse.
  void AddRefusals(const Condition& where, size_t cause) {
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || !where(local_->features()) || !local_->Compute()) continue;
      const Fault fault{false, cause, {}, 0};
      Record record = RecordOf(Verdict::kWronglyRejected);
      record.signature = "any|1 0";
      record.answer = fmt::format("{:016x}", n + 1);
      if (local_->AppliesTo(fault) && local_->FailsWith(fault)) record.causes.set(cause);
      tally_.Add(record);
    }
  }

  // All other cases for which `where` holds have answers that no cause gives.
  void AddWithoutCause(const Condition& where) {
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (local_->Load(n, &words_) && where(local_->features())) wrong_.try_emplace(n);
    }
  }

  Problem ProblemOf(const std::string& id) {
    local_->Load(id, &words_);
    return local_->planned().problem;
  }

  uint64_t Failing() const { return wrong_.size(); }

  std::vector<CauseGroup> Find(const std::function<bool()>& late = {}) {
    for (const auto& [n, causes] : wrong_) AddWrong(n, causes);
    return FindCauses({*plan_, selection_, tally_, plan_->Size(), late}, {});
  }

 private:
  // A case that two faults break has an answer of its own.
  void AddWrong(uint64_t n, const std::vector<size_t>& causes) {
    local_->Load(n, &words_);
    Record record = RecordOf(Verdict::kFail);
    record.signature = "any|3 0";
    record.answer = fmt::format("{:016x}", n + 1);
    if (causes.size() == 1) record.causes.set(causes[0]);
    tally_.Add(record);
  }

  // Features of the case that is loaded.
  Record RecordOf(Verdict verdict) {
    Record record;
    record.n = local_->planned().n;
    record.id = local_->planned().id;
    record.line = local_->planned().line;
    record.function = local_->planned().problem.function;
    record.type = local_->planned().problem.type;
    record.elements = local_->planned().problem.Elements();
    record.judgement.verdict = verdict;
    return record;
  }

  std::optional<Specs> specs_;
  std::optional<Plan> plan_;
  Selection selection_;
  WordNumbers words_;
  std::optional<LocalCase> local_;
  std::map<uint64_t, std::vector<size_t>> wrong_;
  Tally tally_;
  uint64_t next_ = 0;  // of AddEvents
};

int64_t At(const Features& features, Feature f) { return features[static_cast<size_t>(f)]; }
bool Always(const Features&) { return true; }

// The reader of results checks the verdict of a group against its cases.
TEST(DiagnosisTest, VerdictsAreAsBadAsReportsSay) {
  for (size_t v = 0; v < kVerdictCount; ++v) {
    const auto verdict = static_cast<Verdict>(v);
    const auto known = FindVerdict(VerdictName(verdict));
    ASSERT_TRUE(known);
    EXPECT_EQ(Severity(verdict), Facts(*known).severity) << VerdictName(verdict);
  }
}

// Not "the mean over its window" but what the document says of exclude-pad.
TEST(DiagnosisTest, ShowsTheClauseThatTheCauseBreaks) {
  Error error;
  const auto specs = LoadSpecs("", &error);
  const auto problem = ParseLine(
      *specs, "AvgPool-14 f32 in=1x1x3 k=2 s=1 pb=1 pe=0 exclude_pad=true rounding=ceil fill=exact seed=1", &error);
  ASSERT_TRUE(problem) << error.message;
  for (const auto& [cause, key] : {std::pair("exclude-pad-ignored", "exclude_pad"),
                                   {"kernel-reversed", "k"},
                                   {"strides-reversed", "s"},
                                   {"pads-swapped", "pb"}}) {
    const std::string clause = ClauseOfCause(*specs, *problem, Causes()[CauseNamed(cause)]);
    EXPECT_EQ(clause, problem->spec->FindAttribute(key)->clause) << cause;
    EXPECT_NE(specs->FindClause(clause), nullptr) << clause;
  }
  EXPECT_NE(ClauseOfCause(*specs, *problem, Causes()[CauseNamed("floor-as-ceil")]), "");
  EXPECT_EQ(ClauseOfCause(*specs, *problem, Causes()[CauseNamed("last-channel-wrong")]), "");
}

TEST(DiagnosisTest, NamesWhatBreaksCases) {
  RunOf run;
  run.Add("strides-reversed", Always);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cause.id, "strides-reversed");
  EXPECT_EQ(groups[0].where, "");
}

TEST(DiagnosisTest, FindsWhereItIsWrong) {
  RunOf run;
  run.Add("exclude-pad-ignored", [](const Features& f) { return At(f, Feature::kWidth) >= 6; });
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cause.id, "exclude-pad-ignored");
  EXPECT_EQ(groups[0].where, "width >= 6");
}

// Cases by chance, which no rule tells from others: one in `share`.
std::function<bool(const Features&)> OneIn(uint64_t share) {
  return [share, count = uint64_t{0}](const Features&) mutable {
    return (++count * 0x9e3779b97f4a7c15u >> 32) % share == 0;
  };
}

// A cause that would also break right cases, and that no rule keeps from them, is known by all wrong answers.
TEST(DiagnosisTest, ACauseWithoutARuleIsNamedByItsAnswers) {
  RunOf run;
  run.Add("channel-offset-lost", OneIn(4));
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cause.id, "channel-offset-lost");
  EXPECT_EQ(groups[0].where, "");
  EXPECT_TRUE(groups[0].evidence.ends_with(" right ones: no short rule says where it is at work"))
      << groups[0].evidence;
}

TEST(DiagnosisTest, ACauseThatBreaksRightCasesAndGivesSomeAnswersIsOut) {
  RunOf run;
  run.Add("channel-offset-lost", OneIn(4));
  run.Add("last-tap-skipped", OneIn(4));
  for (const CauseGroup& group : run.Find()) EXPECT_EQ(group.cause.id, "") << group.evidence;
}

// Cases that happen to be right keep a condition that fits them out.
TEST(DiagnosisTest, AConditionThatKeepsFewRightCasesOutIsDropped) {
  RunOf run;
  uint64_t count = 0;
  run.Add("exclude-pad-ignored", [&](const Features& f) {
    return At(f, Feature::kWidth) >= 6 && (At(f, Feature::kHeight) < 5 || ++count > 3);
  });
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].where, "width >= 6");
}

// A refusal is like any other: a cause that would refuse some of the calls that are refused is none of all.
TEST(DiagnosisTest, ARefusalOfSomeIsNoCauseOfAll) {
  RunOf run;
  const auto wide = [](const Features& f) { return At(f, Feature::kWidth) == 9 && At(f, Feature::kInvalid) == 0; };
  run.AddRefusals(wide, CauseNamed("rejects-dilation"));
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cause.id, "");
  EXPECT_EQ(groups[0].verdict, Verdict::kWronglyRejected);
}

TEST(DiagnosisTest, TwoCausesAtOnce) {
  RunOf run;
  run.Add("pads-swapped", Always);
  run.Add("unsigned-compared-as-signed", [](const Features& f) { return At(f, Feature::kChannels) >= 2; });
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  std::set<std::string> names;
  for (const CauseGroup& group : groups) names.insert(group.cause.id);
  EXPECT_EQ(names, (std::set<std::string>{"pads-swapped", "unsigned-compared-as-signed"}));
}

TEST(DiagnosisTest, ACaseBelongsToTheCauseThatBreaksMostOfItsKind) {
  constexpr uint64_t kUnlike = 6;
  const auto cases = [](uint64_t unlike) {
    RunOf run;
    run.Add("pads-swapped", [](const Features& f) { return At(f, Feature::kChannels) != 3; });
    run.Add("unsigned-compared-as-signed", [](const Features& f) { return At(f, Feature::kChannels) != 3; });
    run.AddUnlike("unsigned-compared-as-signed", "pads-swapped", unlike);
    std::map<std::string, uint64_t> sizes;
    for (const CauseGroup& group : run.Find()) sizes[group.cause.id] = group.cases;
    return sizes;
  };
  const auto before = cases(0), after = cases(kUnlike);
  ASSERT_EQ(before.size(), 2u);
  EXPECT_GT(before.at("pads-swapped"), before.at("unsigned-compared-as-signed"));
  EXPECT_EQ(after.at("pads-swapped"), before.at("pads-swapped"));
  EXPECT_EQ(after.at("unsigned-compared-as-signed"), before.at("unsigned-compared-as-signed") + kUnlike);
}

TEST(DiagnosisTest, WhatWasSetAsideBelongsToWhatItWasSetAsideFor) {
  RunOf run;
  run.AddEvents(Verdict::kCrash, "received signal SIGSEGV in run", 20);
  run.AddEvents(Verdict::kMissing, "f32 set aside", 50);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].verdict, Verdict::kCrash);
  EXPECT_EQ(groups[0].verdicts, (std::map<Verdict, uint64_t>{{Verdict::kCrash, 20}, {Verdict::kMissing, 50}}));
}

// A case that is wrong by two faults has the answer of neither: of what is wrong by the first one it gives a small
// part.
TEST(DiagnosisTest, ACauseThatGivesFewOfTheAnswersWhereItShowsIsOut) {
  RunOf run;
  const auto wide = [](const Features& f) { return At(f, Feature::kWidth) == 9; };
  uint64_t count = 0;
  run.Add("last-tap-skipped", wide);
  run.Add("last-tap-skipped", [&](const Features& f) { return wide(f) && ++count % 8 != 0; });
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cause.id, "");
}

TEST(DiagnosisTest, WrongAnswersOfAnOperatorAreOneGroup) {
  RunOf run;
  run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 5; }, Verdict::kFail, Verdict::kDeviates);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].verdict, Verdict::kFail);
  EXPECT_EQ(groups[0].verdicts.size(), 2u);
}

TEST(DiagnosisTest, WrongAndUnwrittenOutputsInOnePlaceAreOneGroup) {
  RunOf run;
  uint64_t count = 0;
  run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 5; }, Verdict::kFail,
                     Verdict::kUnwritten);
  run.AddEventsWhere([&](const Features& f) { return At(f, Feature::kWidth) == 6 && ++count % 20 == 0; },
                     Verdict::kUnwritten, Verdict::kUnwritten);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].verdict, Verdict::kUnwritten);
  EXPECT_EQ(groups[0].verdicts.size(), 2u);
}

TEST(DiagnosisTest, WrongAnswersInTwoPlacesAreTwoGroups) {
  RunOf run;
  run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 5; }, Verdict::kFail, Verdict::kFail);
  run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 6; }, Verdict::kInconsistent,
                     Verdict::kInconsistent);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].where, "width = 5");
  EXPECT_EQ(groups[1].where, "width = 6");
}

// Cases of one verdict and one symptom, which come in one class.
TEST(DiagnosisTest, TwoPlacesOfOneSymptomAreTwoGroups) {
  RunOf run;
  const auto wide = [](const Features& f) { return At(f, Feature::kWidth) == 5; };
  const auto indexed = [](const Features& f) { return At(f, Feature::kIndexed) == 1; };
  run.AddWithoutCause(wide);
  run.AddWithoutCause(indexed);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  std::set<std::string> places;
  for (const CauseGroup& group : groups) {
    places.insert(group.where);
    EXPECT_EQ(group.members.size(), group.cases);
    EXPECT_EQ(group.first.size(), kFirstCases);
    const Problem problem = run.ProblemOf(group.smallest_id);
    EXPECT_TRUE(group.fits(problem)) << group.where << ": " << group.smallest_line;
    EXPECT_EQ(group.smallest_elements, problem.Elements());
  }
  EXPECT_EQ(places, (std::set<std::string>{"has_indices", "width = 5"}));
}

// All is wrong where the width is 9; a cause gives some of it by accident, under a rule of its own.
TEST(DiagnosisTest, ACauseInThePlaceOfOthersIsAnAccident) {
  RunOf run;
  const auto wide = [](const Features& f) { return At(f, Feature::kWidth) == 9 && At(f, Feature::kInvalid) == 0; };
  run.Add("last-tap-skipped", [&](const Features& f) { return wide(f) && At(f, Feature::kChannels) >= 3; });
  run.AddWithoutCause(wide);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cause.id, "");
}

TEST(DiagnosisTest, ACauseBesideThePlaceOfOthersIsNone) {
  RunOf run;
  run.Add("last-tap-skipped", [](const Features& f) { return At(f, Feature::kWidth) == 8; });
  run.AddWithoutCause([](const Features& f) { return At(f, Feature::kWidth) == 9 && At(f, Feature::kInvalid) == 0; });
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].cause.id, "");
  EXPECT_EQ(groups[1].cause.id, "last-tap-skipped");
}

TEST(DiagnosisTest, ARuleThatTheSmallestProblemDoesNotFitHoldsForMostCases) {
  RunOf run;
  run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 5; }, Verdict::kFail, Verdict::kFail);
  CauseGroup group = run.Find()[0];
  const std::string evidence = group.evidence;
  Problem problem = run.ProblemOf(group.first[0]);
  CompareWithRule(problem, &group);
  EXPECT_EQ(group.where, "width = 5");
  EXPECT_EQ(group.evidence, evidence);
  problem.shape[problem.shape.size - 1u] = 4;
  CompareWithRule(problem, &group);
  EXPECT_EQ(group.where, "");
  EXPECT_EQ(group.evidence, "mostly where width = 5: " + evidence.substr(std::string("this holds for ").size()));
}

TEST(DiagnosisTest, WhatHappensWhereOneRuleHoldsIsOneGroup) {
  for (const bool one : {true, false}) {
    RunOf run;
    run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 5; }, Verdict::kCrash,
                       one ? Verdict::kUnwritten : Verdict::kCrash);
    if (!one) {
      run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 6; }, Verdict::kUnwritten,
                         Verdict::kUnwritten);
    }
    const std::vector<CauseGroup> groups = run.Find();
    ASSERT_EQ(groups.size(), one ? 1u : 2u);
    EXPECT_EQ(groups[0].where, "width = 5");
  }
}

TEST(DiagnosisTest, OneCaseIsNamedInsteadOfARule) {
  RunOf run;
  bool first = true;
  run.AddEventsWhere([&](const Features& f) { return At(f, Feature::kWidth) == 5 && std::exchange(first, false); },
                     Verdict::kFail, Verdict::kFail);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cases, 1u);
  EXPECT_EQ(groups[0].where, "");
  EXPECT_EQ(groups[0].evidence, "met in one case: " + groups[0].smallest_line);
}

TEST(DiagnosisTest, TheLargestGroupIsTheFirst) {
  RunOf run;
  run.AddEvents(Verdict::kTimeout, "hung in run", 20);
  run.AddEvents(Verdict::kCrash, "received signal SIGSEGV in run", 30);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].verdict, Verdict::kCrash);
  EXPECT_EQ(groups[0].number, 1);
}

// However late it is, no case is lost, and little is asked from then on.
TEST(DiagnosisTest, WhatIsLateIsGroupedByWhatHappened) {
  for (const uint64_t allowed : {0, 100, 3000}) {
    RunOf run;
    run.Add("strides-reversed", OneIn(3));
    run.Add("exclude-pad-ignored", OneIn(3));
    uint64_t asked = 0, cases = 0;
    for (const CauseGroup& group : run.Find([&] { return ++asked > allowed; })) {
      EXPECT_TRUE(allowed > 0 || group.cause.id.empty()) << group.cause.id;
      cases += group.cases;
    }
    EXPECT_EQ(cases, run.Failing());
    EXPECT_LT(asked, allowed + 100);
  }
}

TEST(DiagnosisTest, IsTheSameEveryTime) {
  RunOf run;
  run.Add("kernel-reversed", [](const Features& f) { return At(f, Feature::kHeight) >= 4; });
  const std::vector<CauseGroup> first = run.Find();
  RunOf again;
  again.Add("kernel-reversed", [](const Features& f) { return At(f, Feature::kHeight) >= 4; });
  const std::vector<CauseGroup> second = again.Find();
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].where, second[i].where);
    EXPECT_EQ(first[i].evidence, second[i].evidence);
    EXPECT_EQ(first[i].first, second[i].first);
  }
}

}  // namespace
}  // namespace poolproof
