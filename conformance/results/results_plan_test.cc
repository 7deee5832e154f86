// A results file together with its plan: every case in its place, or one sentence.
#include "conformance/results/results_plan.h"

#include <gtest/gtest.h>

#include "conformance/results/testing.h"

namespace poolproof {
namespace {

using reference::Entry;

// Passes with and without readings, two reasons for unsupported, failures.
void JudgeMixed(Record* record) {
  Judgement& judgement = record->judgement;
  if (record->n % 3 == 0) judgement.evidence = {{Entry::kTies, 1}};
  if (record->n % 5 == 0) judgement.evidence.clear();
  if (record->n % 5 == 0) judgement.verdict = Verdict::kUnsupported;
  if (record->n % 5 == 0) judgement.message = record->n % 2 == 0 ? "no even ones" : "no odd ones";
  if (record->n % 31 != 7) return;
  judgement = {};
  judgement.verdict = Verdict::kFail;
  record->signature = "s";
  record->answer = "0123456789abcdef";
}

class PlannedReaderTest : public testing::Test {
 protected:
  PlannedReaderTest() { TestRun(folder_.path(), TestRequest(), JudgeMixed); }

  // Why the file is refused once `from` in it is `to`; empty: it is not.
  std::string Why(const std::string& from, const std::string& to) {
    std::string text = ReadText(folder_.In("results.jsonl"));
    const size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    WriteText(folder_.In("other.jsonl"), text.replace(at, from.size(), to));
    Error error;
    CheckResults(BuiltInSpecs(), folder_.In("other.jsonl"), &error);
    return error.message;
  }

  TestFolder folder_;
};

TEST_F(PlannedReaderTest, HandsOutEachCaseAsItWasJudged) {
  PlannedReader reader;
  Error error;
  ASSERT_TRUE(reader.Open(BuiltInSpecs(), folder_.In("results.jsonl"), true, &error)) << error.message;
  std::string expected, read;
  for (const PlannedCase& planned : TestCases(TestRequest())) {
    Record record = RecordOf(planned);
    record.judgement.verdict = Verdict::kPass;
    JudgeMixed(&record);
    AppendRecord(record, {}, &expected);
    ASSERT_EQ(reader.Next(&error), PlannedReader::Item::kCase) << error.message;
    EXPECT_EQ(reader.planned().n, planned.n);
    AppendRecord(RecordOf(reader.planned(), reader.current()), {}, &read);
  }
  EXPECT_EQ(read, expected);
  PlannedReader::Item item = PlannedReader::Item::kCase;
  for (item = reader.Next(&error); item == PlannedReader::Item::kGroup;) item = reader.Next(&error);
  EXPECT_EQ(item, PlannedReader::Item::kFooter);
  EXPECT_EQ(reader.Next(&error), PlannedReader::Item::kEnd);
}

TEST_F(PlannedReaderTest, RefusesOtherCasesThanThoseOfThePlan) {
  EXPECT_EQ(Why("\"seed\":1", "\"seed\":1"), "");
  EXPECT_NE(Why("\"seed\":1", "\"seed\":2").find("of the plan is \""), std::string::npos);
  EXPECT_NE(Why("\"random\":200", "\"random\":201").find("of the plan is missing"), std::string::npos);
  EXPECT_NE(Why("\"random\":200", "\"random\":199").find("the plan"), std::string::npos);
  EXPECT_NE(Why("\"filter\":\"\"", "\"filter\":\"MaxPool-8\"").find("other.jsonl:"), std::string::npos);
}

TEST_F(PlannedReaderTest, RefusesOtherCasesOfWhichNoneHasALine) {
  TestRun(folder_.path(), TestRequest(), [](Record*) {});
  EXPECT_EQ(Why("\"seed\":1", "\"seed\":1"), "");
  EXPECT_NE(Why("\"seed\":1", "\"seed\":2").find("the digest of its cases is"), std::string::npos);
}

TEST_F(PlannedReaderTest, RefusesADigestOfOtherVerdicts) {
  const std::string text = ReadText(folder_.In("results.jsonl"));
  const size_t at = text.find("\"planned\":");
  const std::string digest = text.substr(text.find("\"digest\":\"", at), 20);
  std::string other = digest;
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_NE(Why(digest, other).find("the digest of its cases is"), std::string::npos);
}

TEST_F(PlannedReaderTest, AFileOfAnotherVersionIsReadWithoutItsPlan) {
  const std::string version = "\"version\":\"" POOLPROOF_VERSION "\"";
  EXPECT_EQ(Why(version, "\"version\":\"9.9\""), "");
  Error error;
  PlannedReader reader;
  EXPECT_FALSE(reader.Open(BuiltInSpecs(), folder_.In("other.jsonl"), true, &error));
  EXPECT_NE(error.message.find("was made by poolproof 9.9"), std::string::npos) << error.message;
  EXPECT_FALSE(EachCaseOfResults(BuiltInSpecs(), folder_.In("other.jsonl"), [](const CaseLine&) {}, &error));
  EXPECT_NE(error.message.find("not all of its cases have a line"), std::string::npos) << error.message;
}

TEST(CasesOfPlan, TakesTheNextCaseAlone) {
  CasesOfPlan cases(TestPlan(TestRequest()), false);
  const PlannedCase first = *cases.Peek();
  CaseLine c;
  const std::string place = std::to_string(first.n);
  c.n = first.n;
  c.id = "x";
  Error error;
  EXPECT_FALSE(cases.Take(c, &error));
  EXPECT_EQ(error.message, "case " + place + " of the plan is \"" + first.id + "\", not \"x\"");
  c.n = first.n + 1;
  EXPECT_FALSE(cases.Take(c, &error));
  EXPECT_EQ(error.message, "case " + place + " of the plan is missing before it: \"" + first.id + "\"");
  c.n = first.n;
  c.id = first.id;
  c.line = first.line;
  ASSERT_TRUE(cases.Take(c, &error)) << error.message;
  EXPECT_FALSE(cases.Take(c, &error));
  EXPECT_EQ(error.message, "case " + place + " is not in the plan that the header describes");
}

}  // namespace
}  // namespace poolproof
