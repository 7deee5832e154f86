// Headers: how another run differs, and which readings were selected.
#include "conformance/results/header.h"

#include <gtest/gtest.h>

#include "conformance/results/testing.h"

namespace poolproof {
namespace {

Json HeaderOf(const RunRequest& request) { return MakeHeader(BuiltInSpecs(), request, BackendInfo{"b", "1", 0, {}}); }

TEST(Header, NamesTheFirstDifferenceOfARun) {
  const Json header = HeaderOf(TestRequest());
  EXPECT_EQ(HeaderDifference(header, Json::parse(Line(header))), "");
  EXPECT_EQ(HeaderDifference(header, HeaderOf(TestRequest(2))), "seed was 1, is 2");
  RunRequest other = TestRequest();
  other.plan.filter = "AvgPool-1";
  EXPECT_EQ(HeaderDifference(header, HeaderOf(other)), "filter was \"\", is \"AvgPool-1\"");
  other = TestRequest();
  other.jobs = 7;
  EXPECT_EQ(HeaderDifference(header, HeaderOf(other)), "");
  Json specs = header;
  specs["specs"]["digest"] = "other";
  EXPECT_EQ(HeaderDifference(header, specs), "the specs have changed");
}

TEST(Header, ReadingsAreThoseOfTheProfileAndTheOverrides) {
  Error error;
  const auto selection = SelectReadings("documented", {{"ties", "last"}}, &error);
  ASSERT_TRUE(selection) << error.message;
  EXPECT_EQ(reference::ReadingNames(reference::Entry::kTies)[selection->readings[reference::Entry::kTies]], "last");
  RunRequest request = TestRequest();
  request.reading_overrides = {{"ties", "last"}};
  EXPECT_EQ(SelectReadings(HeaderOf(request), &error)->readings[reference::Entry::kTies],
            selection->readings[reference::Entry::kTies]);
  EXPECT_FALSE(SelectReadings("documented", {{"ties", "middle"}}, &error));
  EXPECT_EQ(error.message, "--reading: the ledger has no ties=middle that can be selected.");
  EXPECT_FALSE(SelectReadings("documented", {{"ties", "lst"}}, &error));
  EXPECT_EQ(error.message, "--reading: the ledger has no ties=lst that can be selected; is last meant?");
  EXPECT_FALSE(SelectReadings("documented", {{"tise", "last"}}, &error));
  EXPECT_EQ(error.message, "--reading: the ledger has no tise=last that can be selected; is ties meant?");
  EXPECT_FALSE(SelectReadings("opnvino", {}, &error));
  EXPECT_TRUE(error.message.ends_with("; is openvino meant?")) << error.message;
  EXPECT_FALSE(SelectReadings("none", {}, &error));
  EXPECT_NE(error.message.find("there is no profile \"none\""), std::string::npos);
}

TEST(Footer, CountsAreThoseOfTheTally) {
  RunResult result;
  Record record = RecordOf(TestCases(TestRequest()).front());
  record.judgement.verdict = Verdict::kPass;
  result.tally.Add(record);
  record.judgement.verdict = Verdict::kUnsupported;
  result.tally.Add(record);
  const Json footer = MakeFooter(result)["footer"];
  EXPECT_EQ(footer["planned"], 2);
  EXPECT_EQ(footer["counts"], (Json{{"pass", 1}, {"unsupported", 1}}));
}

}  // namespace
}  // namespace poolproof
