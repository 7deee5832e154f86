// How the whole run resolves a case.

#include "conformance/results/finish.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

using reference::Entry;

Record Empty() {
  static const Function function;
  Record record;
  record.function = &function;
  return record;
}

Record Passing(Entry entry, uint32_t readings) {
  Record record = Empty();
  record.id = "case";
  record.judgement.verdict = Verdict::kPass;
  record.judgement.evidence = {{entry, readings}};
  return record;
}

TEST(Resolve, AnUnusualReadingOfASilenceIsInconsistentAndNamesTheProof) {
  const MajorityReadings majorities =
      FindMajorityReadings({{{"ties", 1}, {90, "a first"}}, {{"ties", 2}, {3, "a last"}}});
  Record usual = Passing(Entry::kTies, 1);
  EXPECT_EQ(Resolve(majorities, {}, {}, &usual), "");
  EXPECT_EQ(usual.judgement.verdict, Verdict::kPass);
  Record unusual = Passing(Entry::kTies, 2);
  EXPECT_EQ(Resolve(majorities, {}, {}, &unusual), "a first");
  EXPECT_EQ(unusual.judgement.verdict, Verdict::kInconsistent);
}

TEST(Resolve, AToleratedAnswerThatIsNoListedReadingContradictsNothing) {
  const MajorityReadings majorities = FindMajorityReadings({{{"ties", 1}, {9, "a"}}, {{"ties", 4}, {5, "b"}}});
  Record other = Passing(Entry::kTies, 4);
  EXPECT_EQ(Resolve(majorities, {}, {}, &other), "");
}

TEST(Resolve, AmongSeveralExplanationsTheOneThatOtherCasesSupportIsChosen) {
  Record record = Empty();
  record.judgement.verdict = Verdict::kDeviates;
  record.judgement.candidates = {{{{Entry::kValidCeil, 1}}, {}}, {{{Entry::kCeilPastEnd, 1}}, {}}};
  Resolve({}, {{"ceil-past-end=dropped", 500}}, {}, &record);
  EXPECT_EQ(record.signature, "ceil-past-end=dropped");
  EXPECT_EQ(record.judgement.verdict, Verdict::kDeviates);
}

TEST(Resolve, AnExplanationThatContradictsTheUsualReadingGivesWayToADeviation) {
  const MajorityReadings majorities = FindMajorityReadings({{{"avg-overhang", 1}, {200, "counted"}}});
  Record record = Empty();
  record.judgement.verdict = Verdict::kPass;
  record.judgement.candidates = {{{}, {{Entry::kAvgOverhang, 2}}}, {{{Entry::kAvgIncludeWithoutPads, 1}}, {}}};
  Resolve(majorities, {}, {}, &record);
  EXPECT_EQ(record.judgement.verdict, Verdict::kDeviates);
  EXPECT_EQ(record.signature, "avg-include-without-pads=excluded");
}

}  // namespace
}  // namespace poolproof
