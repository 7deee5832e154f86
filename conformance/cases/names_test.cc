#include "conformance/cases/names.h"

#include <gtest/gtest.h>

#include <array>

#include "conformance/cases/test_specs.h"

namespace poolproof {
namespace {

class NamesTest : public testing::Test {
 protected:
  bool Holds(const char* text) const { return Holds(problem_, text); }
  bool Holds(const Problem& problem, const char* text) const {
    Error error;
    const auto condition = expression::Expression::Condition(names_, text, &error);
    EXPECT_TRUE(condition) << text << ": " << error.message;
    return condition && condition->Holds(ProblemSubject(names_, problem, occasion_, &output_));
  }

  const expression::Vocabulary names_ = NamesOf(TestSpecs().operators);
  const Problem problem_ = Parsed("Pool f16 in=1x2x4x5 k=3x2 s=1 d=2 pb=1x0 rounding=ceil exclude=true axis=-1");
  const std::array<std::string_view, 2> touched_ = {"ties", "nan"};
  const Occasion occasion_{touched_, "stride-zero", "example-1", "random", {}};
  poolproof_tensor output_ = [] {
    poolproof_tensor output{};
    output.element_type = POOLPROOF_F16;
    output.rank = 4;
    const int64_t dims[] = {1, 2, 3, 6};
    std::copy(std::begin(dims), std::end(dims), output.dims);
    output.size_bytes = 72;
    return output;
  }();
};

TEST_F(NamesTest, CommonNames) {
  for (const char* text : {"op = Pool",
                           "function = Pool",
                           "type = f16",
                           "rank = 4",
                           "batch = 1",
                           "channels = 2",
                           "depth = 1",
                           "height = 4",
                           "width = 5",
                           "elements = 40",
                           "taps = 6",
                           "bits = 16",
                           "is_float",
                           "is_signed",
                           "has_indices",
                           "not is_adaptive",
                           "is_invalid",
                           "rule = stride-zero",
                           "example = example-1",
                           "ties in touched",
                           "not signed-zero in touched",
                           "oo in variant",
                           "size[0] = 4",
                           "all(stride = 1)",
                           "all(dilation = 2)",
                           "extent[0] = 5 and extent[1] = 3",
                           "any(pad_begin = 1)",
                           "all(pad_end = 0)",
                           "out[1] = 6",
                           "out_width = 6",
                           "out_depth = 1",
                           "out_elements = 36"}) {
    EXPECT_TRUE(Holds(text)) << text;
  }
}

TEST_F(NamesTest, AttributesHaveTheNamesOfTheirDocument) {
  for (const char* text : {"kernel[0] = 3", "all(strides = 1)", "rounding_type = ceil", "exclude-pad", "axis = -1",
                           "given(axis)", "not given(pads_end)"}) {
    EXPECT_TRUE(Holds(text)) << text;
  }
  for (const char* text : {"any(pads_end = 0)", "index_element_type = i32", "given(op)", "not exclude-pad"}) {
    EXPECT_FALSE(Holds(text)) << text;
  }
}

TEST_F(NamesTest, AdaptiveOperatorsHaveTheirLargestCellAsKernel) {
  const Problem adaptive = Parsed("Adaptive f32 in=1x1x7x6 sizes=3x2");
  EXPECT_TRUE(Holds(adaptive, "is_adaptive and kernel[0] = 3 and kernel[1] = 3 and taps = 9"));
  EXPECT_FALSE(Holds(adaptive, "any(strides >= 0)"));
}

// The padding that is chosen needs the output, whose sizes are 3 and 6; the size of the input is 7 along both axes.
TEST_F(NamesTest, PaddingIsAsGivenOrAsChosen) {
  EXPECT_TRUE(Holds("pad_before[0] = 1 and pad_before[1] = 0 and all(pad_after = 0)"));
  const expression::Vocabulary names = NamesOf(BuiltInSpecs().operators);
  const auto holds = [&](const char* line, const poolproof_tensor* output, const char* text) {
    Error error;
    const auto problem = ParseLine(BuiltInSpecs(), line, &error);
    EXPECT_TRUE(problem) << error.message;
    const auto condition = expression::Expression::Condition(names, text, &error);
    EXPECT_TRUE(condition) << text << ": " << error.message;
    return condition->Holds(ProblemSubject(names, *problem, {}, output));
  };
  const char* upper = "MaxPool-1 f32 in=1x1x7x7 k=4x3 s=3x1 auto_pad=same_upper";
  EXPECT_TRUE(holds(upper, &output_, "pad_before[0] = 1 and pad_after[0] = 2"));
  EXPECT_TRUE(holds(upper, &output_, "pad_before[1] = 0 and pad_after[1] = 1"));
  EXPECT_FALSE(holds(upper, nullptr, "any(pad_before >= 0) or any(pad_after >= 0)"));
  EXPECT_TRUE(holds("MaxPool-1 f32 in=1x1x7x7 k=4x3 s=3x1 auto_pad=valid", &output_, "all(pad_before = 0)"));
}

TEST_F(NamesTest, ValuesThatDoNotFitAreNone) {
  const Problem wide = Parsed("Pool f32 in=1x1x5x5 k=9223372036854775807x3 s=1 d=3");
  EXPECT_FALSE(Holds(wide, "extent[0] > 0 or extent[0] <= 0"));
  EXPECT_TRUE(Holds(wide, "extent[1] = 7"));
  EXPECT_FALSE(Holds(wide, "taps > 0 or taps <= 0"));
}

}  // namespace
}  // namespace poolproof
