// Shards, what a filter leaves of a plan, digests.

#include "conformance/cases/plan.h"
#include "conformance/cases/filter.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "conformance/cases/digest.h"

namespace poolproof {
namespace {

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

// Places of the plan that the filter leaves, of the first `count`, which are the same from level quick on.
size_t Left(const std::string& filter, uint64_t count) {
  Error error;
  PlanOptions options;
  options.level = Level::kQuick;
  options.filter = filter;
  options.random_count = 0;
  const Plan plan = Plan::Make(BuiltInSpecs(), options, &error).value();
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

TEST(Plan, FilterTakesAConditionAsWell) {
  constexpr uint64_t kCases = 1500;
  EXPECT_EQ(Left("op = MaxPool-8", kCases), Left("MaxPool-8", kCases));
  EXPECT_EQ(Left("section != invalid and op in {MaxPool-8, MaxPool-14}", kCases),
            Left("MaxPool-8 !invalid", kCases) + Left("MaxPool-14 !invalid", kCases));
  EXPECT_EQ(Left("is_invalid", kCases), Left("invalid", kCases));
  EXPECT_EQ(Left("example = example-1 and op = MaxPool-8", kCases), 1u);
  EXPECT_EQ(Left("is_float or not is_float", kCases), Left("", kCases));
  const size_t narrow = Left("not is_invalid and out_width<3", kCases),
               wide = Left("not is_invalid and out_width >= 3", kCases);
  EXPECT_GT(narrow, 0u);
  EXPECT_EQ(narrow + wide, Left("!invalid", kCases));
  EXPECT_EQ(Left(WithoutSection("is_invalid or is_float", "invalid"), kCases),
            Left("is_float and section != invalid", kCases));
  EXPECT_EQ(Left(WithoutSection("f32", "invalid"), kCases), Left("f32 !invalid", kCases));
  PlanOptions options;
  options.filter = "widht >= 3";
  Error error;
  EXPECT_FALSE(Plan::Make(BuiltInSpecs(), options, &error));
  EXPECT_EQ(error.message, "--filter: column 1: there is no name \"widht\" (nearest: width).");
}

TEST(Plan, FamiliesAreThoseOfTheFolders) {
  constexpr uint64_t kCases = 1500;
  Error error;
  const auto left = [&](const std::string& filter, const char* families) {
    return Left(WithFamilies(BuiltInSpecs(), filter, families, &error).value(), kCases);
  };
  EXPECT_EQ(left("", "openvino,onnx,pytorch") + left("", "embarc_mli"), Left("", kCases));
  EXPECT_EQ(left("", "onnx"), Left("onnx", kCases));
  EXPECT_EQ(left("f32", "openvino"), Left("f32 openvino", kCases));
  EXPECT_EQ(left("rank = 4", "onnx"), Left("rank = 4 and family = onnx", kCases));
  EXPECT_FALSE(WithFamilies(BuiltInSpecs(), "", "onxn", &error));
  EXPECT_EQ(error.message, "--family: there is no family \"onxn\" (nearest: onnx).");
  EXPECT_FALSE(WithFamilies(BuiltInSpecs(), "", "", &error));
}

// Takes f32 MaxPool-8 in two spatial dimensions, and nothing else.
Support Little() {
  const Specs& specs = BuiltInSpecs();
  Support support;
  Error error;
  for (const OperatorSpec& spec : specs.operators) {
    for (const Function& function : spec.functions) {
      for (const poolproof_element_type type : function.types) {
        if (function.name != "MaxPool-8" || type != POOLPROOF_F32) support.MarkAllUnsupported(function, type);
        if (function.name != "MaxPool-8" || type != POOLPROOF_F32) continue;
        for (const char* text : {"rank = 3", "rank = 5", "rounding_type = ceil", "auto_pad = valid"}) {
          support.MarkUnsupported(function, type, *expression::Expression::Condition(*specs.names, text, &error));
        }
      }
    }
  }
  return support;
}

TEST(Plan, WhatIsFuzzedIsWhatTheBackendHas) {
  constexpr uint64_t kCases = 2000;
  Error error;
  PlanOptions options;
  options.level = Level::kFuzz;
  options.support = Little();
  const Plan plan = Plan::Make(BuiltInSpecs(), options, &error).value();
  PlannedCase planned;
  uint64_t offered = 0;
  for (uint64_t n = plan.FixedSize(); n < plan.FixedSize() + kCases; ++n) {
    ASSERT_TRUE(plan.Get(n, &planned));
    offered += planned.problem.function->name == "MaxPool-8" && planned.problem.type == POOLPROOF_F32 ? 1 : 0;
  }
  // Among the others are those that are called with a type that no document has, which is for the backend to refuse.
  EXPECT_GT(offered, kCases * 98 / 100);
}

// As the tool of the library that it comes from prints them.
TEST(Digest, IsThatOfXxhsum) {
  EXPECT_EQ(Digest().Hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(Digest().Add("abc").Hex(), "06b05ab6733a618578af5f94892f3950");
}

TEST(Digest, DoesNotDependOnHowTextIsCut) {
  const std::string text(600, 'x');
  const std::string whole = Digest().Add(text).Hex();
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view view = text;
    ASSERT_EQ(Digest().Add(view.substr(0, cut)).Add(view.substr(cut)).Hex(), whole) << cut;
  }
}

}  // namespace
}  // namespace poolproof
