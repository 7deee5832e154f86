// Rules that tell failing problems from right ones.
#include "conformance/diagnosis/rule.h"

#include <gtest/gtest.h>

#include <functional>

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
  Vocabulary words;
  const Problems problems([](int64_t width, int64_t) { return width >= 6; });
  const auto rule = FitRule(problems.inside, problems.outside, {});
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->Text(words), "width is 6 or more");
}

TEST(RuleTest, FindsTwoConditions) {
  Vocabulary words;
  const Problems problems([](int64_t width, int64_t channels) { return width >= 6 && channels <= 3; });
  const auto rule = FitRule(problems.inside, problems.outside, {});
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->literals.size(), 2u);
  for (const Features& f : problems.inside) EXPECT_TRUE(rule->Holds(f));
  for (const Features& f : problems.outside) EXPECT_FALSE(rule->Holds(f));
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
  EXPECT_TRUE(FitRule(problems.inside, problems.outside, {.loose = true}));
}

TEST(RuleTest, SaysChoicesAndFlags) {
  Vocabulary words;
  const int64_t f16 = words.Number("f16");
  EXPECT_EQ((Literal{Feature::kType, Literal::Sense::kIs, f16}.Text(words)), "the type is f16");
  EXPECT_EQ((Literal{Feature::kType, Literal::Sense::kIsNot, f16}.Text(words)), "the type is not f16");
  const int64_t none = words.Number("");
  EXPECT_EQ((Literal{Feature::kRounding, Literal::Sense::kIs, none}.Text(words)), "rounding is not given");
  EXPECT_EQ((Literal{Feature::kRounding, Literal::Sense::kIsNot, none}.Text(words)), "rounding is given");
  EXPECT_EQ((Literal{Feature::kWidthOddOf8, Literal::Sense::kIs, 1}.Text(words)), "width is no multiple of 8");
  EXPECT_EQ((Literal{Feature::kFloat, Literal::Sense::kIs, 0}.Text(words)), "the type is an integer");
}

}  // namespace
}  // namespace poolproof
