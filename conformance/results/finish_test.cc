// How the whole run resolves a case.

#include "conformance/results/finish.h"

#include <gtest/gtest.h>

#include "conformance/results/answer.h"

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

// A case that the backend refuses, which the reading `reading` of pads-required or of another entry would excuse.
Record Refused(const std::vector<Choice>& deviations) {
  static const OperatorSpec spec = [] {
    OperatorSpec made;
    made.id = "max_pool_1";
    return made;
  }();
  Result refusal;
  refusal.status = POOLPROOF_INVALID_ARGUMENT;
  Record record = Empty();
  record.spec = &spec;
  record.answer = AnswerDigest(POOLPROOF_INVALID_ARGUMENT, refusal, {});
  record.judgement.verdict = Verdict::kDeviates;
  record.judgement.deviations = deviations;
  return record;
}

const RefutedReadings kPadsAreOptional = FindRefutedReadings({{{"pads-required", 1}, {3, "accepted"}}});

TEST(RejectExcuse, ARefusalIsNotExcusedByAReadingThatAnAcceptedCaseRefutes) {
  Record record = Refused({{Entry::kPadsRequired, 1}});
  RejectExcuse(kPadsAreOptional, &record);
  EXPECT_EQ(record.judgement.verdict, Verdict::kWronglyRejected);
  EXPECT_EQ(record.signature, "max_pool_1|");
  EXPECT_NE(record.judgement.message.find("\"accepted\""), std::string::npos);
  EXPECT_TRUE(record.judgement.deviations.empty());
}

TEST(RejectExcuse, WhatNothingRefutesAndWhatIsNoRefusalStaysADeviation) {
  Record other = Refused({{Entry::kWindowBeyondCeil, 1}}), computed = Refused({{Entry::kPadsRequired, 1}});
  computed.answer = "0123456789abcdef";
  for (Record* record : {&other, &computed}) {
    RejectExcuse(kPadsAreOptional, record);
    EXPECT_EQ(record->judgement.verdict, Verdict::kDeviates);
  }
  EXPECT_TRUE(FindRefutedReadings({{{"pads-required", 3}, {1, "either"}}, {{"ties", 1}, {9, "a silence"}}}).empty());
}

TEST(RejectExcuse, OfSeveralExplanationsThatWhichNothingRefutesHolds) {
  Record record = Refused({});
  record.judgement.candidates = {{{{Entry::kPadsRequired, 1}}, {}}, {{{Entry::kWindowBeyondCeil, 1}}, {}}};
  DropRefuted(kPadsAreOptional, &record);
  Resolve({}, {{"pads-required=required", 500}}, {}, &record);
  RejectExcuse(kPadsAreOptional, &record);
  EXPECT_EQ(record.judgement.verdict, Verdict::kDeviates);
  EXPECT_EQ(record.signature, "window-beyond-ceil=reject");
}

}  // namespace
}  // namespace poolproof
