// Where a backend follows a reading that few libraries follow.
#include "conformance/diagnosis/rare.h"

#include <gtest/gtest.h>

#include "conformance/diagnosis/run_of.h"

namespace poolproof {
namespace {

constexpr char kInType[] = "mean-accumulation=type";

bool Is(const Features& features, Feature feature, int64_t value) { return At(features, feature) == value; }

// A backend that sums in the element type in one place, and in f32 elsewhere.
TEST(RareTest, WhereAReadingIsFollowedIsSaid) {
  RunOf run;
  run.AddRare(kInType, [](const Features& f) { return Is(f, Feature::kKernelHeight, 3); });
  EXPECT_EQ(run.FindRare(), (std::vector<RarePlace>{{kInType, "", "kernel[-2] = 3"}}));
}

// As PyTorch sums in the type in adaptive means over three axes. Of few cases a place is of element types and ranks.
TEST(RareTest, AFunctionHasAPlaceOfItsOwn) {
  RunOf run;
  run.AddRare(kInType, [](const Features& f) {
    return Is(f, Feature::kAdaptive, 1) ? Is(f, Feature::kAxes, 3) : Is(f, Feature::kKernelHeight, 3);
  });
  EXPECT_EQ(run.FindRare(), (std::vector<RarePlace>{{kInType, "torch.AdaptiveAvgPool", "rank = 5"}}));
}

TEST(RareTest, WhatIsFollowedWhereverItShowsHasNoPlace) {
  RunOf run;
  run.AddRare(kInType, Always);
  EXPECT_TRUE(run.FindRare().empty());
}

TEST(RareTest, WhatNoShortRuleTellsHasNoPlace) {
  RunOf run;
  run.AddRare(kInType, OneIn(3));
  EXPECT_TRUE(run.FindRare().empty());
}

TEST(RareTest, ALateRunLooksForNoPlace) {
  RunOf run;
  run.AddRare(kInType, [](const Features& f) { return Is(f, Feature::kKernelHeight, 3); });
  EXPECT_TRUE(run.FindRare([] { return true; }).empty());
}

}  // namespace
}  // namespace poolproof
