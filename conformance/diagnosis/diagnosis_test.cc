// Causes of runs whose backend is wrong in a way that is known here.
#include "conformance/diagnosis/diagnosis.h"

#include <gtest/gtest.h>

#include <set>

#include "conformance/diagnosis/clause.h"
#include "conformance/diagnosis/run_of.h"
#include "conformance/format/verdict.h"

namespace poolproof {
namespace {

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

// Names that one of two causes that explain as much which accepts less of what the backend does not have.
TEST(DiagnosisTest, OfTwoCausesTheOneIsNamedThatAcceptsLess) {
  RunOf run;
  run.AddAccepted("accepts-kernel-beyond-by-less-than-stride", "accepts-kernel-beyond-input");
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cause.id, "accepts-kernel-beyond-by-less-than-stride");
}

// Errors are told from wrong values by their name, and by what the library says of them.
TEST(DiagnosisTest, ErrorsInPlaceOfAnswersHaveAName) {
  RunOf run;
  run.AddEventsWhere([](const Features& f) { return At(f, Feature::kWidth) == 5; }, Verdict::kFail, Verdict::kFail,
                     "any|1 0");
  run.AddWithoutCause([](const Features& f) { return At(f, Feature::kWidth) == 6; });
  const std::vector<CauseGroup> groups = run.Find();
  ASSERT_EQ(groups.size(), 2u);
  for (const CauseGroup& group : groups) EXPECT_EQ(group.cause.id, group.where == "width = 5" ? kErrorCause : "");
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

// A cause would break them, but their answers are those of another reading, to the bit.
TEST(DiagnosisTest, WhatReadsOtherwiseIsNotPutToACause) {
  RunOf run;
  const uint64_t deviating = run.AddDeviating("same-stride=ceil-div");
  run.Add("pads-swapped", Always);
  const std::vector<CauseGroup> groups = run.Find();
  const auto reads = std::ranges::find(groups, "same-stride=ceil-div", &CauseGroup::reading);
  ASSERT_NE(reads, groups.end());
  EXPECT_EQ(reads->verdicts, (std::map<Verdict, uint64_t>{{Verdict::kDeviates, deviating}}));
}

TEST(DiagnosisTest, WhatACauseLeavesRightIsNotPutToIt) {
  constexpr uint64_t kBroken = 40, kLeft = 12;
  RunOf run;
  run.AddMixed("pads-swapped", kBroken, kLeft);
  run.Add("pads-swapped", Always);
  std::map<std::string, uint64_t> cases;
  for (const CauseGroup& group : run.Find()) cases[group.cause.id] += group.cases;
  EXPECT_EQ(cases, (std::map<std::string, uint64_t>{{"pads-swapped", run.Failing()}, {"", kLeft}}));
}

// They stand with another cause that breaks them: two mistakes in one case have the answer of neither.
TEST(DiagnosisTest, WhatACauseLeavesRightIsPutToOneThatBreaksIt) {
  RunOf run;
  run.AddMixed("maximum-starts-at-zero", 200, 60, "strides-reversed");
  run.Add("maximum-starts-at-zero", Always);
  run.Add("strides-reversed", Always);
  std::set<std::string> named;
  for (const CauseGroup& group : run.Find()) named.insert(group.cause.id);
  EXPECT_EQ(named, (std::set<std::string>{"maximum-starts-at-zero", "strides-reversed"}));
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
