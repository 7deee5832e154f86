// Which profile a backend seems to follow.
#include "conformance/results/profile_hint.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

using reference::Entry;

void AddDeviation(Entry entry, std::string_view reading, Tally* tally) {
  Record record;
  record.function = BuiltInSpecs().FindOperator("MaxPool-8")->FindFunction("MaxPool-8");
  record.judgement.verdict = Verdict::kDeviates;
  record.judgement.deviations = {{entry, *reference::FindReading(entry, reading)}};
  tally->Add(record);
}

// OpenVINO gives the lowest number in f32, and 0 in i16.
TEST(ProfileHintTest, AReadingOfOneElementTypeIsThatOfItsProfile) {
  Tally tally;
  AddDeviation(Entry::kEmptyWindowValue, "lowest-finite", &tally);
  AddDeviation(Entry::kEmptyWindowValue, "zero", &tally);
  AddDeviation(Entry::kPadsIgnored, "when-present", &tally);
  const std::optional<ProfileHint> hint = FindProfileHint(tally, "documented");
  ASSERT_TRUE(hint);
  EXPECT_EQ(hint->profile, "openvino");
  EXPECT_EQ(hint->deviations, 3u);
  EXPECT_EQ(hint->explained, 2u);
  EXPECT_FALSE(FindProfileHint(tally, "openvino"));
}

}  // namespace
}  // namespace poolproof
