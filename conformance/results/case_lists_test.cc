// Cases without a line: which they are, and that lists and counts say all of them.
#include "conformance/results/case_lists.h"

#include <gtest/gtest.h>

#include "conformance/results/testing.h"

namespace poolproof {
namespace {

using reference::Entry;

class CaseListsTest : public testing::Test {
 protected:
  // The next random case of the plan.
  Record Next() {
    PlannedCase planned;
    while (!plan_.Get(next_++, &planned) || planned.section != Section::kRandom) {
    }
    Record record = RecordOf(planned);
    record.judgement.verdict = Verdict::kPass;
    return record;
  }

  const Plan plan_ = TestPlan(TestRequest());
  uint64_t next_ = 0;
};

TEST_F(CaseListsTest, ListsWhatPassesAlikeAndNamesWhatDoesNot) {
  CaseLists lists(Json(), {});
  std::vector<uint64_t> first, bare;
  for (int i = 0; i < 60; ++i) {
    Record record = Next();
    Judgement& judgement = record.judgement;
    if (i % 3 == 0) judgement.evidence = {{Entry::kTies, 1}};
    if (i % 3 == 0) first.push_back(record.n);
    if (i % 3 == 1) judgement.evidence = {{Entry::kAvgIntegerRounding, 2, i % 2 == 0 ? 5u : 0u}, {Entry::kTies, 1}};
    if (i % 3 == 2) bare.push_back(record.n);
    if (i == 40 || i == 41) judgement.verdict = i == 40 ? Verdict::kFail : Verdict::kPass;
    if (i == 41) judgement.candidates = {{{}, {{Entry::kTies, 1}}}};
    lists.Add(record);
  }
  EXPECT_EQ(lists.listed().size(), 2u);
  AlikeCases cases;
  std::istringstream lines(lists.AlikeLines());
  size_t classes = 0;
  for (std::string text; std::getline(lines, text); ++classes) {
    AlikeLine line;
    Error error;
    ASSERT_TRUE(ReadAlikeLine(Json::parse(text), &line, &error)) << error.message;
    cases.Add(std::move(line));
  }
  EXPECT_EQ(classes, 2u);
  std::vector<uint64_t> ties, rounding, rounded;
  while (const auto place = cases.Place()) {
    CaseLine c;
    cases.Take(&c);
    EXPECT_EQ(c.explained.readings.at("ties"), EvidenceText(Entry::kTies, 1));
    (c.explained.readings.size() == 1 ? ties : rounding).push_back(*place);
    if (c.explained.rounds.contains("avg-integer-rounding")) rounded.push_back(*place);
  }
  EXPECT_EQ(ties, first);
  EXPECT_EQ(rounding.size(), 19u);  // of twenty one fails
  EXPECT_EQ(rounded.size(), 9u);
}

TEST_F(CaseListsTest, WhatTheBaselineConcernsHasALine) {
  const Record one = Next(), other = Next();
  CaseLists lists(Json(), [&](std::string_view id) { return id == one.id; });
  lists.Add(one);
  lists.Add(other);
  EXPECT_EQ(lists.listed(), std::vector<uint64_t>{one.n});
}

TEST_F(CaseListsTest, CountsSayWhatHasAnAnswer) {
  CaseLists lists(Json(), {});
  Record lacks = Next();
  lacks.judgement = {};
  lacks.judgement.verdict = Verdict::kUnsupported;
  lacks.judgement.message = "no kernel";
  lists.Add(lacks);
  const std::string type(ElementTypeName(lacks.type));
  EXPECT_EQ(lists.counts().HasAnswer(lacks.function->name, type), false);
  EXPECT_EQ(lists.counts().HasAnswer("NoOp", type), std::nullopt);
  EXPECT_EQ(lists.Operators().NotThere(), lacks.function->name + " (1 case)");
  const CaseLine plain = LineOf([&] {
    Record pass = lacks;
    pass.judgement = {};
    pass.judgement.verdict = Verdict::kPass;
    return pass;
  }());
  lists.AddPlainPass(plain);
  EXPECT_EQ(lists.counts().HasAnswer(lacks.function->name, type), true);
  EXPECT_EQ(lists.Operators().NotThere(), "");
  EXPECT_NE(lists.AlikeLines().find("\"message\":\"no kernel\""), std::string::npos);
}

TEST_F(CaseListsTest, DigestSeesPlaceIdAndVerdict) {
  const auto digest = [](uint64_t n, std::string_view id, Verdict verdict) {
    CasesDigest all;
    all.Add(0, "a", Verdict::kPass);
    all.Add(n, id, verdict);
    return all.Text();
  };
  const std::string whole = digest(1, "b", Verdict::kPass);
  EXPECT_EQ(whole, digest(1, "b", Verdict::kPass));
  EXPECT_NE(whole, digest(2, "b", Verdict::kPass));
  EXPECT_NE(whole, digest(1, "c", Verdict::kPass));
  EXPECT_NE(whole, digest(1, "b", Verdict::kUnsupported));
}

}  // namespace
}  // namespace poolproof
