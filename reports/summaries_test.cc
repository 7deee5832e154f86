// JUnit, JSON, Markdown and badge hold what the results file holds, and are well formed.
#include <pugixml.hpp>
#include <regex>

#include "reports/testing.h"

namespace poolproof::reports {
namespace {

// The members that the common schema of JUnit files asks for.
void CheckSuite(const pugi::xml_node& suite) {
  uint64_t tests = 0, failures = 0, skipped = 0;
  for (const pugi::xml_node& test : suite.children("testcase")) {
    ++tests;
    EXPECT_STRNE(test.attribute("name").value(), "");
    EXPECT_STRNE(test.attribute("classname").value(), "");
    EXPECT_EQ(std::string(test.attribute("time").value()), "0");
    failures += test.child("failure") ? 1 : 0;
    skipped += test.child("skipped") ? 1 : 0;
    if (test.child("failure")) {
      EXPECT_TRUE(test.child("failure").attribute("message"));
      EXPECT_TRUE(test.child("failure").attribute("type"));
    }
  }
  EXPECT_EQ(suite.attribute("tests").as_ullong(), tests);
  EXPECT_EQ(suite.attribute("failures").as_ullong(), failures);
  EXPECT_EQ(suite.attribute("skipped").as_ullong(), skipped);
  EXPECT_EQ(std::string(suite.attribute("errors").value()), "0");
}

void CheckJunit(const std::string& text) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(text.data(), text.size());
  ASSERT_TRUE(parsed) << parsed.description();
  const pugi::xml_node suites = document.child("testsuites");
  uint64_t failures = 0;
  for (const pugi::xml_node& suite : suites.children("testsuite")) {
    CheckSuite(suite);
    failures += suite.attribute("failures").as_ullong();
  }
  EXPECT_EQ(suites.attribute("failures").as_ullong(), failures);
  for (const char c : text) {  // XML 1.0 has no other control characters
    ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') << int{c};
  }
  EXPECT_FALSE(std::regex_search(text, std::regex("&#(x0*1?[0-9a-f]|[0-9]|1[0-9]|2[0-9]|3[01]);")));
}

TEST(JunitTest, IsWellFormedAndCountsWhatItHolds) {
  CheckJunit(Junit(Read({MakeResults("junit.jsonl", "--cases 2000")})));
  CheckJunit(Junit(Read({MakeResults("junit_ok.jsonl", "--cases 200 --conforms")})));
}

TEST(JunitTest, HostileTextStaysText) {
  CheckJunit(Junit(Read({MakeResults("junit_hostile.jsonl", "--hostile --cases 300")})));
}

TEST(JunitTest, FailsWhereTheRunFails) {
  EXPECT_NE(Junit(Read({MakeResults("f.jsonl", "--cases 300")})).find("<failure"), std::string::npos);
  EXPECT_EQ(Junit(Read({MakeResults("g.jsonl", "--cases 300 --conforms")})).find("<failure"), std::string::npos);
}

TEST(SummaryTest, IsJsonWithTheCountsOfTheRun) {
  const Results results = Read({MakeResults("summary.jsonl", "--cases 2000")});
  const Json summary = Json::parse(JsonSummary(results));
  EXPECT_EQ(summary["cases"], 2000);
  EXPECT_EQ(summary["conforms"], false);
  EXPECT_EQ(summary["seed"], 1);
  EXPECT_EQ(summary["counts"]["fail"], results.runs[0].counts[Verdict::kFail]);
  EXPECT_EQ(summary["groups"][0]["title"], "The first row of a window is skipped");
}

TEST(SummaryTest, MarkdownEscapesMarkup) {
  const std::string text = Markdown(Read({MakeResults("md.jsonl", "--hostile --cases 300")}));
  // Outside of code, which shows everything as it is, no tag may be left.
  bool in_code = false, escaped = false;
  size_t tags = 0;
  for (const char c : text) {
    in_code ^= c == '`' && !escaped;
    escaped = c == '\\' && !escaped && !in_code;
    tags += c == '<' && !in_code ? 1 : 0;
  }
  EXPECT_EQ(tags, 0u);
  EXPECT_FALSE(in_code);
}

TEST(BadgeTest, IsSvgThatSaysTheVerdict) {
  pugi::xml_document document;
  const std::string good = Badge(Read({MakeResults("badge.jsonl", "--cases 200 --conforms")}));
  ASSERT_TRUE(document.load_buffer(good.data(), good.size()));
  EXPECT_EQ(std::string(document.child("svg").attribute("aria-label").value()),
            "poolproof: conforms in 196 of 200 cases");
  EXPECT_NE(Badge(Read({MakeResults("badge2.jsonl", "--cases 200")})).find(" new cases of "), std::string::npos);
}

// As the terminal does.
TEST(VerdictTest, OfFewCasesIsNotBare) {
  const auto word = [](const char* cases) {
    const Results results = Read({MakeResults("few.jsonl", std::string("--conforms --cases ") + cases)});
    return StringOr(VerdictView(results.runs.back()), "word");
  };
  EXPECT_EQ(word("200"), "Conforms, in too few cases to speak for an operator");
  EXPECT_EQ(word("20000"), "Conforms");
}

// A million cases would only take longer; what matters is that output does not grow with their number.
TEST(LargeTest, OutputDoesNotGrowWithTheNumberOfCases) {
  const size_t small = Html(Read({MakeResults("small.jsonl", "--cases 20000")})).size();
  const Results large = Read({MakeResults("large.jsonl", "--cases 200000")});
  EXPECT_EQ(large.runs[0].counts.Total(), 200000u);
  const size_t size = Html(large).size();
  EXPECT_LT(size, 20u << 20);
  EXPECT_LT(size, 10 * small);
  EXPECT_LT(Junit(large).size(), 1u << 20);
}

TEST(WriteTest, SaysWhyAFileCannotBeWritten) {
  Error error;
  EXPECT_FALSE(Write("text", "/nowhere/x.html", &error));
  EXPECT_EQ(error.message, "/nowhere/x.html: cannot be written: No such file or directory.");
}

}  // namespace
}  // namespace poolproof::reports
