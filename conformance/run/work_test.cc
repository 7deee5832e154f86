// The work of a plan is that of its elements, not of its cases.

#include "conformance/run/work.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

constexpr uint64_t kRandom = 1000;

Plan Planned(const std::string& filter) {
  PlanOptions options;
  options.level = Level::kQuick;
  options.random_count = kRandom;
  options.filter = filter;
  Error error;
  return *Plan::Make(BuiltInSpecs(), options, &error);
}

TEST(Work, GoesFromNothingToAllByElements) {
  const Plan plan = Planned("");
  const Work work(plan);
  EXPECT_EQ(work.Share(0), 0);
  EXPECT_DOUBLE_EQ(work.Share(plan.Size()), 1);
  PlannedCase a, b;
  for (uint64_t n = 0; n + 1 < plan.FixedSize(); ++n) {
    ASSERT_TRUE(plan.Get(n, &a) && plan.Get(n + 1, &b));
    const double of_a = work.Share(n + 1) - work.Share(n), of_b = work.Share(n + 2) - work.Share(n + 1);
    ASSERT_GT(of_a, 0);
    if (a.problem.ShapesAlone() || b.problem.ShapesAlone()) continue;
    if (a.problem.Elements() <= b.problem.Elements()) continue;
    ASSERT_GT(of_a, of_b) << a.line << "\n" << b.line;
  }
}

TEST(Work, LeavesOutWhatAFilterLeavesOut) {
  const Plan plan = Planned("random");
  const Work work(plan);
  EXPECT_EQ(work.Share(plan.FixedSize()), 0);
  EXPECT_NEAR(work.Share(plan.FixedSize() + kRandom / 4), 0.25, 1e-9);
  EXPECT_DOUBLE_EQ(work.Share(plan.Size()), 1);
}

}  // namespace
}  // namespace poolproof
