#include "conformance/problem/condition.h"

#include <gtest/gtest.h>

#include <array>

#include "conformance/problem/test_specs.h"

namespace poolproof {
namespace {

class ConditionTest : public testing::Test {
 protected:
  template <typename Set>
  bool Holds(const Set& set) const {
    Condition condition;
    set(condition);
    return Matches(condition, problem_, occasion_, problem_.spec);
  }

  Problem problem_ = Parsed("Pool f16 in=1x1x4x4 k=3x2 s=1 rounding=ceil exclude=true axis=-1");
  std::array<std::string_view, 2> touched_ = {"ties", "nan"};
  Occasion occasion_{touched_, "stride-zero", "example-1"};
};

TEST_F(ConditionTest, EmptyHoldsForTheAskingOperatorOnly) {
  EXPECT_TRUE(Holds([](Condition&) {}));
  EXPECT_TRUE(Matches({}, problem_, occasion_, nullptr));
  EXPECT_FALSE(Matches({}, problem_, occasion_, &TestSpecs().operators[1]));
  EXPECT_TRUE(Holds([](Condition& c) { c.operators = {"Adaptive", "Pool"}; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.operators = {"Adaptive"}; }));
  EXPECT_TRUE(Holds([](Condition& c) { c.operators = {"adaptive", "pool"}; }));
}

TEST_F(ConditionTest, AllMustHold) {
  Condition kernel, rank;
  kernel.attribute = "kernel";
  rank.ranks = {4};
  EXPECT_TRUE(Holds([&](Condition& c) { c.all = {kernel, rank}; }));
  rank.ranks = {5};
  EXPECT_FALSE(Holds([&](Condition& c) { c.all = {kernel, rank}; }));
}

TEST_F(ConditionTest, Attributes) {
  EXPECT_TRUE(Holds([](Condition& c) { c.attribute = "kernel"; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.attribute = "pads_begin"; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.attribute = "no such attribute"; }));
  EXPECT_TRUE(Holds([](Condition& c) {
    c.attribute = "kernel";
    c.at_least = 3;
  }));
  EXPECT_FALSE(Holds([](Condition& c) {
    c.attribute = "kernel";
    c.at_least = 4;
  }));
  EXPECT_TRUE(Holds([](Condition& c) {
    c.attribute = "kernel";
    c.equals = 2;
  }));
  EXPECT_FALSE(Holds([](Condition& c) {
    c.attribute = "kernel";
    c.equals = 1;
  }));
  EXPECT_TRUE(Holds([](Condition& c) {
    c.attribute = "axis";
    c.equals = -1;
  }));
  EXPECT_TRUE(Holds([](Condition& c) {
    c.attribute = "rounding_type";
    c.words = {"floor", "ceil"};
  }));
  EXPECT_FALSE(Holds([](Condition& c) {
    c.attribute = "rounding_type";
    c.words = {"floor"};
  }));
  EXPECT_TRUE(Holds([](Condition& c) {
    c.attribute = "exclude-pad";
    c.words = {"true"};
  }));
  EXPECT_FALSE(Holds([](Condition& c) {
    c.attribute = "exclude-pad";
    c.words = {"false"};
  }));
  EXPECT_TRUE(Holds([](Condition& c) {
    c.attribute = "pads_end";
    c.absent = true;
  }));
  EXPECT_FALSE(Holds([](Condition& c) {
    c.attribute = "kernel";
    c.absent = true;
  }));
}

TEST_F(ConditionTest, TheRest) {
  EXPECT_TRUE(Holds([](Condition& c) { c.ranks = {3, 4}; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.ranks = {5}; }));
  EXPECT_TRUE(Holds([](Condition& c) { c.types = {POOLPROOF_F16}; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.types = {POOLPROOF_F32}; }));
  EXPECT_TRUE(Holds([](Condition& c) { c.touches = "nan"; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.touches = "signed-zero"; }));
  EXPECT_TRUE(Holds([](Condition& c) { c.rule = "stride-zero"; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.rule = "kernel-zero"; }));
  EXPECT_TRUE(Holds([](Condition& c) { c.example = "example-1"; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.example = "example-2"; }));
  EXPECT_TRUE(Holds([](Condition& c) { c.variant = "oo"; }));
  EXPECT_FALSE(Holds([](Condition& c) { c.variant = "_k3x3"; }));
}

TEST_F(ConditionTest, EveryMemberHasToHold) {
  EXPECT_FALSE(Holds([](Condition& c) {
    c.attribute = "kernel";
    c.ranks = {5};
  }));
  EXPECT_FALSE(Holds([](Condition& c) {
    c.ranks = {4};
    c.touches = "signed-zero";
  }));
}

}  // namespace
}  // namespace poolproof
