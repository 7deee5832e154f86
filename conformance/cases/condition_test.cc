#include "conformance/cases/condition.h"

#include <gtest/gtest.h>

#include <array>

#include "conformance/cases/test_specs.h"

namespace poolproof {
namespace {

using Words = std::vector<std::string>;

class ConditionTest : public testing::Test {
 protected:
  template <typename Set>
  bool Holds(const Set& set) const {
    Condition condition;
    set(condition);
    return Matches(condition, problem_, occasion_, problem_.spec);
  }
  template <typename Member, typename Value>
  bool Holds(const char* attribute, Member Condition::* member, const Value& value) const {
    return Holds([&](Condition& c) {
      c.attribute = attribute;
      c.*member = value;
    });
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
  EXPECT_TRUE(Holds("kernel", &Condition::at_least, 3));
  EXPECT_FALSE(Holds("kernel", &Condition::at_least, 4));
  EXPECT_TRUE(Holds("kernel", &Condition::equals, 2));
  EXPECT_FALSE(Holds("kernel", &Condition::equals, 1));
  EXPECT_TRUE(Holds("axis", &Condition::equals, -1));
  EXPECT_TRUE(Holds("rounding_type", &Condition::words, Words{"floor", "ceil"}));
  EXPECT_FALSE(Holds("rounding_type", &Condition::words, Words{"floor"}));
  EXPECT_TRUE(Holds("exclude-pad", &Condition::words, Words{"true"}));
  EXPECT_FALSE(Holds("exclude-pad", &Condition::words, Words{"false"}));
  EXPECT_TRUE(Holds("pads_end", &Condition::absent, true));
  EXPECT_FALSE(Holds("kernel", &Condition::absent, true));
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
