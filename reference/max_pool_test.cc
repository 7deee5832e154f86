// The numeric and layer examples of the MaxPool documents, numbers as printed there but for
// example 1, whose row 1, column 3 is printed -6 (index 5) while its window holds 3 and -6.
#include <gtest/gtest.h>

#include <functional>

#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

using Values = std::vector<long double>;
using Shape = std::vector<int64_t>;

constexpr const char* kOperators[] = {"MaxPool-1", "MaxPool-8", "MaxPool-14"};

size_t OutputsOf(const std::string& op) { return op == "MaxPool-1" ? 1 : 2; }

// Runs an example on f32 and i32 input for every version that has its attributes.
void ExpectExample(size_t first_version, const Shape& shape, const Values& data,
                   const std::function<void(TestCall&)>& attributes, const Shape& out_shape, const Values& values,
                   const Values& indices) {
  for (size_t v = first_version; v < std::size(kOperators); ++v) {
    for (const poolproof_element_type type : {POOLPROOF_F32, POOLPROOF_I32}) {
      TestCall call(kOperators[v], type, shape, OutputsOf(kOperators[v]));
      attributes(call);
      Context context;
      const Outcome outcome = call.Data(data).Run(context);
      ASSERT_EQ(outcome.status, POOLPROOF_OK) << context.error;
      EXPECT_EQ(outcome.shapes[0], out_shape);
      EXPECT_EQ(outcome.Values(0), values);
      if (v == 0) continue;
      EXPECT_EQ(outcome.shapes[1], out_shape);
      EXPECT_EQ(outcome.Values(1), indices);
    }
  }
}

const Values kThreeByThree = {-1, 2, 3, 4, 5, -6, -7, 8, 9};

TEST(MaxPoolExamples, Explicit) {
  ExpectExample(0, {1, 1, 3, 3}, kThreeByThree,
                [](TestCall& call) {
                  call.List("strides", {1, 1}).List("pads_begin", {1, 1}).List("pads_end", {1, 1});
                  call.List("kernel", {2, 2}).Word("rounding_type", "floor").Word("auto_pad", "explicit");
                },
                {1, 1, 4, 4}, {-1, 2, 3, 3, 4, 5, 5, 3, 4, 8, 9, 9, -7, 8, 9, 9},
                {0, 1, 2, 2, 3, 4, 4, 2, 3, 7, 8, 8, 6, 7, 8, 8});
}

TEST(MaxPoolExamples, ValidInOneDimension) {
  ExpectExample(0, {1, 1, 7}, {-1, 2, 3, 5, -7, 9, 1},
                [](TestCall& call) {
                  call.List("strides", {1}).List("kernel", {3}).Word("rounding_type", "floor");
                  call.Word("auto_pad", "valid");
                },
                {1, 1, 5}, {3, 5, 5, 9, 9}, {2, 3, 3, 5, 5});
}

TEST(MaxPoolExamples, SameLower) {
  ExpectExample(0, {1, 1, 3, 3}, kThreeByThree,
                [](TestCall& call) {
                  call.List("strides", {1, 1}).List("kernel", {2, 2}).Word("rounding_type", "floor");
                  call.Word("auto_pad", "same_lower");
                },
                {1, 1, 3, 3}, {-1, 2, 3, 4, 5, 5, 4, 8, 9}, {0, 1, 2, 3, 4, 4, 3, 7, 8});
}

TEST(MaxPoolExamples, SameUpperWithTwoChannels) {
  ExpectExample(0, {1, 2, 3, 3}, {-1, 2, 3, 4, 5, -6, -7, 8, 9, 2, -1, 5, 6, -7, 1, 8, 2, -3},
                [](TestCall& call) {
                  call.List("strides", {1, 1}).List("kernel", {2, 2}).Word("rounding_type", "floor");
                  call.Word("auto_pad", "same_upper");
                },
                {1, 2, 3, 3}, {5, 5, 3, 8, 9, 9, 8, 9, 9, 6, 5, 5, 8, 2, 1, 8, 2, -3},
                {4, 4, 2, 7, 8, 8, 7, 8, 8, 12, 11, 11, 15, 16, 14, 15, 16, 17});
}

TEST(MaxPoolExamples, ValidWithCeil) {
  ExpectExample(0, {1, 1, 3, 3}, kThreeByThree,
                [](TestCall& call) {
                  call.List("strides", {2, 2}).List("kernel", {2, 2}).Word("rounding_type", "ceil");
                  call.Word("auto_pad", "valid");
                },
                {1, 1, 2, 2}, {5, 3, 8, 9}, {4, 2, 7, 8});
}

TEST(MaxPoolExamples, CeilTorch) {
  ExpectExample(2, {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9},
                [](TestCall& call) {
                  call.List("strides", {2, 2}).List("kernel", {2, 2}).Word("rounding_type", "ceil_torch");
                  call.List("pads_begin", {1, 1}).List("pads_end", {1, 1});
                },
                {1, 1, 2, 2}, {1, 3, 7, 9}, {0, 2, 6, 8});
}

TEST(MaxPoolExamples, Dilated) {
  ExpectExample(1, {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9},
                [](TestCall& call) {
                  call.List("strides", {1, 1}).List("kernel", {2, 2}).List("dilations", {2, 2});
                  call.Word("rounding_type", "floor").Word("auto_pad", "explicit");
                  call.List("pads_begin", {1, 1}).List("pads_end", {1, 1});
                },
                {1, 1, 3, 3}, {5, 6, 5, 8, 9, 8, 5, 6, 5}, {4, 5, 4, 7, 8, 7, 4, 5, 4});
}

TEST(MaxPoolExamples, AxisCountsIndicesWithinAPlane) {
  ExpectExample(1, {1, 2, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18},
                [](TestCall& call) {
                  call.List("strides", {1, 1}).List("kernel", {2, 2}).List("dilations", {1, 1});
                  call.Word("rounding_type", "floor").Word("auto_pad", "explicit");
                  call.List("pads_begin", {0, 0}).List("pads_end", {0, 0}).Int("axis", 2);
                },
                {1, 2, 2, 2}, {5, 6, 8, 9, 14, 15, 17, 18}, {4, 5, 7, 8, 4, 5, 7, 8});
}

TEST(MaxPoolExamples, Layers) {
  const std::pair<const char*, int64_t> layers[] = {{"same_upper", 32}, {"explicit", 17}, {"valid", 16}};
  for (const auto& [auto_pad, size] : layers) {
    for (const std::string op : kOperators) {
      TestCall call(op, POOLPROOF_F32, {1, 3, 32, 32}, OutputsOf(op));
      call.Word("auto_pad", auto_pad).List("kernel", {2, 2}).List("strides", {2, 2});
      call.List("pads_begin", {1, 1}).List("pads_end", {1, 1});
      const Outcome outcome = call.Run();
      ASSERT_EQ(outcome.status, POOLPROOF_OK);
      for (const Shape& shape : outcome.shapes) EXPECT_EQ(shape, (Shape{1, 3, size, size}));
    }
  }
}

}  // namespace
}  // namespace poolproof::reference
