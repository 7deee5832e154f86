// Rules that tell failing problems from right ones.
#include "conformance/diagnosis/rule.h"

#include <gtest/gtest.h>

#include <functional>

#include "conformance/cases/generate.h"
#include "conformance/cases/names.h"
#include "conformance/diagnosis/local_case.h"

namespace poolproof {
namespace {

Features With(std::initializer_list<std::pair<Feature, int64_t>> values) {
  Features features{};
  for (const auto& [feature, value] : values) features[static_cast<size_t>(feature)] = value;
  return features;
}

// Problems of all widths and numbers of channels up to 9 for which `inside` holds, and the others.
struct Problems {
  explicit Problems(const std::function<bool(int64_t width, int64_t channels)>& holds) {
    for (int64_t width = 1; width < 10; ++width) {
      for (int64_t channels = 1; channels < 10; ++channels) {
        (holds(width, channels) ? inside : outside)
            .push_back(With({{Feature::kWidth, width}, {Feature::kChannels, channels}}));
      }
    }
  }
  std::vector<Features> inside, outside;
};

TEST(RuleTest, FindsAThreshold) {
  WordNumbers words;
  const Problems problems([](int64_t width, int64_t) { return width >= 6; });
  const auto rule = FitRule(problems.inside, problems.outside, {});
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->Text(words), "width >= 6");
}

TEST(RuleTest, FindsTwoConditions) {
  WordNumbers words;
  const Problems problems([](int64_t width, int64_t channels) { return width >= 6 && channels <= 3; });
  const auto rule = FitRule(problems.inside, problems.outside, {});
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->literals.size(), 2u);
  for (const Features& f : problems.inside) EXPECT_TRUE(rule->Holds(f));
  for (const Features& f : problems.outside) EXPECT_FALSE(rule->Holds(f));
}

TEST(RuleTest, HasNoMoreConditionsThanAllowed) {
  const Problems problems([](int64_t width, int64_t channels) { return width >= 6 && channels <= 3; });
  EXPECT_TRUE(FitRule(problems.inside, problems.outside, {.most = 2}));
  EXPECT_FALSE(FitRule(problems.inside, problems.outside, {.most = 1}));
  EXPECT_FALSE(FitRule(problems.inside, problems.outside, {.most = 0}));
  EXPECT_TRUE(FitRule(problems.inside, {}, {.most = 0}));
}

TEST(RuleTest, NothingWhereNoShortRuleFits) {
  const Problems problems([](int64_t width, int64_t channels) { return (width + channels) % 2 == 0; });
  EXPECT_FALSE(FitRule(problems.inside, problems.outside, {}));
}

TEST(RuleTest, AlwaysWhereNothingIsRight) {
  const Problems problems([](int64_t, int64_t) { return true; });
  const auto rule = FitRule(problems.inside, problems.outside, {});
  ASSERT_TRUE(rule);
  EXPECT_TRUE(rule->literals.empty());
}

TEST(RuleTest, AFewExceptionsOnlyWhereAskedFor) {
  Problems problems([](int64_t width, int64_t) { return width >= 6; });
  problems.outside.push_back(With({{Feature::kWidth, 7}, {Feature::kChannels, 4}}));
  EXPECT_FALSE(FitRule(problems.inside, problems.outside, {}));
  EXPECT_TRUE(FitRule(problems.inside, problems.outside, {.spare = 1}));
  problems.outside.pop_back();
  problems.inside.push_back(With({{Feature::kWidth, 2}, {Feature::kChannels, 4}}));
  problems.inside.insert(problems.inside.end(), 20, problems.inside.front());
  EXPECT_TRUE(FitRule(problems.inside, problems.outside, {.share = kLooseShare}));
}

TEST(RuleTest, SaysChoicesFlagsAndNumbers) {
  using enum Literal::Sense;
  WordNumbers words;
  const int64_t f16 = words.Number("f16");
  const auto text = [&](Feature feature, Literal::Sense sense, int64_t value) {
    return Literal{feature, sense, value}.Text(words);
  };
  EXPECT_EQ(text(Feature::kType, kIs, f16), "type = f16");
  EXPECT_EQ(text(Feature::kType, kIsNot, f16), "type != f16");
  EXPECT_EQ(text(Feature::kRank, kIsNot, 5), "rank != 5");
  EXPECT_EQ(text(Feature::kWidthOddOf8, kIs, 1), "width mod 8 != 0");
  EXPECT_EQ(text(Feature::kWidthOddOf8, kIs, 0), "width mod 8 = 0");
  EXPECT_EQ(text(Feature::kFloat, kIs, 0), "not is_float");
  EXPECT_EQ(text(Feature::kLargestSize, kAtLeast, 5), "any(size >= 5)");
  EXPECT_EQ(text(Feature::kLargestSize, kAtMost, 5), "all(size <= 5)");
  EXPECT_EQ(text(Feature::kSmallestSize, kAtLeast, 5), "all(size >= 5)");
  EXPECT_EQ(text(Feature::kSmallestSize, kIs, 5), "all(size >= 5) and any(size = 5)");
}

// The text of a rule is read as a condition, and holds where the rule does.
TEST(RuleTest, TextHoldsWhereTheRuleDoes) {
  const Specs& specs = BuiltInSpecs();
  WordNumbers words;
  std::vector<std::pair<Problem, poolproof_tensor>> problems;
  std::vector<Features> features;
  for (uint64_t i = 0; problems.size() < 60; ++i) {
    const Problem problem = RandomProblem(specs, 7, i);
    Call call;
    const Features of = LocalCase::Describe(problem, {}, &call, &words);
    if (of[static_cast<size_t>(Feature::kInvalid)] != 0) continue;
    problems.emplace_back(problem, call.outputs[0]);
    features.push_back(of);
  }
  for (size_t f = 0; f < kFeatureCount; ++f) {
    for (const Features& of : features) {
      for (const auto sense : {Literal::Sense::kIs, Literal::Sense::kAtLeast, Literal::Sense::kAtMost}) {
        const Literal literal{static_cast<Feature>(f), sense, of[f]};
        const bool is_number = FactsOf(literal.feature).IsNumber();
        if (!is_number && sense != Literal::Sense::kIs) continue;
        Error error;
        const auto condition = expression::Expression::Condition(*specs.names, literal.Text(words), &error);
        ASSERT_TRUE(condition) << literal.Text(words) << ": " << error.message;
        for (size_t i = 0; i < problems.size(); ++i) {
          const ProblemSubject subject(*specs.names, problems[i].first, {}, &problems[i].second);
          if (condition->Holds(subject) == literal.Holds(features[i])) continue;
          // A name without value counts as a number in a rule, and holds of nothing in a condition.
          EXPECT_FALSE(condition->Holds(subject)) << literal.Text(words) << " of " << PrintLine(problems[i].first);
        }
      }
    }
  }
}

}  // namespace
}  // namespace poolproof
