#include "conformance/cases/problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "conformance/cases/test_specs.h"

namespace poolproof {
namespace {

TEST(ProblemTest, ElementsSaturate) {
  EXPECT_EQ(Parsed("Pool f32 in=4294967296x4294967296x2").Elements(), INT64_MAX);
  EXPECT_EQ(Parsed("Pool f32 in=4294967296x4294967296x0").Elements(), 0);
  EXPECT_EQ(Parsed("Pool f32 in=[]").Elements(), 1);
}

TEST(ProblemTest, SpatialRankFollowsTheLayout) {
  EXPECT_EQ(Parsed("Pool f32 in=1x1x4x4x4").SpatialRank(), 3);
  EXPECT_EQ(Parsed("fixed_chw fx8 in=1x4x4").SpatialRank(), 2);
}

TEST(ProblemTest, CallCarriesPresentAttributesOnly) {
  const Problem p = Parsed("Pool f16 in=2x3x4x5 k=2x3 exclude=false index=i32 axis=-1");
  Call call;
  call.Bind(p);
  EXPECT_STREQ(call.call.op, "Pool");
  ASSERT_EQ(call.call.attribute_count, 4u);
  const poolproof_attribute& kernel = *call.call.attributes[0];
  EXPECT_STREQ(kernel.name, "kernel");
  EXPECT_EQ(kernel.kind, POOLPROOF_INT_LIST);
  ASSERT_EQ(kernel.count, 2u);
  EXPECT_EQ(kernel.integers[1], 3);
  EXPECT_EQ(call.call.attributes[1]->kind, POOLPROOF_BOOL);
  EXPECT_STREQ(call.call.attributes[2]->word, "i32");
  EXPECT_EQ(call.call.attributes[3]->integer, -1);
  ASSERT_EQ(call.call.input_count, 1u);
  EXPECT_EQ(call.inputs[0].element_type, POOLPROOF_F16);
  EXPECT_EQ(call.inputs[0].rank, 4);
  EXPECT_EQ(call.inputs[0].dims[3], 5);
  EXPECT_EQ(call.inputs[0].size_bytes, 240u);
  EXPECT_EQ(call.call.output_count, 2u);
  EXPECT_EQ(call.outputs[1].struct_size, sizeof(poolproof_tensor));
}

TEST(ProblemTest, SizesBecomeTheSecondInput) {
  Call call;
  const Problem narrow = Parsed("Adaptive f32 in=1x1x4x4 sizes=7x5 sizestype=i32");
  call.Bind(narrow);
  ASSERT_EQ(call.call.input_count, 2u);
  EXPECT_EQ(call.call.inputs[1]->dims[0], 2);
  EXPECT_EQ(call.call.inputs[1]->size_bytes, 8u);
  EXPECT_EQ(static_cast<const int32_t*>(call.call.inputs[1]->data)[1], 5);
  const Problem wide = Parsed("Adaptive f32 in=1x1x4x4 sizes=7x5");
  call.Bind(wide);
  EXPECT_EQ(static_cast<const int64_t*>(call.call.inputs[1]->data)[0], 7);
}

TEST(ProblemTest, BindingAgainForgetsTheCallBefore) {
  Call call;
  const Problem first = Parsed("Adaptive f32 in=1x1x4x4 index=i32 sizes=7x5");
  const Problem second = Parsed("fixed_hwc fx16 in=4x4x2 frac=7");
  call.Bind(first);
  call.Bind(second);
  EXPECT_EQ(call.call.attribute_count, 0u);
  EXPECT_EQ(call.call.input_count, 1u);
  EXPECT_EQ(call.call.output_count, 1u);
  EXPECT_EQ(call.inputs[0].frac_bits, 7);
}

// The order means nothing to a backend, so it varies; seed 0 gives that of the document.
TEST(ProblemTest, OrderOfAttributesVariesWithTheSeed) {
  std::set<std::vector<std::string>> orders;
  for (int seed = 0; seed < 40; ++seed) {
    const Problem problem = Parsed("Pool f32 in=1x1x4x4 k=2 s=1 pb=0 pe=0 seed=" + std::to_string(seed));
    Call call;
    call.Bind(problem);
    std::vector<std::string> names;
    for (size_t i = 0; i < call.call.attribute_count; ++i) names.emplace_back(call.call.attributes[i]->name);
    if (seed == 0) {
      size_t next = 0;
      for (const AttributeSpec& attribute : problem.spec->attributes) {
        if (next < names.size() && attribute.name == names[next]) ++next;
      }
      EXPECT_EQ(next, names.size());
    }
    orders.insert(names);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
    EXPECT_EQ(names.size(), 4u);
  }
  EXPECT_GT(orders.size(), 10u);
}

}  // namespace
}  // namespace poolproof
