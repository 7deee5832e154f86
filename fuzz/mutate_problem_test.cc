// The mutator keeps a fuzzer among problems that compute something, and reaches all of them.
#include "conformance/cases/mutate.h"

#include <gtest/gtest.h>

#include <set>

#include "conformance/cases/generate.h"
#include "conformance/cases/valid.h"
#include "fuzz/problem_from_bytes.h"

namespace poolproof::fuzz {
namespace {

Problem Decode(std::string_view text) {
  return ProblemFromBytes(BuiltInSpecs(), reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

TEST(ProblemFromBytesTest, LinesAreProblems) {
  const std::string line = "MaxPool-8 f32 in=1x1x4x4 k=2 s=1 pb=0 pe=0 fill=ties seed=3";
  EXPECT_EQ(PrintLine(Decode(line)), line);
  EXPECT_EQ(PrintLine(Decode(line + "\nwhat follows is of no meaning")), line);
}

TEST(ProblemFromBytesTest, OtherBytesAreValidProblems) {
  for (std::string_view text : {"", "x", "MaxPool-8 f32 in=", "\xff\xfe\xfd\xfc\xfb\xfa"}) {
    EXPECT_TRUE(IsValid(Decode(text))) << text;
  }
}

TEST(MutateProblemTest, MostMutationsAreValidAndNew) {
  Choices choices(uint64_t{1});
  std::set<std::string> lines, operators;
  std::set<poolproof_element_type> types;
  int valid = 0, explicit_data = 0;
  Problem problem = RandomProblem(BuiltInSpecs(), 1, 0);
  constexpr int kSteps = 5000;
  for (int i = 0; i < kSteps; ++i) {
    Problem next = MutateProblem(BuiltInSpecs(), problem, choices);
    valid += IsValid(next);
    explicit_data += !next.data.empty();
    lines.insert(PrintLine(next));
    operators.insert(next.spec->id);
    types.insert(next.type);
    Error error;
    const auto read = ParseLine(BuiltInSpecs(), PrintLine(next), &error);
    ASSERT_TRUE(read) << error.message;
    ASSERT_EQ(PrintLine(*read), PrintLine(next));
    problem = std::move(next);
  }
  EXPECT_GT(valid, kSteps * 85 / 100);
  EXPECT_LT(valid, kSteps);
  EXPECT_GT(explicit_data, kSteps / 100);
  EXPECT_GT(lines.size(), kSteps * 8u / 10);
  EXPECT_EQ(operators.size(), BuiltInSpecs().operators.size());
  EXPECT_EQ(types.size(), 14u);
}

// An empty shape breaks rules, and is a line that a fuzzer meets.
TEST(MutateProblemTest, ShapesMayBeEmpty) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    Choices choices(uint64_t{1});
    Problem problem = RandomProblem(spec, spec.functions.front(), choices);
    problem.shape.size = 0;
    problem.data.clear();
    for (uint64_t seed = 0; seed < 500; ++seed) {
      Choices more(seed);
      EXPECT_FALSE(PrintLine(MutateProblem(BuiltInSpecs(), problem, more)).empty());
    }
  }
}

TEST(MutateProblemTest, EqualDecisionsGiveEqualProblems) {
  const Problem problem = RandomProblem(BuiltInSpecs(), 1, 5);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Choices first(seed), second(seed);
    EXPECT_EQ(PrintLine(MutateProblem(BuiltInSpecs(), problem, first)),
              PrintLine(MutateProblem(BuiltInSpecs(), problem, second)));
  }
}

TEST(CrossProblemsTest, TakesFromBoth) {
  const Problem a = Decode("MaxPool-8 f32 in=1x1x9x9 k=2 s=1 pb=0 pe=0 fill=ties seed=3");
  const Problem b = Decode("MaxPool-8 f16 in=1x1x8x8 k=3 s=2 pb=1 pe=1 fill=random seed=4");
  std::set<std::string> lines;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Choices choices(seed);
    const Problem crossed = CrossProblems(BuiltInSpecs(), a, b, choices);
    EXPECT_TRUE(IsValid(crossed)) << PrintLine(crossed);
    lines.insert(PrintLine(crossed));
  }
  EXPECT_GT(lines.size(), 8u);
}

}  // namespace
}  // namespace poolproof::fuzz
