// A rule of rounding is told by what it answers, whether it has a name or not.
#include "reference/rounding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/mean.h"
#include "reference/mli_mean.h"

namespace poolproof::reference {
namespace {

// The answers of `rule` to every small sum and divisor.
template <typename Rule>
uint32_t AnswersOf(Rule rule) {
  RoundingAnswers answers;
  for (int64_t divisor = 1; divisor <= 40; ++divisor) {
    for (int64_t sum = -50 * divisor; sum <= 50 * divisor; ++sum) {
      answers.Note(sum, divisor, static_cast<int64_t>(rule(sum, divisor)));
    }
  }
  return answers.answers;
}

bool IsOneRule(uint32_t answers) { return (answers & answers >> kRoundingQuestions) == 0; }

constexpr uint32_t kAllAnswered = (1u << kRoundingQuestions) - 1;

template <typename Rule>
void ExpectOneRule(Rule rule) {
  const uint32_t answers = AnswersOf(rule);
  EXPECT_TRUE(IsOneRule(answers)) << std::hex << answers;
  EXPECT_EQ((answers | answers >> kRoundingQuestions) & kAllAnswered, kAllAnswered);
}

TEST(RoundingAnswers, NamedRulesAreOneRuleEach) {
  for (const auto rounding : {AvgIntegerRounding::kTruncate, AvgIntegerRounding::kNearestEven,
                              AvgIntegerRounding::kNearestAway, AvgIntegerRounding::kFloor, AvgIntegerRounding::kUp}) {
    ExpectOneRule(
        [&](int64_t sum, int64_t divisor) { return static_cast<int64_t>(RoundQuotient(sum, divisor, rounding)); });
  }
  for (const auto rounding : {MliAverageRounding::kDivisionConvergent, MliAverageRounding::kDivisionUp,
                              MliAverageRounding::kReciprocalConvergent, MliAverageRounding::kReciprocalUp,
                              MliAverageRounding::kTruncate, MliAverageRounding::kNearestAway}) {
    ExpectOneRule([&](int64_t sum, int64_t divisor) { return MliQuotient(sum, divisor, rounding, -32768, 32767); });
  }
}

TEST(RoundingAnswers, SoAreRulesWithoutName) {
  // Half up, half down, half to odd, away from zero, through f32, through reciprocals.
  const auto quotient = [](int64_t sum, int64_t divisor) {
    return static_cast<double>(sum) / static_cast<double>(divisor);
  };
  ExpectOneRule([&](int64_t s, int64_t d) { return std::floor(quotient(s, d) + 0.5); });
  ExpectOneRule([&](int64_t s, int64_t d) { return std::ceil(quotient(s, d) - 0.5); });
  ExpectOneRule([&](int64_t s, int64_t d) {
    const double below = std::floor(quotient(s, d)), rest = quotient(s, d) - below;
    const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) == 0);
    return below + (up ? 1 : 0);
  });
  ExpectOneRule([&](int64_t s, int64_t d) { return s < 0 ? std::floor(quotient(s, d)) : std::ceil(quotient(s, d)); });
  ExpectOneRule(
      [](int64_t s, int64_t d) { return std::nearbyint(static_cast<float>(s) * (1.0f / static_cast<float>(d))); });
  ExpectOneRule([](int64_t s, int64_t d) {
    const int64_t reciprocal = ((int64_t{1} << 16) + d / 2) / d;
    return (s * reciprocal + (1 << 15)) >> 16;
  });
}

TEST(RoundingAnswers, TwoRulesAreNot) {
  const auto mixed = [](int64_t sum, int64_t divisor) {
    const auto rounding = divisor == 9 ? AvgIntegerRounding::kFloor : AvgIntegerRounding::kTruncate;
    return static_cast<int64_t>(RoundQuotient(sum, divisor, rounding));
  };
  EXPECT_FALSE(IsOneRule(AnswersOf(mixed)));
  const auto ties = [](int64_t sum, int64_t divisor) {
    const auto rounding = sum < 0 && divisor == 2 ? AvgIntegerRounding::kNearestAway : AvgIntegerRounding::kNearestEven;
    return static_cast<int64_t>(RoundQuotient(sum, divisor, rounding));
  };
  EXPECT_FALSE(IsOneRule(AnswersOf(ties)));
}

TEST(RoundingAnswers, ExactAndDistantAnswersSayNothing) {
  RoundingAnswers answers;
  answers.Note(9, 3, 3);
  answers.Note(7, 2, 5);
  answers.Note(1, 1000, 0);
  answers.Note(1'000'001, 2, 500'000);
  EXPECT_EQ(answers.answers, 0u);
  answers.Note(7, 2, 4);
  EXPECT_NE(answers.answers, 0u);
}

}  // namespace
}  // namespace poolproof::reference
