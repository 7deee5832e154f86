// Cases that go well, in every placement, and everything that may differ from case to case.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>

#include "conformance/worker/sanitizers.h"
#include "conformance/worker/shared_layout.h"
#include "conformance/worker/test_call.h"

namespace poolproof::worker {
namespace {

std::unique_ptr<Lane> StartMisbehaving(bool odd_starts = false) {
  LaneOptions options;
  options.backend = BackendPath("misbehaving");
  options.odd_starts = odd_starts;
  return StartOrFail(options);
}

std::vector<float> Counting(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(SharedLane, NamesTheBackend) {
  const auto lane = StartMisbehaving();
  EXPECT_EQ(lane->Info().name, "misbehaving");
  EXPECT_EQ(lane->Info().version, "0.1");
  EXPECT_EQ(lane->Info().abi_version, POOLPROOF_ABI_VERSION);
}

TEST(SharedLane, RunsACaseInEachPlacement) {
  for (const bool odd_starts : {false, true}) {
    const auto lane = StartMisbehaving(odd_starts);
    const CaseResult& result = RunFault(lane.get(), "none", 2);
    EXPECT_EQ(result.event, Event::kNone) << result.event_text;
    ASSERT_EQ(result.placements, odd_starts ? 3 : 2);
    EXPECT_TRUE(result.ran);
    EXPECT_EQ(result.outputs[0].element_type, POOLPROOF_F32);
    EXPECT_EQ(result.outputs[0].size_bytes, 40u);
    EXPECT_EQ(result.outputs[1].element_type, POOLPROOF_I32);
    for (int p = 0; p < result.placements; ++p) {
      EXPECT_EQ(result.run_status[static_cast<size_t>(p)], POOLPROOF_OK);
      EXPECT_EQ(Values<float>(result, p, 0, 10), Counting(10));
      EXPECT_EQ(Values<int32_t>(result, p, 1, 10).back(), 9);
    }
  }
}

TEST(SharedLane, RunsManyBatchesOfAllSizes) {
  const auto lane = StartMisbehaving(true);
  size_t next = 0;
  for (int batch = 0; batch < 40; ++batch) {
    std::vector<size_t> counts;
    while (true) {
      const size_t count = next++ * 37 % 9000;  // from empty to more than a region
      TestCall call("Copy", POOLPROOF_F32, {static_cast<int64_t>(count)}, 2);
      auto* data = static_cast<float*>(lane->Add(call.Get(), 0));
      if (data == nullptr) break;
      std::iota(data, data + count, 0.0f);
      counts.push_back(count);
    }
    lane->Submit();
    const auto results = lane->Wait();
    ASSERT_EQ(results.size(), counts.size());
    for (size_t i = 0; i < counts.size(); ++i) {
      ASSERT_EQ(results[i].event, Event::kNone) << results[i].event_text;
      for (int p = 0; p < 3; ++p) {
        ASSERT_EQ(Values<float>(results[i], p, 0, counts[i]), Counting(counts[i]));
      }
    }
  }
  EXPECT_EQ(lane->Restarts(), 0);
}

TEST(SharedLane, KeepsResultsWhileTheNextBatchRuns) {
  const auto lane = StartMisbehaving();
  TestCall first("Copy", POOLPROOF_F32, {3});
  TestCall second("Copy", POOLPROOF_F32, {20'000});
  for (int repeat = 0; repeat < 3; ++repeat) {
    AddCounting(lane.get(), &first);
    lane->Submit();
    AddCounting(lane.get(), &second);
    lane->Submit();
    EXPECT_EQ(lane->InFlight(), 2);
    const auto results = lane->Take(true);
    ASSERT_TRUE(results.has_value());
    ASSERT_EQ(results->size(), 1u);
    EXPECT_EQ(Values<float>((*results)[0], 1, 0, 3), Counting(3));
    EXPECT_EQ(Values<float>(lane->Wait()[0], 1, 0, 20'000), Counting(20'000));
    EXPECT_TRUE(lane->Wait().empty());
  }
}

// Nothing is handed over before it has rested, and nothing that rests is overwritten.
TEST(SharedLane, LetsOutputsRest) {
  const auto lane = StartMisbehaving();
  TestCall call("Copy", POOLPROOF_F32, {5});
  int batches = 0;
  while (!lane->MustTake()) {
    *static_cast<float*>(lane->Add(call.Get(), 0)) = static_cast<float>(batches);
    lane->Submit();
    if (batches++ == 0) {
      EXPECT_FALSE(lane->Take(false).has_value());
    }
  }
  EXPECT_EQ(lane->InFlight(), batches);
  EXPECT_GT(batches, 8);
  EXPECT_THROW(lane->Add(call.Get(), 0), std::logic_error);
  for (int i = 0; i < batches; ++i) {
    const auto results = lane->Take(true);
    ASSERT_TRUE(results.has_value());
    EXPECT_EQ(Values<float>((*results)[0], 0, 0, 1)[0], static_cast<float>(i));
    EXPECT_EQ(Values<float>((*results)[0], 1, 0, 1)[0], static_cast<float>(i));
  }
}

// The memory of large tensors is used again, with its guards, and not while it is needed.
TEST(SharedLane, UsesArenasAgain) {
  const auto lane = StartMisbehaving();
  TestCall call("Copy", POOLPROOF_I8, {5'000'000});
  TestCall outside("Copy", POOLPROOF_I8, {5'000'000});
  outside.Word("fault", "write-past-end");
  int taken = 0, submitted = 0;
  const auto take = [&] {
    const auto results = lane->Take(true);
    ASSERT_TRUE(results.has_value());
    const CaseResult& result = (*results)[0];
    if (taken % 50 == 49) {
      EXPECT_EQ(result.event, Event::kOutOfBounds) << taken;
    } else {
      EXPECT_EQ(result.event, Event::kNone) << result.event_text;
      ASSERT_EQ(result.placements, 2);
      EXPECT_EQ(result.data[1][0][4'999'999], std::byte{7}) << taken;
    }
    ++taken;
  };
  for (; submitted < 300; ++submitted) {
    while (lane->MustTake()) take();
    AddCounting(lane.get(), submitted % 50 == 49 ? &outside : &call);
    lane->Submit();
  }
  while (lane->InFlight() > 0) take();
  EXPECT_EQ(taken, submitted);
}

TEST(SharedLane, RunsTheSecondPlacementInReverseOrder) {
  const auto lane = StartMisbehaving();
  std::vector<std::unique_ptr<TestCall>> calls;
  for (int i = 0; i < 3; ++i) {
    calls.push_back(std::make_unique<TestCall>("Copy", POOLPROOF_F32, std::vector<int64_t>{1}));
    calls.back()->Word("fault", "history");
    *static_cast<float*>(lane->Add(calls.back()->Get(), 0)) = static_cast<float>(10 + i);
  }
  lane->Submit();
  // "history" answers the input of the call before.
  const auto results = lane->Wait();
  EXPECT_EQ(Values<float>(results[1], 0, 0, 1)[0], 10);
  EXPECT_EQ(Values<float>(results[1], 1, 0, 1)[0], 12);
}

TEST(SharedLane, PassesAttributesAndSizes) {
  const auto lane = StartMisbehaving();
  TestCall call("Copy", POOLPROOF_F32, {2});
  call.Ints("kernel", {3, 4, 5}).Int("axis", -2).Word("empty", "").Ints("none", {}).Sizes({7, 9});
  const auto results = RunCounting(lane.get(), {&call});
  EXPECT_EQ(results[0].event, Event::kNone) << results[0].event_text;
  EXPECT_EQ(results[0].infer_status, POOLPROOF_OK);
}

TEST(SharedLane, RefusesWhatDoesNotFit) {
  const auto lane = StartMisbehaving();
  TestCall wordy("Copy", POOLPROOF_F32, {2});
  wordy.Word("fault", std::string(kMaxDescriptionBytes, 'x'));
  EXPECT_THROW(lane->Add(wordy.Get(), 0), std::length_error);
  TestCall large("Copy", POOLPROOF_I8, {lane->MaxBytes() + 1});
  EXPECT_THROW(lane->Add(large.Get(), 0), std::length_error);
  EXPECT_EQ(lane->Filled(), 0);
}

TEST(SharedLane, AsksOnlyForShapesOfHugeInputs) {
  const auto lane = StartMisbehaving();
  TestCall call("Copy", POOLPROOF_I8, {int64_t{1} << 40});
  ASSERT_TRUE(lane->AddInferOnly(call.Get()));
  lane->Submit();
  const auto results = lane->Wait();
  EXPECT_EQ(results[0].infer_status, POOLPROOF_OK);
  EXPECT_FALSE(results[0].ran);
  EXPECT_EQ(results[0].not_run, "infer only");
  EXPECT_EQ(results[0].outputs[0].dims[0], int64_t{1} << 40);
}

TEST(SharedLane, RunsLargeTensors) {
  const auto lane = StartMisbehaving(true);
  TestCall call("Copy", POOLPROOF_F32, {1'000'003}, 2);
  for (int repeat = 0; repeat < 3; ++repeat) {
    AddCounting(lane.get(), &call);
    TestCall no_room("Copy", POOLPROOF_F32, {1});
    EXPECT_EQ(lane->Add(no_room.Get(), 0), nullptr);
    lane->Submit();
    const auto results = lane->Wait();
    ASSERT_EQ(results[0].event, Event::kNone) << results[0].event_text;
    for (int p = 0; p < 3; ++p) {
      EXPECT_EQ(Values<float>(results[0], p, 0, 1'000'003), Counting(1'000'003));
    }
  }
}

TEST(SharedLane, RunsVeryLargeInputsInOnePlace) {
  const auto lane = StartMisbehaving();
  constexpr int64_t kBytes = kOneCopyBytes + 5;
  TestCall call("Copy", POOLPROOF_I8, {kBytes});
  for (const char last : {'a', 'b'}) {
    auto* input = static_cast<char*>(lane->Add(call.Get(), 0));
    input[0] = 3;
    input[kBytes - 1] = last;
    lane->Submit();
    const auto results = lane->Wait();
    ASSERT_EQ(results[0].event, Event::kNone) << results[0].event_text;
    for (size_t p = 0; p < 2; ++p) {
      const auto* output = reinterpret_cast<const char*>(results[0].data[p][0]);
      EXPECT_EQ(output[0], 3);
      EXPECT_EQ(output[kBytes - 1], last);
    }
    lane->ReleaseTaken();
  }
}

TEST(SharedLane, RunsLargeOutputsOfSmallInputs) {
  const auto lane = StartMisbehaving();
  const CaseResult& result = RunFault(lane.get(), "wide-output");
  ASSERT_EQ(result.event, Event::kNone) << result.event_text;
  EXPECT_EQ(Values<char>(result, 1, 0, 100'000), std::vector<char>(100'000, 9));
}

TEST(SharedLane, LeavesUnwrittenElementsAsPrefill) {
  const auto lane = StartMisbehaving();
  const CaseResult& result = RunFault(lane.get(), "skip-last");
  ASSERT_EQ(result.placements, 2);
  EXPECT_NE(result.prefill[0], result.prefill[1]);
  for (int p = 0; p < 2; ++p) {
    const auto bytes = Values<std::byte>(result, p, 0, 40);
    for (size_t i = 36; i < 40; ++i) EXPECT_EQ(bytes[i], result.prefill[static_cast<size_t>(p)]);
  }
}

// Those of a small input, output and attribute, then of a large input and output, as a backend sees them.
std::vector<uint64_t> AddressesAt(Lane* lane) {
  std::vector<uint64_t> all;
  for (const int64_t size : {3, 10'000}) {
    TestCall call("Copy", POOLPROOF_I64, {size});
    call.Word("fault", "addresses");
    const CaseResult& result = RunCounting(lane, {&call})[0];
    EXPECT_EQ(result.event, Event::kNone) << result.event_text;
    for (const uint64_t address : Values<uint64_t>(result, 0, 0, size == 3 ? 3 : 2)) all.push_back(address);
  }
  return all;
}

TEST(SharedLane, LaysTensorsWhereTheSeedSays) {
  const auto addresses_of = [](uint64_t seed) {
    const auto lane = StartMisbehaving();
    lane->SetSeed(seed);
    return AddressesAt(lane.get());
  };
  const auto lane = StartMisbehaving();
  const std::vector<uint64_t> fixed = AddressesAt(lane.get());
  ASSERT_EQ(fixed.size(), 5u);
  EXPECT_EQ(addresses_of(1), fixed);
  std::set<uint64_t> seen;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<uint64_t> moved = addresses_of(seed);
    ASSERT_EQ(moved.size(), fixed.size());
    for (size_t i = 0; i < fixed.size(); ++i) {
      EXPECT_EQ(moved[i] - fixed[i], BaseOf(seed) - kWorkerBase);
      EXPECT_EQ(moved[i] % kPage, fixed[i] % kPage);
      seen.insert(moved[i]);
    }
  }
  EXPECT_EQ(seen.size(), kThreadSanitizer ? fixed.size() : 20 * fixed.size());
}

TEST(SharedLane, GivesTheCapacityAskedFor) {
  const auto lane = StartMisbehaving();
  TestCall call("Copy", POOLPROOF_F32, {10});
  for (const int64_t capacity : {-1, -40, -1000}) {
    AddCounting(lane.get(), &call, capacity);
    lane->Submit();
    const auto results = lane->Wait();
    EXPECT_EQ(results[0].event, Event::kNone) << results[0].event_text;
    EXPECT_EQ(results[0].run_status[0], POOLPROOF_INVALID_ARGUMENT);
    EXPECT_EQ(results[0].error, "output 1 has too little room");
  }
  AddCounting(lane.get(), &call, 12);
  lane->Submit();
  const auto results = lane->Wait();
  EXPECT_EQ(results[0].run_status[1], POOLPROOF_OK);
  EXPECT_EQ(Values<float>(results[0], 1, 0, 10), Counting(10));
}

TEST(SharedLane, CountsAndLogsStdout) {
  LaneOptions options;
  options.backend = BackendPath("misbehaving");
  options.options = {"create=stdout"};
  options.log_path = testing::TempDir() + "/lane_stdout_test.log";
  std::remove(options.log_path.c_str());
  {
    const auto lane = StartOrFail(options);
    EXPECT_EQ(lane->StdoutBytes(), 8);
    RunFault(lane.get(), "stdout");
    EXPECT_EQ(lane->StdoutBytes(), 8 + 2 * 6);
    RunFault(lane.get(), "abort");
    EXPECT_EQ(lane->StdoutBytes(), 8 + 2 * 6 + 8);
  }
  std::stringstream log;
  log << std::ifstream(options.log_path).rdbuf();
  EXPECT_EQ(log.str(), "created\nnoise\nnoise\ncreated\n");
}

// A backend that floods its output neither fills the disk nor stops the run.
TEST(SharedLane, CutsTheLog) {
  LaneOptions options;
  options.backend = BackendPath("misbehaving");
  options.log_path = testing::TempDir() + "/lane_flood_test.log";
  options.log_bytes = 10'000;
  std::remove(options.log_path.c_str());
  {
    const auto lane = StartOrFail(options);
    EXPECT_EQ(RunFault(lane.get(), "flood").placements, 2);
    EXPECT_EQ(lane->StdoutBytes(), 2 * 32'000'000);
  }
  std::stringstream log;
  log << std::ifstream(options.log_path).rdbuf();
  const std::string note = "\n[the log was cut here; 127990000 more bytes came]\n";
  EXPECT_EQ(log.str().size(), 10'000 + note.size());
  EXPECT_TRUE(log.str().ends_with(note)) << log.str().substr(9'990);
}

TEST(SharedLane, RestartsOnRequest) {
  const auto lane = StartMisbehaving();
  const int before = lane->ProcessId();
  lane->Restart();
  EXPECT_NE(lane->ProcessId(), before);
  EXPECT_EQ(kill(before, 0), -1);
  EXPECT_EQ(RunFault(lane.get(), "none").placements, 2);
}

TEST(SharedLane, RunsLanesInThreads) {
  std::vector<std::thread> threads;
  std::vector<int> placements(4);
  for (int& done : placements) {
    threads.emplace_back([&done] {
      const auto lane = StartMisbehaving();
      for (int i = 0; i < 20; ++i) {
        done += RunFault(lane.get(), i % 5 == 0 ? "abort" : "none").placements;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(placements, std::vector<int>(4, 16 * 2));
}

}  // namespace
}  // namespace poolproof::worker
