#include "conformance/format/presence.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

// An operator with as many valid cases that pass, and that are unsupported.
void AddOperator(const std::string& name, uint64_t passing, uint64_t unsupported, Presence* presence) {
  OperatorCounts counts;
  counts.Of("random")[Verdict::kPass] = passing;
  counts.Of("example")[Verdict::kUnsupported] = unsupported;
  presence->Add(name, counts);
}

TEST(PresenceTest, RefusingInvalidCallsIsNoSign) {
  OperatorCounts counts;
  counts.Of("invalid")[Verdict::kPass] = 2;
  EXPECT_TRUE(counts.IsThere());
  counts.Of("random")[Verdict::kUnsupported] = 1;
  EXPECT_FALSE(counts.IsThere());
  counts.Of("invalid")[Verdict::kWronglyAccepted] = 1;
  EXPECT_TRUE(counts.IsThere());
}

TEST(PresenceTest, NamesWhatIsNotThere) {
  Presence presence;
  AddOperator("a", 9, 1, &presence);
  EXPECT_EQ(presence.NotThere(), "");
  AddOperator("d", 0, 1, &presence);
  EXPECT_EQ(presence.NotThere(), "d (1 case)");
  AddOperator("c", 0, 1000, &presence);
  AddOperator("c", 0, 203, &presence);
  EXPECT_EQ(presence.NotThere(), "c, d (1,204 cases)");
  EXPECT_EQ(presence.operators(), 3u);
  EXPECT_EQ(presence.OperatorsThere(), 1u);
}

TEST(PresenceTest, IsOneLineHoweverMuchIsNotThere) {
  Presence none, few, many;
  for (char op = 'a'; op <= 'k'; ++op) {
    const std::string name(1, op);
    AddOperator(name, 0, 2, &none);
    AddOperator(name, op < 'c' ? 2 : 0, 2, &few);
    AddOperator(name, op < 'f' ? 2 : 0, 2, &many);
  }
  EXPECT_EQ(none.NotThere(), "all 11 operators (22 cases)");
  EXPECT_EQ(few.NotThere(), "all but a, b (9 operators, 18 cases)");
  EXPECT_EQ(many.NotThere(), "f, g, h, i and 2 more (12 cases)");
}

}  // namespace
}  // namespace poolproof
