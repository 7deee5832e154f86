// Faults: how they are written, and bounds that wrong values tell.
#include "conformance/diagnosis/fault.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

FailureClass Wrong(const std::string& message, uint64_t cases) {
  FailureClass made;
  made.verdict = Verdict::kFail;
  made.message = message;
  made.cases = cases;
  return made;
}

bool AllOpen(size_t) { return true; }

TEST(FaultTest, ReadsOneReading) {
  const auto fault = ReadingFault("ties=last");
  ASSERT_TRUE(fault);
  EXPECT_EQ(ReadingText(*fault), "ties=last");
  EXPECT_FALSE(ReadingFault("ties"));
  EXPECT_FALSE(ReadingFault("ties=never"));
}

TEST(FaultTest, LearnsWhatManyWrongValuesAre) {
  const std::vector<FailureClass> classes = {Wrong("Output Y at [0,0]: expected -536870880, got -16777216.", 20),
                                             Wrong("Output values at [1,0]: expected -inf, got -16777216.", 7),
                                             Wrong("Output Y at [0,0]: expected inf, got 3.4028235e+38.", 9),
                                             Wrong("Output Y: expected f32 [1,1,1], got f32 [1,1,2].", 90)};
  const std::vector<Fault> faults = LearnBounds(classes, AllOpen, 4);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_TRUE(faults[0].bound->is_floor);
  EXPECT_EQ(faults[0].bound->value, -16777216);
  EXPECT_EQ(CauseOf(faults[0]).title, "maxima never fall below -16777216");
  EXPECT_FALSE(faults[1].bound->is_floor);
  EXPECT_EQ(CauseOf(faults[1]).title, "results never rise above 3.4028235e+38");
  EXPECT_EQ(LearnBounds(classes, AllOpen, 1).size(), 1u);
}

// To start at zero is a known cause; an infinity and NaN bound nothing.
TEST(FaultTest, LearnsNothingFromOtherValues) {
  const std::vector<FailureClass> classes = {
      Wrong("Output Y at [0,0]: expected -1, got 0.", 20), Wrong("Output Y at [0,0]: expected -1, got inf.", 20),
      Wrong("Output Y at [0,0]: expected nan, got 5.", 20), Wrong("The call is valid.", 20)};
  EXPECT_TRUE(LearnBounds(classes, AllOpen, 4).empty());
  EXPECT_TRUE(LearnBounds({Wrong("Output Y at [0]: expected -1, got 5.", 1)}, [](size_t) { return false; }, 4).empty());
}

TEST(FaultTest, FloorsAreOfMaxima) {
  EXPECT_TRUE(BoundAppliesTo({true, -3, "-3"}, "MaxPool-8"));
  EXPECT_FALSE(BoundAppliesTo({true, -3, "-3"}, "AvgPool-1"));
  EXPECT_TRUE(BoundAppliesTo({false, 3, "3"}, "AvgPool-1"));
}

}  // namespace
}  // namespace poolproof
