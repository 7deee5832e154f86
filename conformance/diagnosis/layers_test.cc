// Tests the effect of a group of failures on layers of published networks.
#include "conformance/diagnosis/layers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/cases/boundaries.h"

namespace poolproof {
namespace {

Plan PlanOf(Level level, const std::string& filter) {
  PlanOptions options;
  options.level = level;
  options.random_count = 0;
  options.filter = filter;
  Error error;
  std::optional<Plan> plan = Plan::Make(BuiltInSpecs(), options, &error);
  EXPECT_TRUE(plan) << error.message;
  return *std::move(plan);
}

CauseGroup GroupWhere(const std::string& where) {
  CauseGroup group;
  group.operators = {"MaxPool-8"};
  group.types = {"f32"};
  group.where = where;
  return group;
}

// Layers that a run of the plan finds for one group.
std::optional<PublishedLayers> LayersOf(const Plan& plan, CauseGroup group, uint64_t end) {
  std::vector<CauseGroup> groups = {std::move(group)};
  FindLayers(plan, end, &groups);
  return groups[0].layers;
}

TEST(LayersTest, AConditionIsAskedOfEveryLayerThatTheOperatorHas) {
  const Plan plan = PlanOf(Level::kQuick, "MaxPool-8");
  const std::vector<NetworkLayer>& networks = BuiltInSpecs().networks;
  const auto threes = std::count_if(networks.begin(), networks.end(), [](const NetworkLayer& layer) {
    const bool are = std::all_of(layer.kernel.begin(), layer.kernel.end(), [](int64_t kernel) { return kernel == 3; });
    return !layer.mean && !layer.kernel.empty() && are && layer.input.back() >= 100;
  });
  const auto found = LayersOf(plan, GroupWhere("all(kernel = 3) and width >= 100"), plan.Size());
  ASSERT_TRUE(found);
  EXPECT_GT(threes, 10);
  EXPECT_EQ(found->matching, static_cast<uint64_t>(threes));
  EXPECT_EQ(found->all, networks.size());
  EXPECT_EQ(found->run, 0u);
  EXPECT_EQ(found->first, "ZFNet");
  EXPECT_GT(found->networks, 1u);
  const auto none = LayersOf(plan, GroupWhere("width > 100000000"), plan.Size());
  ASSERT_TRUE(none);
  EXPECT_EQ(none->matching, 0u);
  EXPECT_EQ(none->first, "");
}

TEST(LayersTest, LayersDoNotSayHowInputsAreFilled) {
  const Plan plan = PlanOf(Level::kQuick, "MaxPool-8");
  EXPECT_FALSE(LayersOf(plan, GroupWhere("fill = negative and width >= 1"), plan.Size()));
}

TEST(LayersTest, CasesOfTheGroupAreLayersThatFail) {
  const Plan plan = PlanOf(Level::kGate, "networks MaxPool-8 f32");
  const auto [first, behind] = plan.PlacesOf(Section::kNetworks);
  CauseGroup group = GroupWhere("");
  PlannedCase planned;
  for (uint64_t n = first; n < behind && group.members.size() < 4; ++n) {
    if (plan.Get(n, &planned)) group.members.push_back({n, 0});
  }
  ASSERT_EQ(group.members.size(), 4u);
  const auto found = LayersOf(plan, group, plan.Size());
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->matching);
  EXPECT_EQ(found->failing, 4u);
  EXPECT_GT(found->run, 4u);
  group.where = "width >= 1";
  const auto both = LayersOf(plan, group, plan.Size());
  EXPECT_EQ(both->failing, 4u);
  EXPECT_EQ(both->run, found->run);
  EXPECT_GT(both->matching, both->run);
  EXPECT_EQ(LayersOf(plan, group, group.members[1].n)->failing, 1u);
  group.members.clear();
  group.where.clear();
  EXPECT_FALSE(LayersOf(plan, group, plan.Size()));
}

}  // namespace
}  // namespace poolproof
