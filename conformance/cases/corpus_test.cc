#include "conformance/cases/corpus.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "conformance/cases/plan.h"

namespace poolproof {
namespace {

Problem Read(std::string_view line) {
  Error error;
  auto problem = ParseLine(BuiltInSpecs(), line, &error);
  EXPECT_TRUE(problem) << error.message;
  return problem.value_or(Problem());
}

std::string Drawn(const Corpus& corpus, uint64_t index) {
  Choices choices(index);
  const auto problem = corpus.Draw(index, choices);
  return problem ? PrintLine(*problem) : "";
}

TEST(CorpusTest, ServesIndicesThatNobodyHadClaimed) {
  const Problem first = Read("MaxPool-1 f32 in=1x1x4x4 k=2"), second = Read("MaxPool-1 f32 in=1x1x5x5 k=3");
  Corpus corpus;
  corpus.Claim(100);
  corpus.Add(first);
  EXPECT_EQ(Drawn(corpus, 99), "");
  EXPECT_EQ(Drawn(corpus, 100), PrintLine(first));
  corpus.Claim(50);  // another lane is behind
  corpus.Claim(200);
  corpus.Add(second);
  std::set<std::string> drawn;
  for (uint64_t index = 100; index < 300; ++index) {
    EXPECT_TRUE(index >= 200 || Drawn(corpus, index) == PrintLine(first)) << index;
    drawn.insert(Drawn(corpus, index));
  }
  EXPECT_EQ(drawn, (std::set{PrintLine(first), PrintLine(second)}));
  ASSERT_EQ(corpus.Size(), 2u);
  EXPECT_EQ(corpus.Entries()[0].from, 100u);
  EXPECT_EQ(corpus.Entries()[1].from, 200u);
}

TEST(CorpusTest, StaysWithinALineOfResults) {
  const Problem problem = Read("MaxPool-1 f32 in=1x1x4x4 k=2");
  Corpus corpus;
  size_t before = 0;
  do {
    before = corpus.Size();
    corpus.Add(problem);
  } while (corpus.Size() > before);
  EXPECT_GT(before * PrintLine(problem).size(), Corpus::kMaxBytes / 4);
  EXPECT_LT(before * PrintLine(problem).size(), Corpus::kMaxBytes);
  EXPECT_EQ(Drawn(corpus, 0), PrintLine(problem));
}

TEST(CorpusTest, APlanMadeAgainDrawsTheSame) {
  PlanOptions options;
  options.level = Level::kFuzz;
  options.random_count = 4000;
  Error error;
  const auto led = Plan::Make(BuiltInSpecs(), options, &error);
  ASSERT_TRUE(led) << error.message;
  led->corpus()->Claim(1000);
  led->corpus()->Add(Read("MaxPool-1 f32 in=1x1x9x9 k=4x5 s=3x7 pb=3x2 pe=1x3"));
  PlanOptions again_options = options;
  again_options.corpus = led->corpus()->Entries();
  const auto again = Plan::Make(BuiltInSpecs(), again_options, &error);
  const auto plain = Plan::Make(BuiltInSpecs(), options, &error);
  ASSERT_TRUE(again && plain) << error.message;
  int near = 0;
  for (uint64_t n = led->FixedSize(); n < led->Size(); ++n) {
    PlannedCase a, b, c;
    ASSERT_TRUE(led->Get(n, &a) && again->Get(n, &b) && plain->Get(n, &c));
    ASSERT_EQ(a.line, b.line);
    ASSERT_TRUE(n >= led->FixedSize() + 1000 || a.line == c.line);
    near += a.line.find("s=3x7") != a.line.npos;
  }
  EXPECT_GT(near, 1000);
}

}  // namespace
}  // namespace poolproof
