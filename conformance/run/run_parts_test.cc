// The parts of a run that need no backend: shards, patterns, order of delivery, resolution of what
// single cases leave open.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <numeric>
#include <thread>

#include "conformance/run/baseline.h"
#include "conformance/run/delivery.h"
#include "conformance/run/finish.h"
#include "conformance/run/shard.h"

namespace poolproof {
namespace {

using reference::Entry;
using testing::HasSubstr;

TEST(Shard, EachIdIsInJustOneShardAndShardsAreEven) {
  std::array<int, 4> sizes{};
  for (int i = 0; i < 20000; ++i) {
    const std::string id = "MaxPool-8 f32 in=1x1x" + std::to_string(i);
    int homes = 0;
    for (uint32_t index = 1; index <= 4; ++index) {
      if (!InShard({index, 4}, id)) continue;
      ++homes;
      ++sizes[index - 1];
    }
    ASSERT_EQ(homes, 1) << id;
  }
  for (const int size : sizes) EXPECT_NEAR(size, 5000, 300);
}

TEST(Shard, TextIsStrict) {
  Error error;
  EXPECT_TRUE(ParseShard("1/1", &error));
  for (const char* text : {"0/2", "3/2", "1", "1/", "/2", "a/b", "1/2x", "-1/2", ""}) {
    EXPECT_FALSE(ParseShard(text, &error)) << text;
    EXPECT_NE(error.message.find(text), std::string::npos);
  }
}

// Variables that are set as long as this lives.
class Environment {
 public:
  explicit Environment(std::map<std::string, std::string> values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto& [name, value] : values_) unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::string> values_;
};

std::string ShardIn(std::map<std::string, std::string> values) {
  const Environment environment(std::move(values));
  Error error;
  const auto shard = ShardFromEnvironment(&error);
  return shard ? fmt::format("{}/{}", shard->index, shard->count) : error.message;
}

TEST(Shard, ServicesCountFromZeroOrOne) {
  EXPECT_EQ(ShardIn({{"CI_NODE_INDEX", "3"}, {"CI_NODE_TOTAL", "3"}}), "3/3");
  EXPECT_EQ(ShardIn({{"CIRCLE_NODE_INDEX", "0"}, {"CIRCLE_NODE_TOTAL", "3"}}), "1/3");
  EXPECT_EQ(ShardIn({{"BUILDKITE_PARALLEL_JOB", "2"}, {"BUILDKITE_PARALLEL_JOB_COUNT", "3"}}), "3/3");
  EXPECT_EQ(ShardIn({{"JOB_COMPLETION_INDEX", "7"}, {"JOB_COMPLETIONS", "8"}}), "8/8");
  EXPECT_THAT(ShardIn({{"CIRCLE_NODE_INDEX", "3"}, {"CIRCLE_NODE_TOTAL", "3"}}), HasSubstr("name no shard"));
  EXPECT_THAT(ShardIn({{"JOB_COMPLETION_INDEX", "7"}}), HasSubstr("Set JOB_COMPLETIONS"));
  EXPECT_EQ(ShardIn({}), "1/1");
}

TEST(Shard, BazelSeesThatItsShardsAreKnown) {
  const std::string file = testing::TempDir() + fmt::format("poolproof-shard-{}", getpid());
  const auto shard_with = [](const std::string& status) {
    return ShardIn({{"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "4"}, {"TEST_SHARD_STATUS_FILE", status}});
  };
  EXPECT_EQ(shard_with(file), "2/4");
  EXPECT_EQ(unlink(file.c_str()), 0);
  EXPECT_THAT(shard_with("/none/here"), HasSubstr("TEST_SHARD_STATUS_FILE=/none/here cannot be written"));
}

// Elements 2 and 5 of an array of eight, submitted again, are an array of two: its size cuts no shards.
TEST(Shard, SizeOfAnArrayIsNotTaken) {
  EXPECT_THAT(ShardIn({{"SLURM_ARRAY_TASK_ID", "5"}, {"SLURM_ARRAY_TASK_MIN", "5"}, {"SLURM_ARRAY_TASK_COUNT", "2"}}),
              HasSubstr("give --shard=5/N"));
  EXPECT_THAT(ShardIn({{"SGE_TASK_ID", "5"}, {"SGE_TASK_LAST", "5"}}), HasSubstr("give --shard=5/N"));
  EXPECT_THAT(ShardIn({{"PBS_ARRAY_INDEX", "5"}}), HasSubstr("give --shard=5/N"));
  EXPECT_EQ(ShardIn({{"SGE_TASK_ID", "undefined"}}), "1/1");
}

// Places of the plan that the filter leaves, of the first `count`.
size_t Left(const std::string& filter, uint64_t count) {
  Error error;
  const Specs specs = LoadSpecs("", &error).value();
  PlanOptions options;
  options.filter = filter;
  options.random_count = 0;
  const Plan plan = Plan::Make(specs, options, &error).value();
  PlannedCase planned;
  size_t left = 0;
  for (uint64_t n = 0; n < std::min(plan.Size(), count); ++n) left += plan.Get(n, &planned) ? 1 : 0;
  return left;
}

TEST(Plan, FilterTakesExactNames) {
  constexpr uint64_t kCases = 1500;
  const size_t one = Left("MaxPool-1", kCases), other = Left("MaxPool-14", kCases);
  EXPECT_GT(one, 0u);
  EXPECT_GT(other, 0u);
  EXPECT_EQ(Left("MaxPool-1*", kCases), one + other);
  EXPECT_EQ(Left("MaxPool-1?", kCases), other);
  EXPECT_EQ(Left("MaxPool-1 !invalid", kCases) + Left("MaxPool-1 invalid", kCases), one);
  EXPECT_EQ(Left("f16", kCases) + Left("bf16", kCases), Left("*f16", kCases));
  EXPECT_EQ(Left("MaxPool-8/example-1", kCases), 1u);
  EXPECT_EQ(Left("MaxPool-8 example-1", kCases), 1u);
  EXPECT_EQ(Left("MaxPool", kCases), 0u);
}

TEST(Baseline, StarStandsForAnyText) {
  EXPECT_TRUE(PatternFits("*", ""));
  EXPECT_TRUE(PatternFits("MaxPool-8 *", "MaxPool-8 f32 in=1"));
  EXPECT_TRUE(PatternFits("*rounding=ceil*", "A rounding=ceil_torch"));
  EXPECT_TRUE(PatternFits("a*b*c", "aXbYbZc"));
  EXPECT_FALSE(PatternFits("a*b*c", "aXbYbZ"));
  EXPECT_FALSE(PatternFits("MaxPool-1", "MaxPool-14"));
  EXPECT_FALSE(PatternFits("", "x"));
}

TEST(Delivery, RecordsArriveInPlanOrderFromManyThreads) {
  std::vector<uint64_t> seen;
  const Sink sink = [&](Record& record) {
    seen.push_back(record.n);
    return true;
  };
  Delivery delivery(0, 1000, 7, 4, sink);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      while (const auto first = delivery.Claim([] {})) {
        std::vector<Record> records;
        for (uint64_t n = *first; n < delivery.ChunkEnd(*first); ++n) records.emplace_back().n = n;
        delivery.Deliver(*first, std::move(records));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<uint64_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(seen, all);
}

TEST(Delivery, NothingFollowsAChunkThatWasCut) {
  std::vector<uint64_t> seen;
  const Sink sink = [&](Record& record) {
    seen.push_back(record.n);
    return true;
  };
  const auto records = [](std::initializer_list<uint64_t> places) {
    std::vector<Record> all;
    for (const uint64_t n : places) all.emplace_back().n = n;
    return all;
  };
  Delivery delivery(0, 100, 3, 8, sink);
  for (int i = 0; i < 3; ++i) delivery.Claim([] {});
  delivery.Deliver(6, records({6, 7, 8}));
  delivery.Deliver(3, records({3}), true);
  delivery.Deliver(0, records({0, 1, 2}));
  EXPECT_EQ(seen, (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_FALSE(delivery.Claim([] {}));
}

TEST(Delivery, WhoHoldsTheOldestChunkIsAskedForItBeforeWaiting) {
  int delivered = 0;
  const Sink sink = [&](Record&) { return true; };
  Delivery delivery(0, 100, 1, 2, sink);
  std::vector<uint64_t> held;
  const auto give_back = [&] {
    for (const uint64_t first : held) delivery.Deliver(first, {});
    delivered += static_cast<int>(held.size());
    held.clear();
  };
  while (const auto first = delivery.Claim(give_back)) held.push_back(*first);
  give_back();
  EXPECT_EQ(delivered, 100);
}

Record Passing(Entry entry, uint32_t readings) {
  Record record;
  record.id = "case";
  record.judgement.verdict = Verdict::kPass;
  record.judgement.evidence = {{entry, readings}};
  return record;
}

TEST(Resolve, AnUnusualReadingOfASilenceIsInconsistentAndNamesTheProof) {
  const Usuals usuals = FindUsuals({{{"ties", 1}, {90, "a first"}}, {{"ties", 2}, {3, "a last"}}});
  Record usual = Passing(Entry::kTies, 1);
  EXPECT_EQ(Resolve(usuals, {}, {}, &usual), "");
  EXPECT_EQ(usual.judgement.verdict, Verdict::kPass);
  Record unusual = Passing(Entry::kTies, 2);
  EXPECT_EQ(Resolve(usuals, {}, {}, &unusual), "a first");
  EXPECT_EQ(unusual.judgement.verdict, Verdict::kInconsistent);
}

TEST(Resolve, AToleratedAnswerThatIsNoListedReadingContradictsNothing) {
  const Usuals usuals = FindUsuals({{{"ties", 1}, {9, "a"}}, {{"ties", 4}, {5, "b"}}});
  Record other = Passing(Entry::kTies, 4);
  EXPECT_EQ(Resolve(usuals, {}, {}, &other), "");
}

TEST(Resolve, AmongSeveralExplanationsTheOneThatOtherCasesSupportIsChosen) {
  Record record;
  record.judgement.verdict = Verdict::kDeviates;
  record.judgement.candidates = {{{{Entry::kValidCeil, 1}}, {}}, {{{Entry::kCeilPastEnd, 1}}, {}}};
  Resolve({}, {{"ceil-past-end=dropped", 500}}, {}, &record);
  EXPECT_EQ(record.signature, "ceil-past-end=dropped");
  EXPECT_EQ(record.judgement.verdict, Verdict::kDeviates);
}

TEST(Resolve, AnExplanationThatContradictsTheUsualReadingGivesWayToADeviation) {
  const Usuals usuals = FindUsuals({{{"avg-overhang", 1}, {200, "counted"}}});
  Record record;
  record.judgement.verdict = Verdict::kPass;
  record.judgement.candidates = {{{}, {{Entry::kAvgOverhang, 2}}}, {{{Entry::kAvgIncludeWithoutPads, 1}}, {}}};
  Resolve(usuals, {}, {}, &record);
  EXPECT_EQ(record.judgement.verdict, Verdict::kDeviates);
  EXPECT_EQ(record.signature, "avg-include-without-pads=excluded");
}

}  // namespace
}  // namespace poolproof
