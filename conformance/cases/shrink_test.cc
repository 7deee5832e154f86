// Planted failures of which the smallest problem is known.
#include "conformance/cases/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/test_specs.h"

namespace poolproof {
namespace {

constexpr std::string_view kLarge =
    "Pool f64 in=3x5x17x13 k=4x3 s=2x3 d=2 pb=3x1 pe=2 rounding=ceil auto=explicit exclude=true "
    "index=i32 axis=-2 fill=random seed=77";

TEST(ShrinkTest, NothingNeededLeavesNothing) {
  const Problem small = Shrink(Parsed(kLarge), [](const Problem&) { return true; });
  EXPECT_EQ(PrintLine(small), "Pool f32 in=1x1x1x1 data=0");
}

TEST(ShrinkTest, WhatTheFailureNeedsStays) {
  const Problem small = Shrink(Parsed(kLarge), [](const Problem& p) {
    return AxisValue(p, Role::kKernel, 1, 1) >= 2 && AxisValue(p, Role::kPadBegin, 0, 0) >= 1 &&
           SpatialSize(p, 0) >= 5 && WordOf(p, Role::kRounding) == "ceil";
  });
  EXPECT_EQ(small.shape[2], 5);
  EXPECT_EQ(small.Elements(), 5);
  EXPECT_EQ(AxisValue(small, Role::kKernel, 0, 1), 0);
  EXPECT_EQ(AxisValue(small, Role::kKernel, 1, 1), 2);
  EXPECT_EQ(AxisValue(small, Role::kPadBegin, 0, 0), 1);
  EXPECT_EQ(AxisValue(small, Role::kPadBegin, 1, 0), 0);
  EXPECT_FALSE(small.Find(Role::kStride)->present);
  EXPECT_FALSE(small.Find(Role::kAxis)->present);
}

TEST(ShrinkTest, ValuesBecomeFewAndSmall) {
  const Problem small = Shrink(Parsed(kLarge), [](const Problem& p) {
    const std::vector<Number> values = InputValues(p);
    return std::count_if(values.begin(), values.end(), [](Number v) { return v < 0; }) >= 2;
  });
  EXPECT_EQ(small.Elements(), 2);
  EXPECT_EQ(small.data, (std::vector<Number>{-1, -1}));
}

TEST(ShrinkTest, SpecialValuesThatMatterStay) {
  const Problem small = Shrink(Parsed("Pool f16 in=1x2x5x6 k=3 fill=specials seed=0"), [](const Problem& p) {
    const std::vector<Number> values = InputValues(p);
    return std::any_of(values.begin(), values.end(), [](Number v) { return std::isnan(v); });
  });
  EXPECT_EQ(PrintLine(small), "Pool f32 in=1x1x1x1 data=nan");
}

TEST(ShrinkTest, MinusZeroStaysOnlyWhereItMatters) {
  const auto shrunk = [](Number below) {
    return PrintLine(Shrink(Parsed("Pool f32 in=1x1x1x1 k=1 data=-0.0"), [&](const Problem& p) {
      const Number value = InputValues(p).front();
      return std::signbit(value) && value >= below;
    }));
  };
  EXPECT_EQ(shrunk(-10), "Pool f32 in=1x1x1x1 data=-1");
  EXPECT_EQ(shrunk(0), "Pool f32 in=1x1x1x1 data=-0.0");
}

TEST(ShrinkTest, TypeStaysWhereItMatters) {
  const Problem small = Shrink(Parsed("Pool u8 in=1x1x3x3 k=2 fill=ties seed=5"),
                               [](const Problem& p) { return ElementSize(p.type) == 1; });
  EXPECT_EQ(ElementTypeName(small.type), "i8");
}

TEST(ShrinkTest, SizesShrink) {
  const Problem small = Shrink(Parsed("Adaptive f16 in=2x2x9x9 sizes=7x12 sizestype=i32 index=i32 fill=ties seed=1"),
                               [](const Problem& p) { return p.sizes[1] > SpatialSize(p, 1); });
  EXPECT_EQ(PrintLine(small), "Adaptive f32 in=1x1x1x1 sizes=1x2 sizestype=i64 data=0");
}

TEST(ShrinkTest, CallsAreBoundedAndTheResultStillFails) {
  int calls = 0;
  const auto fails = [&](const Problem& p) {
    ++calls;
    return p.Elements() >= 100 && PrintLine(p).size() % 2 == 0;
  };
  const Problem start = Parsed("Pool f32 in=3x5x17x13 k=4 fill=random seed=70");
  ShrinkOptions options;
  options.max_calls = 50;
  const Problem small = Shrink(start, fails, options);
  EXPECT_LE(calls, 50);
  EXPECT_TRUE(PrintLine(small) == PrintLine(start) || fails(small));
}

TEST(ShrinkTest, SameInputSameOutput) {
  const auto fails = [](const Problem& p) { return p.Elements() % 3 == 0; };
  EXPECT_EQ(PrintLine(Shrink(Parsed(kLarge), fails)), PrintLine(Shrink(Parsed(kLarge), fails)));
}

TEST(ShrinkTest, EverySimplerProblemIsAnotherOne) {
  for (std::string_view line : {kLarge, std::string_view("fixed_hwc fx8 in=4x4x2 kw=3 kh=2 sw=1 sh=1 pl=1 frac=7"),
                                std::string_view("Pool f32 in=2x2x3 k=2 data=1,2,3,4,nan,inf,-0.0,0,0.5,7,8,9")}) {
    const Problem problem = Parsed(line);
    for (const Problem& simpler : SimplerProblems(problem)) {
      EXPECT_NE(PrintLine(simpler), PrintLine(problem));
      EXPECT_LE(simpler.Elements(), problem.Elements());
    }
  }
}

}  // namespace
}  // namespace poolproof
