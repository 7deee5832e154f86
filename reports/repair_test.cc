#include "reports/repair.h"

#include "reports/testing.h"

namespace poolproof::reports {
namespace {

TEST(RepairTest, EveryPairOfOutcomesHasItsEffect) {
  const auto of = [](Verdict before, Verdict after) {
    return EffectOf(static_cast<Outcome>(before), static_cast<Outcome>(after));
  };
  using enum Verdict;
  EXPECT_EQ(of(kPass, kPass), std::nullopt);
  EXPECT_EQ(of(kUnsupported, kPass), std::nullopt);
  EXPECT_EQ(of(kUnsupported, kUnsupported), std::nullopt);
  EXPECT_EQ(of(kFail, kPass), Effect::kRepaired);
  EXPECT_EQ(of(kWronglyRejected, kPass), Effect::kRepaired);
  EXPECT_EQ(of(kFail, kFail), Effect::kMissed);
  EXPECT_EQ(of(kCrash, kFail), Effect::kMissed);
  EXPECT_EQ(of(kCrash, kWronglyRejected), Effect::kMissed);
  EXPECT_EQ(of(kPass, kFail), Effect::kBroken);
  EXPECT_EQ(of(kUnsupported, kFail), Effect::kBroken);
  EXPECT_EQ(of(kUnsupported, kWronglyRejected), Effect::kBroken);
  EXPECT_EQ(of(kPass, kMissing), Effect::kBroken);
  EXPECT_EQ(of(kDeviates, kFail), Effect::kWorsened);
  EXPECT_EQ(of(kFail, kCrash), Effect::kWorsened);
  EXPECT_EQ(of(kPass, kWronglyRejected), Effect::kRejected);
  EXPECT_EQ(of(kFail, kWronglyRejected), Effect::kRejected);
  EXPECT_EQ(of(kPass, kUnsupported), Effect::kUnsupported);
  EXPECT_EQ(of(kFail, kUnsupported), Effect::kUnsupported);
  EXPECT_EQ(EffectOf(kAbsent, static_cast<Outcome>(kFail)), Effect::kOnlyAfter);
  EXPECT_EQ(of(kMissing, kFail), Effect::kOnlyAfter);
  EXPECT_EQ(EffectOf(static_cast<Outcome>(kPass), kAbsent), Effect::kOnlyBefore);
}

std::optional<Repair> RepairOf(const std::string& before, const std::string& after, bool all_ids, Error* error) {
  const auto first = ReadRun(before, error), second = ReadRun(after, error);
  return first && second ? CompareRepair(*first, *second, all_ids, EachListedCase, error) : std::nullopt;
}

TEST(RepairTest, CountsCausesAndKeepsIds) {
  const std::string before = MakeResults("before.jsonl", "--cases 500");
  const std::string after = MakeResults("after.jsonl", "--cases 400 --fixed");
  Error error;
  for (const bool all_ids : {false, true}) {
    const auto repair = RepairOf(before, after, all_ids, &error);
    ASSERT_TRUE(repair) << error.message;
    uint64_t failed = 0;
    for (const CausePart& part : repair->Of(Effect::kRepaired)) {
      EXPECT_GE(part.all, part.cases);
      EXPECT_EQ(part.ids.size(), all_ids ? part.cases : 1);
      failed += part.cases;
    }
    EXPECT_EQ(failed, repair->Cases(Effect::kRepaired));
    EXPECT_EQ(failed, 5u);
    EXPECT_EQ(repair->Cases(Effect::kBroken), 5u);
    EXPECT_EQ(repair->NewlyWrong(), 5u);
    ASSERT_EQ(repair->Of(Effect::kOnlyBefore).size(), 1u);
    EXPECT_EQ(repair->Of(Effect::kOnlyBefore)[0].cases, 100u);
    EXPECT_GT(repair->Of(Effect::kOnlyBefore)[0].failing, 0u);
    EXPECT_EQ(repair->Cases(Effect::kOnlyAfter), 0u);
  }
}

TEST(RepairTest, OtherSpecsAreRefused) {
  const std::string before = MakeResults("before.jsonl", "--cases 50");
  std::string text = ReadText(before);
  const size_t at = text.find("0123456789abcdef");
  ASSERT_NE(at, text.npos);
  text[at] = 'z';
  const std::string after = WriteText("other_specs.jsonl", text);
  Error error;
  EXPECT_FALSE(RepairOf(before, after, false, &error));
  EXPECT_EQ(error.message.find(after + ": was made with specs z"), 0u) << error.message;
}

}  // namespace
}  // namespace poolproof::reports
