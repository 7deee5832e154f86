#include "conformance/cases/geometry.h"
#include "conformance/cases/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "conformance/cases/plain.h"
#include "conformance/cases/test_specs.h"

namespace poolproof {
namespace {

TEST(GeometryTest, OneListOrOneAttributePerAxisReadAlike) {
  const Problem lists = Parsed("Pool f32 in=1x2x5x7 k=3x2 pb=1x0");
  const Problem single = Parsed("fixed_chw fx8 in=2x5x7 kh=3 kw=2 pt=1 pl=0");
  const Problem channels_last = Parsed("fixed_hwc fx8 in=5x7x2 kh=3 kw=2 pt=1 pl=0");
  for (const Problem* problem : {&lists, &single, &channels_last}) {
    EXPECT_EQ(AxisValue(*problem, Role::kKernel, 0, 9), 3);
    EXPECT_EQ(AxisValue(*problem, Role::kKernel, 1, 9), 2);
    EXPECT_EQ(AxisValue(*problem, Role::kPadBegin, 0, 9), 1);
    EXPECT_EQ(SpatialSize(*problem, 0), 5);
    EXPECT_EQ(SpatialSize(*problem, 1), 7);
    const auto channels = static_cast<size_t>(LayoutOf(*problem->function).channels);
    EXPECT_EQ(problem->shape[channels], 2);
  }
}

TEST(GeometryTest, WithoutABatchAFunctionHasOneDimensionLess) {
  OperatorSpec spec;
  for (const char* layout : {"NC...", "C..."}) {
    Function& function = spec.functions.emplace_back();
    function.name = std::string("Pool") + (layout[0] == 'C' ? ".single" : "");
    function.layout = layout;
  }
  const Function& single = spec.functions.back();
  EXPECT_FALSE(LacksBatch(spec, spec.functions.front()));
  EXPECT_TRUE(LacksBatch(spec, single));
  EXPECT_EQ(RanksOf(spec, spec.functions.front()).least, 3);
  EXPECT_EQ(RanksOf(spec, single).least, 2);
  EXPECT_EQ(RanksOf(spec, single).most, 4);
  const Problem problem = PlainProblem(spec, single, POOLPROOF_F32, 4);
  EXPECT_EQ(std::vector<int64_t>(problem.shape.begin(), problem.shape.end()), (std::vector<int64_t>{2, 4, 4, 4}));
  EXPECT_EQ(problem.SpatialRank(), 3);
  EXPECT_EQ(OperatorWord(spec), "Pool");
  const OperatorSpec& fixed = *Parsed("fixed_hwc fx8 in=5x7x2").spec;
  for (const Function& function : fixed.functions) EXPECT_FALSE(LacksBatch(fixed, function)) << function.name;
  EXPECT_EQ(OperatorWord(fixed), fixed.id);
}

TEST(GeometryTest, WhatIsNotGivenFallsBack) {
  const Problem problem = Parsed("Pool f32 in=1x2x5x7 k=[3]");
  EXPECT_EQ(AxisValue(problem, Role::kKernel, 0, 9), 3);
  EXPECT_EQ(AxisValue(problem, Role::kKernel, 1, 9), 9);
  EXPECT_EQ(AxisValue(problem, Role::kStride, 0, 9), 9);
  EXPECT_EQ(WordOf(problem, Role::kRounding), "");
}

TEST(GeometryTest, PadsFollowFromTheMeaningOfTheWord) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    const Function& function = spec.functions.front();
    Problem problem = PlainProblem(spec, function, function.types.front(), std::min(4, spec.max_rank));
    for (int axis = 0; axis < 2; ++axis) {
      SetAxisValue(&problem, Role::kKernel, axis, 4);
      SetAxisValue(&problem, Role::kPadBegin, axis, 3);
    }
    const std::map<Meaning, int64_t> pads = {
        {Meaning::kPadAsGiven, 3}, {Meaning::kPadNone, 0}, {Meaning::kPadMoreAtEnd, 1}, {Meaning::kPadMoreInFront, 2}};
    for (const auto& [meaning, pad] : pads) {
      if (!SetMeaning(&problem, meaning)) continue;
      EXPECT_EQ(PadBefore(problem, 0, 4), pad) << WordFor(spec, meaning);
      // The other end has the rest of an odd sum.
      if (meaning == Meaning::kPadAsGiven || meaning == Meaning::kPadNone) continue;
      EXPECT_EQ(PadAfter(problem, 0, 4), 3 - pad) << WordFor(spec, meaning);
    }
  }
}

TEST(GeometryTest, WordsHaveTheMeaningsOfTheirSpec) {
  const OperatorSpec& spec = *BuiltInSpecs().FindOperator("MaxPool-14");
  Problem problem = PlainProblem(spec, spec.functions.front(), POOLPROOF_F32, 4);
  EXPECT_EQ(WordFor(spec, Meaning::kRoundUpInside), "ceil_torch");
  EXPECT_EQ(MeaningOf(problem, Role::kRounding), Meaning::kRoundDown);
  EXPECT_TRUE(SetMeaning(&problem, Meaning::kRoundUpInside));
  EXPECT_EQ(MeaningOf(problem, Role::kRounding), Meaning::kRoundUpInside);
  problem.Find(Role::kRounding)->word = "no word";
  EXPECT_EQ(MeaningOf(problem, Role::kRounding), std::nullopt);
  const OperatorSpec& older = *BuiltInSpecs().FindOperator("MaxPool-8");
  problem = PlainProblem(older, older.functions.front(), POOLPROOF_F32, 4);
  EXPECT_EQ(WordFor(older, Meaning::kRoundUpInside), "");
  EXPECT_FALSE(SetMeaning(&problem, Meaning::kRoundUpInside));
}

TEST(GeometryTest, SettingOneAxisMakesAWholeList) {
  Problem problem = Parsed("Pool f32 in=1x2x5x7x9");
  SetAxisValue(&problem, Role::kDilation, 1, 2);
  EXPECT_EQ(PrintLine(problem), "Pool f32 in=1x2x5x7x9 d=2 fill=distinct seed=0");
  SetAxisValue(&problem, Role::kDilation, 2, 3);
  EXPECT_EQ(EffectiveKernel(problem, 2), 1);
  SetAxisValue(&problem, Role::kKernel, 2, 4);
  EXPECT_EQ(EffectiveKernel(problem, 2), 10);
}

TEST(GeometryTest, AbsenceDependsOnOtherAttributes) {
  OperatorSpec spec = TestSpecs().operators[0];
  const size_t pads = *AttributeIndex(spec, Role::kPadBegin);
  const size_t auto_pad = *AttributeIndex(spec, Role::kAutoPad);
  spec.attributes[auto_pad].default_word = "explicit";
  spec.attributes[pads].required = true;
  const expression::Vocabulary names = NamesOf({spec});
  const auto absent_when = [&](const char* text) { return *expression::Expression::Condition(names, text, nullptr); };
  spec.attributes[pads].absent_when = absent_when("auto_pad != explicit");
  Problem problem = Parsed("Pool f32 in=1x2x5x7");
  problem.spec = &spec;
  EXPECT_FALSE(MayBeAbsent(problem, pads));
  spec.attributes[auto_pad].words = {"explicit", "valid"};
  spec.attributes[auto_pad].meanings = {Meaning::kPadAsGiven, Meaning::kPadNone};
  EXPECT_TRUE(PadsCount(problem));
  problem.attributes[auto_pad].present = true;
  problem.attributes[auto_pad].word = "valid";
  EXPECT_TRUE(MayBeAbsent(problem, pads));
  EXPECT_FALSE(PadsCount(problem));
  spec.attributes[pads].absent_when = absent_when("auto_pad = valid");
  EXPECT_TRUE(MayBeAbsent(problem, pads));
  problem.attributes[auto_pad].word = "explicit";
  EXPECT_FALSE(MayBeAbsent(problem, pads));
}

}  // namespace
}  // namespace poolproof
