// Counts, classes and evidence of records.
#include "conformance/results/tally.h"

#include <gtest/gtest.h>

#include "conformance/results/testing.h"

namespace poolproof {
namespace {

using reference::Entry;

// The case at a place of its own plan.
Record RecordAt(size_t place, Verdict verdict, const std::string& signature = "") {
  static const std::vector<PlannedCase> cases = TestCases(TestRequest());
  Record record = RecordOf(cases[place]);
  record.n = place;
  record.judgement.verdict = verdict;
  record.signature = signature;
  record.answer = "00000000000000" + std::to_string(10 + place);
  return record;
}

TEST(Tally, ClassesAreWhatCasesHaveInCommon) {
  Tally tally;
  EXPECT_EQ(tally.Add(RecordAt(0, Verdict::kPass)), 0);
  EXPECT_EQ(tally.Add(RecordAt(1, Verdict::kFail, "a")), 1);
  EXPECT_EQ(tally.Add(RecordAt(2, Verdict::kFail, "b")), 2);
  EXPECT_EQ(tally.Add(RecordAt(3, Verdict::kFail, "a")), 1);
  Record caused = RecordAt(4, Verdict::kFail, "a");
  caused.causes.set(2);
  EXPECT_EQ(tally.Add(caused), 3);
  EXPECT_EQ(tally.counts()[static_cast<size_t>(Verdict::kFail)], 4u);
  const FailureClass& group = tally.classes()[0];
  EXPECT_EQ(group.cases, 2u);
  ASSERT_EQ(group.members.size(), 2u);
  EXPECT_EQ(group.members[1].n, 3u);
  EXPECT_EQ(group.members[1].answer, 0x13u);
  EXPECT_EQ(group.first_n, 1u);
}

TEST(Tally, TheSmallestCaseStandsForItsClass) {
  Tally tally;
  Record large = RecordAt(1, Verdict::kFail, "a"), small = RecordAt(2, Verdict::kFail, "a");
  large.elements = 10;
  small.elements = 3;
  small.judgement.message = "m";
  tally.Add(large);
  tally.Add(small);
  EXPECT_EQ(tally.classes()[0].smallest_id, small.id);
  EXPECT_EQ(tally.classes()[0].message, "m");
}

TEST(Tally, EvidenceIsCountedAsFarAsAllExplanationsHaveIt) {
  Tally tally;
  Record proof = RecordAt(0, Verdict::kPass), open = RecordAt(1, Verdict::kPass);
  proof.judgement.evidence = {{Entry::kTies, 1}, {Entry::kAvgIntegerRounding, 1, 0b101}};
  open.judgement.evidence = {{Entry::kTies, 2}};
  open.judgement.candidates = {{{}, {{Entry::kTies, 2}}}, {{}, {{Entry::kTies, 1}}}};
  tally.Add(proof);
  tally.Add(open);
  EXPECT_EQ(tally.ambiguous(), 1u);
  EXPECT_EQ(tally.evidence().size(), 3u);
  EXPECT_EQ(tally.evidence().at({"ties", 1}).example, proof.id);
  EXPECT_EQ(tally.evidence().at({"ties", 3}).example, open.id);
  EXPECT_EQ(tally.answers().size(), 2u);
  EXPECT_EQ(tally.answers().at({"avg-integer-rounding", 2}).cases, 1u);
}

// Subnormal numbers may be read in another way in each type, NaN may not.
TEST(Tally, ReadingsOfATypeAreThoseOfAllOfItsCases) {
  constexpr uint32_t kKept = 1, kFlushed = 0b1110, kOutputs = 0b1000;
  Tally tally;
  const auto add = [&tally](poolproof_element_type type, Entry entry, uint32_t readings) {
    Record record = RecordAt(0, Verdict::kPass);
    record.type = type;
    record.judgement.evidence = {{entry, readings}};
    tally.Add(record);
  };
  add(POOLPROOF_F32, Entry::kSubnormals, kFlushed);
  add(POOLPROOF_F32, Entry::kSubnormals, kOutputs);
  add(POOLPROOF_F16, Entry::kSubnormals, kKept);
  add(POOLPROOF_F32, Entry::kNan, 1);
  EXPECT_EQ(ReadingsByType(tally, Entry::kSubnormals),
            (std::map<std::string, uint32_t>{{"f16", kKept}, {"f32", kOutputs}}));
  EXPECT_TRUE(ReadingsByType(tally, Entry::kNan).empty());
  add(POOLPROOF_F16, Entry::kSubnormals, kFlushed);
  EXPECT_TRUE(ReadingsByType(tally, Entry::kSubnormals).empty());
}

TEST(Tally, TheLargestDistanceIsKept) {
  Tally tally;
  Record near = RecordAt(0, Verdict::kPass), far = RecordAt(0, Verdict::kPass);
  near.judgement.ulp = 0.25;
  far.judgement.ulp = 0.75;
  tally.Add(far);
  tally.Add(near);
  ASSERT_EQ(tally.ulp().size(), 1u);
  EXPECT_EQ(tally.ulp().begin()->second, 0.75);
  tally.AddUlp(tally.ulp().begin()->first, 0.5);
  EXPECT_EQ(tally.ulp().begin()->second, 0.75);
}

TEST(Tally, ARareReadingHasADistanceOfItsOwn) {
  using reference::Entry;
  const auto type = 1u << static_cast<unsigned>(reference::MeanAccumulation::kType);
  EXPECT_EQ(RareReading(Entry::kMeanAccumulation, type), "type");
  EXPECT_FALSE(RareReading(Entry::kMeanAccumulation, 1));
  EXPECT_FALSE(RareReading(Entry::kMeanAccumulation, type | 1));
  EXPECT_FALSE(RareReading(Entry::kTies, 2));
  Tally tally;
  Record record = RecordAt(0, Verdict::kPass);
  record.judgement.ulp = 120;
  record.judgement.evidence = {{Entry::kMeanAccumulation, type}};
  tally.Add(record);
  EXPECT_EQ(tally.ulp().at("mean-accumulation=type"), 120);
  EXPECT_EQ(tally.rare().at("mean-accumulation=type"), (Tally::ByFunction{{record.function->name, {record.n}}}));
}

TEST(Tally, APlainPassIsCountedFromItsLine) {
  Tally by_line, by_record;
  Record record = RecordAt(0, Verdict::kPass);
  record.answer.clear();
  by_record.Add(record);
  by_line.AddPlainPass(LineOf(record));
  EXPECT_EQ(by_line.planned(), 1u);
  EXPECT_EQ(by_line.lists().listed(), by_record.lists().listed());
  EXPECT_EQ(by_line.lists().digest().Text(), by_record.lists().digest().Text());
}

}  // namespace
}  // namespace poolproof
