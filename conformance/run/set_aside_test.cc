// Which cases are set aside depends on the plan and the backend alone, not on who runs which case first.

#include "conformance/run/set_aside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace poolproof {
namespace {

// Two operators; every case of the first hangs for f16, every other one for f32.
struct Example {
  OperatorSpec first, second;
  std::vector<Record> records;

  Example() {
    first.id = "one";
    first.functions.push_back({});
    first.functions[0].name = "One";
    second.id = "two";
    second.functions.push_back({});
    second.functions[0].name = "Two";
    for (uint64_t n = 0; n < 400; ++n) {
      Record& record = records.emplace_back();
      record.n = n;
      record.spec = n % 2 == 0 ? &first : &second;
      record.type = n / 2 % 2 == 0 ? POOLPROOF_F16 : POOLPROOF_F32;
      const bool f16 = record.type == POOLPROOF_F16;
      const bool hangs = record.spec == &first && (f16 || n % 8 == 2);
      record.judgement.verdict = hangs ? Verdict::kTimeout : Verdict::kPass;
    }
  }
};

std::string Verdicts(const std::vector<Record>& records) {
  std::string text;
  for (const Record& record : records) {
    text += std::string(VerdictName(record.judgement.verdict)) + record.judgement.message + "\n";
  }
  return text;
}

// Judged in a random order within windows, as lanes do, and delivered in order. What is known to be
// set aside is not judged.
std::string Play(SetAside& aside, std::mt19937& rng, size_t window) {
  Example plan;
  for (size_t begin = 0; begin < plan.records.size(); begin += window) {
    const size_t end = std::min(begin + window, plan.records.size());
    std::vector<size_t> order;
    for (size_t i = begin; i < end; ++i) order.push_back(i);
    std::shuffle(order.begin(), order.end(), rng);
    for (const size_t i : order) {
      const Record& record = plan.records[i];
      if (!aside.Knows(record.n, *record.spec, record.type)) aside.Note(record);
    }
    for (size_t i = begin; i < end; ++i) aside.Deliver(&plan.records[i]);
  }
  return Verdicts(plan.records);
}

const SetAsideLimits kLimits{{5, 2, 8}, {500, 20, 2000}};

TEST(SetAside, IsTheSameInAnyOrder) {
  std::mt19937 rng(1);
  SetAside in_order(kLimits);
  const std::string expected = Play(in_order, rng, 1);
  EXPECT_NE(expected.find("One f16 was set aside, since 5 of its cases hung"), std::string::npos);
  EXPECT_EQ(expected.find("Two"), std::string::npos);
  for (int i = 0; i < 50; ++i) {
    SetAside aside(kLimits);
    EXPECT_EQ(Play(aside, rng, 1 + rng() % 60), expected);
  }
}

TEST(SetAside, OneResumedKnowsWhatWasBefore) {
  std::mt19937 rng(1);
  SetAside whole(kLimits);
  const std::string expected = Play(whole, rng, 1);
  for (const size_t cut : {0u, 3u, 17u, 40u, 399u}) {
    SetAside aside(kLimits);
    Example before, after;
    SetAside first(kLimits);
    for (size_t i = 0; i < cut; ++i) {
      first.Note(before.records[i]);
      first.Deliver(&before.records[i]);
      aside.Restore(before.records[i]);
    }
    for (size_t i = cut; i < after.records.size(); ++i) {
      aside.Note(after.records[i]);
      aside.Deliver(&after.records[i]);
      before.records[i] = after.records[i];
    }
    EXPECT_EQ(Verdicts(before.records), expected) << cut;
    ASSERT_EQ(aside.Pairs().size(), whole.Pairs().size());
    EXPECT_EQ(aside.Pairs()[0].missing, whole.Pairs()[0].missing);
    EXPECT_EQ(aside.Pairs()[0].why, whole.Pairs()[0].why);
  }
}

TEST(SetAside, FewEndsAreEnoughOnceThereHaveBeenMany) {
  std::mt19937 rng(1);
  SetAside aside({{100, 2, 8}, {500, 20, 2000}});
  const std::string verdicts = Play(aside, rng, 1);
  EXPECT_NE(verdicts.find("set aside, since 2 of its cases hung"), std::string::npos);
  EXPECT_EQ(aside.Pairs().size(), 2u);
}

TEST(SetAside, WhatConformsOrFailsCountsNothing) {
  SetAside aside(kLimits);
  Example plan;
  for (Record& record : plan.records) {
    record.judgement.verdict = Verdict::kFail;
    aside.Note(record);
    aside.Deliver(&record);
    EXPECT_EQ(record.judgement.verdict, Verdict::kFail);
  }
  EXPECT_TRUE(aside.Pairs().empty());
}

}  // namespace
}  // namespace poolproof
