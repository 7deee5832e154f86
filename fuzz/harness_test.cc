// The base of the harnesses: problems that are what their line says, calls that a caller can make.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "fuzz/agreement.h"
#include "fuzz/broken_call.h"
#include "fuzz/ended_in.h"
#include "fuzz/problem_from_bytes.h"
#include "optimized/core/backend.h"

namespace poolproof::fuzz {
namespace {

const Problem& Recent(std::string_view line) {
  return RecentProblem(reinterpret_cast<const uint8_t*>(line.data()), line.size());
}

TEST(RecentProblemTest, IsWhatTheLineSays) {
  const std::string line = "MaxPool-8 f32 in=1x1x4x4 k=2 s=1 pb=0 pe=0 fill=ties seed=";
  for (int round = 0; round < 2; ++round) {
    for (int seed = 0; seed < 5000; ++seed) {
      const std::string one = line + std::to_string(seed);
      ASSERT_EQ(PrintLine(Recent(one)), one);
    }
  }
}

TEST(RecentProblemTest, RemembersWithoutReading) {
  Problem problem = Recent("MaxPool-8 f32 in=1x1x4x4 k=2 s=1 pb=0 pe=0 fill=ties seed=3");
  problem.seed = 4;
  const std::string line = PrintLine(problem);
  problem.seed = 5;  // so that the memory, not the line, can be told to have answered
  RememberProblem(line, problem);
  EXPECT_EQ(Recent(line).seed, 5u);
  EXPECT_EQ(Recent(line + " ").seed, 4u);
}

TEST(HashTest, DependsOnEveryByte) {
  uint8_t bytes[23] = {};
  const uint64_t hash = HashOf(bytes, sizeof(bytes));
  for (uint8_t& byte : bytes) {
    byte = 1;
    EXPECT_NE(HashOf(bytes, sizeof(bytes)), hash);
    byte = 0;
  }
  EXPECT_NE(HashOf(bytes, sizeof(bytes) - 1), hash);
}

TEST(SameOutputsTest, SeesDescriptionsAndSizes) {
  const Problem problem = Recent("MaxPool-8 f32 in=1x1x4x4 k=2 s=1 pb=0 pe=0 index=i64 fill=ties seed=3");
  Call a, b;
  a.Bind(problem);
  b.Bind(problem);
  ASSERT_EQ(a.call.output_count, 2u);
  EXPECT_TRUE(SameOutputs(a.call, b.call));
  b.outputs[1].size_bytes += 1;
  EXPECT_FALSE(SameOutputs(a.call, b.call));
  b.outputs[1].size_bytes -= 1;
  b.outputs[1].rank += 1;
  EXPECT_FALSE(SameOutputs(a.call, b.call));
  b.outputs[1].rank -= 1;
  b.call.output_count = 1;
  EXPECT_FALSE(SameOutputs(a.call, b.call));
}

// However many tensors it says it has.
TEST(BrokenCallTest, DescribesAllTensors) {
  const Problem& problem = Recent("MaxPool-1 f32 in=1x1x4x4 k=2x2 s=1x1 pb=0x0 pe=0x0 fill=ties seed=3");
  size_t most = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Choices choices(seed);
    const BrokenCall broken(problem, choices);
    most = std::max(most, broken.call.output_count);
    for (size_t i = 0; i < broken.call.input_count; ++i) {
      ASSERT_EQ(broken.call.inputs[i]->struct_size, sizeof(poolproof_tensor)) << seed;
    }
    for (size_t i = 0; i < broken.call.output_count; ++i) {
      ASSERT_EQ(broken.call.outputs[i]->struct_size, sizeof(poolproof_tensor)) << seed;
    }
  }
  EXPECT_GT(most, 1u);
}

// A campaign charges the library with nothing else.
TEST(EndedInDeathTest, TheHarnessIsToldFromTheLibrary) {
  const auto end_in = [](bool library) {
    SayWhereItEnds([](std::string_view signature) { return signature == "MaxPool-8|received signal SIGABRT in run"; });
    SetOperator("MaxPool-8");
    if (!library) std::raise(SIGSEGV);
    static const poolproof_backend aborting = [] {
      poolproof_backend backend = optimized::Backend();
      backend.run = [](poolproof_instance*, const poolproof_call*) -> poolproof_status { std::abort(); };
      return backend;
    }();
    Error error;
    const auto backend = InProcessBackend::Link(aborting, {}, &error);
    TensorMemory memory;
    backend->Run(Recent("MaxPool-8 f32 in=1x1x4x4 k=2 s=1 pb=0 pe=0 fill=ties seed=3"), &memory);
  };
  EXPECT_DEATH(end_in(false), "ENDED IN: the harness, received signal SIGSEGV\n");
  EXPECT_DEATH(end_in(true), "ENDED IN: the library, received signal SIGABRT in run of MaxPool-8\nKNOWN CAUSE");
}

}  // namespace
}  // namespace poolproof::fuzz
