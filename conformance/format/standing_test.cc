#include "conformance/format/standing.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

TEST(StandingTest, HasANameThatIsFoundAgain) {
  for (const Standing standing : {Standing::kNew, Standing::kChanged, Standing::kKnown}) {
    EXPECT_EQ(FindStanding(StandingName(standing)), standing);
  }
  EXPECT_EQ(FindStanding(""), Standing::kNew);
  EXPECT_EQ(FindStanding("renewed"), Standing::kNew);
}

TEST(StandingTest, CountsCasesAndCauses) {
  StandingCounts counts;
  EXPECT_EQ(counts.Differences(0), "");
  EXPECT_EQ(counts.Known(), "");
  counts.Add(Standing::kKnown, 1029);
  EXPECT_EQ(counts.Known(), "1,029 known");
  EXPECT_EQ(counts.Differences(1), "1 line can go");
  counts.Add(Standing::kNew, 1);
  counts.Add(Standing::kNew, 2);
  counts.Add(Standing::kChanged, 1);
  EXPECT_EQ(counts.Text(Standing::kNew), "3 cases of 2 causes");
  EXPECT_EQ(counts.Differences(12), "3 new cases of 2 causes, 1 changed case of 1 cause, 12 lines can go");
}

}  // namespace
}  // namespace poolproof
