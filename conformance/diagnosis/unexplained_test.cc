// Groups of failures that no known cause explains.
#include "conformance/diagnosis/unexplained.h"

#include <gtest/gtest.h>

#include <set>

#include "conformance/diagnosis/run_of.h"

namespace poolproof {
namespace {

TEST(UnexplainedTest, WhatWasSetAsideBelongsToWhatItWasSetAsideFor) {
  RunOf run;
  run.AddEvents(Verdict::kCrash, "received signal SIGSEGV in run", 20);
  run.AddEvents(Verdict::kMissing, "f32 set aside", 50);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].verdict, Verdict::kCrash);
  EXPECT_EQ(groups[0].verdicts, (std::map<Verdict, uint64_t>{{Verdict::kCrash, 20}, {Verdict::kMissing, 50}}));
}

TEST(UnexplainedTest, WrongAnswersOfAnOperatorAreOneGroup) {
  RunOf run;
  run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 5; }, Verdict::kFail, Verdict::kDeviates);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].verdict, Verdict::kFail);
  EXPECT_EQ(groups[0].verdicts.size(), 2u);
}

TEST(UnexplainedTest, WhatHappensWhereNoRuleHoldsIsJoinedWithNothingElse) {
  RunOf run;
  run.AddEventsWhere(OneIn(5), Verdict::kFail, Verdict::kDeviates);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  for (const CauseGroup& group : groups) EXPECT_EQ(group.verdicts.size(), 1u);
}

TEST(UnexplainedTest, WrongAnswersInTwoPlacesAreTwoGroups) {
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
TEST(UnexplainedTest, TwoPlacesOfOneSymptomAreTwoGroups) {
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
TEST(UnexplainedTest, ACauseInThePlaceOfOthersIsAnAccident) {
  RunOf run;
  const auto wide = [](const Features& f) { return At(f, Feature::kWidth) == 9 && At(f, Feature::kInvalid) == 0; };
  run.Add("last-tap-skipped", [&](const Features& f) { return wide(f) && At(f, Feature::kChannels) >= 3; });
  run.AddWithoutCause(wide);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cause.id, "");
}

TEST(UnexplainedTest, ACauseBesideThePlaceOfOthersIsNone) {
  RunOf run;
  run.Add("last-tap-skipped", [](const Features& f) { return At(f, Feature::kWidth) == 8; });
  run.AddWithoutCause([](const Features& f) { return At(f, Feature::kWidth) == 9 && At(f, Feature::kInvalid) == 0; });
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].cause.id, "");
  EXPECT_EQ(groups[1].cause.id, "last-tap-skipped");
}

TEST(UnexplainedTest, ARuleThatTheSmallestProblemDoesNotFitHoldsForMostCases) {
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

TEST(UnexplainedTest, WhatHappensWhereOneRuleHoldsIsOneGroup) {
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

TEST(UnexplainedTest, TheLargestGroupIsTheFirst) {
  RunOf run;
  run.AddEvents(Verdict::kTimeout, "hung in run", 20);
  run.AddEvents(Verdict::kCrash, "received signal SIGSEGV in run", 30);
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].verdict, Verdict::kCrash);
  EXPECT_EQ(groups[0].number, 1);
}

}  // namespace
}  // namespace poolproof
