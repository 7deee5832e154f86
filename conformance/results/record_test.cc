// A record that is written and read again is the same.
#include "conformance/results/record.h"

#include <gtest/gtest.h>

#include "conformance/results/testing.h"

namespace poolproof {
namespace {

using reference::Entry;

Record AnyRecord() {
  Record record = RecordOf(TestCases(TestRequest()).front());
  record.judgement.verdict = Verdict::kPass;
  return record;
}

std::string TextOf(const Record& record) {
  std::string text;
  AppendRecord(record, {}, &text);
  return text;
}

// The record that was read is written as it was.
void CheckRoundTrip(const Record& record) {
  const std::string text = TextOf(record);
  Error error;
  const auto read = ParseRecord(BuiltInSpecs(), text, &error);
  ASSERT_TRUE(read) << error.message;
  EXPECT_EQ(TextOf(*read), text);
  EXPECT_EQ(read->function, record.function);
  EXPECT_EQ(read->elements, record.elements);
  EXPECT_EQ(read->section, record.section);
}

TEST(Record, APlainPassHasNothingButWhatItIs) {
  const Record record = AnyRecord();
  const std::string text = TextOf(record);
  EXPECT_EQ(text, "{\"n\":" + std::to_string(record.n) + ",\"id\":\"" + record.id + "\",\"line\":\"" + record.line +
                      "\",\"section\":\"examples\",\"verdict\":\"pass\"}\n");
  CaseLine line;
  EXPECT_TRUE(ReadPlainLine(std::string_view(text).substr(0, text.size() - 1), &line));
  EXPECT_EQ(line.id, record.id);
  CheckRoundTrip(record);
}

TEST(Record, EvidenceExplanationsAndFailuresComeBack) {
  Record proof = AnyRecord();
  proof.judgement.evidence = {{Entry::kTies, 1}, {Entry::kAvgIntegerRounding, 3, 0x10001}};
  proof.judgement.ulp = 0.25;
  CheckRoundTrip(proof);
  Record open = AnyRecord();
  open.judgement.candidates = {{{{Entry::kValidCeil, 1}}, {}}, {{}, {{Entry::kTies, 2, 7}}}};
  open.answer = "0123456789abcdef";
  CheckRoundTrip(open);
  Record deviates = AnyRecord();
  deviates.judgement.verdict = Verdict::kDeviates;
  deviates.judgement.deviations = {{Entry::kTies, 1}};
  deviates.judgement.deviation_text = "example-1-value";
  deviates.judgement.message = "quotes \" and \\ and \n and \xff";
  deviates.signature = "s";
  CheckRoundTrip(deviates);
  Record fails = AnyRecord();
  fails.judgement.verdict = Verdict::kFail;
  fails.judgement.message = std::string(5000, 'x');
  fails.causes.set(0);
  fails.causes.set(3);
  fails.answer = "0123456789abcdef";
  CheckRoundTrip(fails);
}

TEST(Record, WhatContradictsAnotherCaseIsAPassAgain) {
  Record record = AnyRecord();
  record.judgement.verdict = Verdict::kInconsistent;
  record.judgement.evidence = {{Entry::kTies, 1}};
  record.judgement.message = "m";
  record.with = "other";
  record.answer = "0123456789abcdef";
  record.signature = "ties";
  Error error;
  const auto read = ParseRecord(BuiltInSpecs(), TextOf(record), &error);
  ASSERT_TRUE(read) << error.message;
  EXPECT_EQ(read->judgement.verdict, Verdict::kPass);
  EXPECT_EQ(EvidenceWords(read->judgement), EvidenceWords(record.judgement));
  EXPECT_EQ(read->answer + read->signature + read->judgement.message, "");
}

TEST(Record, RefusesWhatIsNoCase) {
  Error error;
  EXPECT_FALSE(ParseRecord(BuiltInSpecs(), R"({"n":1,"id":"x","section":"random"})", &error));
  EXPECT_EQ(error.message, "a case without \"verdict\"");
  EXPECT_FALSE(ParseRecord(BuiltInSpecs(), R"({"n":1,"id":"NoOp f32","section":"random","verdict":"pass"})", &error));
  EXPECT_NE(error.message.find("NoOp"), std::string::npos) << error.message;
  EXPECT_FALSE(ParseRecord(BuiltInSpecs(), "[", &error));
}

}  // namespace
}  // namespace poolproof
