// Backends that misbehave: each event is found, named, costs one case, and the rest is run.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <tuple>

#include "conformance/worker/shared_layout.h"
#include "conformance/worker/test_call.h"

namespace poolproof::worker {
namespace {

struct Expected {
  const char* fault;
  Event event;
  const char* text;
  int placement;
};

std::string NameOf(Event event) {
  static constexpr const char* kNames[] = {"none",           "crash",        "timeout", "out-of-bounds",
                                           "input-modified", "written-late", "not-run"};
  return kNames[static_cast<size_t>(event)];
}

LaneOptions Misbehaving(double timeout = 10) {
  LaneOptions options;
  options.backend = BackendPath("misbehaving");
  options.timeout_seconds = timeout;
  return options;
}

void Check(const CaseResult& result, const Expected& expected) {
  SCOPED_TRACE(expected.fault);
  EXPECT_EQ(NameOf(result.event), NameOf(expected.event));
  EXPECT_EQ(result.event_text, expected.text);
  EXPECT_EQ(result.event_placement, expected.placement);
  EXPECT_EQ(result.placements, expected.placement);
}

class EventTest : public testing::TestWithParam<Expected> {};

// The case stands between two good ones, which have to be run in every placement all the same.
TEST_P(EventTest, HitsOneCaseAndIsNamed) {
  const auto lane = StartOrFail(Misbehaving(std::string(GetParam().fault) == "hang" ? 2 : 10));
  lane->SetSeed(2);
  TestCall good("Copy", POOLPROOF_F32, {2, 5}, 2);
  TestCall bad("Copy", POOLPROOF_F32, {2, 5}, 2);
  bad.Word("fault", GetParam().fault);
  const auto results = RunCounting(lane.get(), {&good, &bad, &good});
  ASSERT_EQ(results.size(), 3u);
  Check(results[1], GetParam());
  for (const size_t i : {size_t{0}, size_t{2}}) {
    EXPECT_EQ(results[i].event, Event::kNone) << results[i].event_text;
    EXPECT_EQ(results[i].placements, 2);
    EXPECT_EQ(Values<float>(results[i], 1, 0, 10).back(), 9);
  }
}

constexpr Event kOut = Event::kOutOfBounds;
INSTANTIATE_TEST_SUITE_P(
    Memory, EventTest,
    testing::Values(
        Expected{"read-past-end", kOut, "read byte 1 past the end of input 1 in run", 0},
        Expected{"read-8-past-end", kOut, "read byte 8 past the end of input 1 in run", 0},
        Expected{"read-before-start", kOut, "read byte 1 before the start of input 1 in run", 1},
        Expected{"read-output-past-end", kOut, "read byte 1 past the end of output 1 (values) in run", 0},
        Expected{"write-past-end", kOut, "wrote byte 1 past the end of output 1 (values) in run", 0},
        Expected{"write-before-start", kOut, "wrote 1 byte before the start of output 1 (values)", 0},
        Expected{"write-3-before-start", kOut,
                 "wrote 1 byte before the start of output 1 (values), the nearest at distance 3", 0},
        Expected{"write-input-past-end", kOut, "wrote byte 1 past the end of input 1 in run", 0},
        Expected{"infer-writes-struct-size", kOut,
                 "wrote struct_size of output 1 (values), which is the caller's, in infer_shapes", 0},
        Expected{"infer-writes-data", kOut, "wrote data of output 1 (values), which is the caller's, in infer_shapes",
                 0},
        Expected{"write-input", Event::kInputModified, "wrote to byte 0 of input 1 in run", 0},
        Expected{"write-description", Event::kInputModified, "wrote to the description of the call in run", 0},
        Expected{"write-attribute", Event::kInputModified, "wrote to the description of the call in run", 0}));

INSTANTIATE_TEST_SUITE_P(
    Process, EventTest,
    testing::Values(Expected{"abort", Event::kCrash, "received signal SIGABRT in run", 0},
                    Expected{"exit", Event::kCrash, "exited with status 3 in run", 0},
                    Expected{"null", Event::kCrash, "received signal SIGSEGV at address 0x0 in run", 0},
                    Expected{"divide", Event::kCrash, "received signal SIGFPE in run", 0},
                    Expected{"illegal", Event::kCrash, "received signal SIGILL in run", 0},
                    Expected{"kill-self", Event::kCrash, "was killed by signal SIGKILL in run", 0},
                    Expected{"hang", Event::kTimeout, "took more than 2 s in run", 0},
                    Expected{"infer-abort", Event::kCrash, "received signal SIGABRT in infer_shapes", 0},
                    Expected{"infer-reads-data", Event::kCrash,
                             "received signal SIGSEGV at address 0x0 in infer_shapes", 0}));

TEST(Events, StackOverflowIsACrash) {
  const auto lane = StartOrFail(Misbehaving());
  const CaseResult& result = RunFault(lane.get(), "overflow-stack");
  EXPECT_EQ(result.event, Event::kCrash);
  EXPECT_TRUE(result.event_text.starts_with("received signal SIGSEGV at address 0x")) << result.event_text;
}

TEST(Events, ManyInOneBatchEachHitTheirOwnCase) {
  const auto lane = StartOrFail(Misbehaving());
  std::vector<std::unique_ptr<TestCall>> calls;
  for (int i = 0; i < 20; ++i) {
    calls.push_back(std::make_unique<TestCall>("Copy", POOLPROOF_F32, std::vector<int64_t>{3}));
    if (i % 3 == 0) calls.back()->Word("fault", "abort");
    if (i % 3 == 1) calls.back()->Word("fault", "read-before-start");
    AddCounting(lane.get(), calls.back().get());
  }
  lane->Submit();
  const auto results = lane->Wait();
  for (size_t i = 0; i < results.size(); ++i) {
    const Event expected = i % 3 == 0 ? Event::kCrash : i % 3 == 1 ? kOut : Event::kNone;
    EXPECT_EQ(NameOf(results[i].event), NameOf(expected)) << i;
    EXPECT_EQ(results[i].placements, i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 2) << i;
  }
  EXPECT_EQ(lane->Restarts(), 14);
}

TEST(Events, WritesAroundLargeOutputsAreSeen) {
  const auto lane = StartOrFail(Misbehaving());
  for (const char* fault : {"read-past-end", "write-past-end", "write-before-start"}) {
    TestCall call("Copy", POOLPROOF_I8, {100'000});
    call.Word("fault", fault);
    const auto results = RunCounting(lane.get(), {&call});
    EXPECT_EQ(NameOf(results[0].event), "out-of-bounds") << fault;
    EXPECT_NE(results[0].event_text.find(" 1 "), std::string::npos) << results[0].event_text;
  }
}

TEST(Events, WritesAroundOddlyPlacedOutputsAreSeen) {
  LaneOptions options = Misbehaving();
  options.odd_starts = true;
  const auto lane = StartOrFail(options);
  EXPECT_EQ(RunFault(lane.get(), "none").placements, 3);
  const CaseResult& result = RunFault(lane.get(), "none");
  for (size_t p = 0; p < 3; ++p) {
    const auto address = reinterpret_cast<uint64_t>(result.data[p][0]);
    EXPECT_EQ(address % 4, 0u);
    if (p == 2) {
      EXPECT_NE(address % 16, 0u);
    }
  }
}

// A process that is killed from outside is no answer of the backend: the case is run again.
TEST(Events, KillFromOutsideCostsNoCase) {
  const auto lane = StartOrFail(Misbehaving());
  TestCall call("Copy", POOLPROOF_F32, {3});
  call.Word("fault", "slow").Int("microseconds", 200'000);
  AddCounting(lane.get(), &call);
  lane->Submit();
  kill(lane->ProcessId(), SIGKILL);
  const auto results = lane->Wait();
  EXPECT_EQ(results[0].event, Event::kNone) << results[0].event_text;
  EXPECT_EQ(results[0].placements, 2);
  EXPECT_EQ(lane->Restarts(), 1);
}

TEST(Events, KillBetweenBatchesCostsNoCase) {
  const auto lane = StartOrFail(Misbehaving());
  kill(lane->ProcessId(), SIGKILL);
  EXPECT_EQ(RunFault(lane.get(), "none").placements, 2);
}

// Each call takes a quarter of the limit; the batch takes longer than the limit.
TEST(Events, TimeLimitIsPerCase) {
  const auto lane = StartOrFail(Misbehaving(3));
  TestCall call("Copy", POOLPROOF_F32, {3});
  call.Word("fault", "slow").Int("microseconds", 800'000);
  for (int i = 0; i < 2; ++i) AddCounting(lane.get(), &call);
  lane->Submit();
  for (const CaseResult& result : lane->Wait()) {
    EXPECT_EQ(result.event, Event::kNone) << result.event_text;
  }
}

// However late the write is, it is seen, costs the case that it belongs to, and no other one.
class LateTest : public testing::TestWithParam<std::tuple<int, int64_t>> {};

TEST_P(LateTest, IsAnEventOfItsOwn) {
  const auto [microseconds, bytes] = GetParam();
  const auto lane = StartOrFail(Misbehaving());
  lane->SetRest(0.5);  // a machine that is busy with other things may wake a thread late
  TestCall good("Copy", POOLPROOF_I8, {100});
  TestCall bad("Copy", POOLPROOF_I8, {bytes});
  bad.Word("fault", "written-late").Int("microseconds", microseconds);
  int seen = 0;
  const auto check = [&](bool wait) {
    const auto results = lane->Take(wait);
    for (size_t i = 0; results && i < results->size(); ++i) {
      const CaseResult& result = (*results)[i];
      const bool late = seen++ % 8 == 3;
      EXPECT_EQ(NameOf(result.event), late ? "written-late" : "none") << seen << result.event_text;
      if (late) {
        EXPECT_NE(result.event_text.find("after run had returned"), std::string::npos) << result.event_text;
      }
    }
    return results.has_value();
  };
  constexpr int kCases = 64;
  for (int i = 0; i < kCases; ++i) {
    TestCall* call = i % 8 == 3 ? &bad : &good;
    void* data = lane->Add(call->Get(), 0);
    if (data == nullptr) {
      lane->Submit();
      while (check(false)) {
      }
      while (lane->MustTake()) check(true);
      data = lane->Add(call->Get(), 0);
    }
    std::memset(data, 7, call->Input(0).size_bytes);
  }
  lane->Submit();
  while (check(true)) {
  }
  EXPECT_EQ(seen, kCases);
}

INSTANTIATE_TEST_SUITE_P(Lags, LateTest,
                         testing::Combine(testing::Values(1, 30, 1'000, 10'000), testing::Values(100, 100'000)));

// The page cannot be made writable: the descriptor that the worker mapped is not open for writing.
TEST(Events, InputsCannotBeMadeWritable) {
  const auto lane = StartOrFail(Misbehaving());
  const CaseResult& result = RunFault(lane.get(), "unprotect-input");
  EXPECT_EQ(result.event, Event::kNone) << result.event_text;
  EXPECT_EQ(Values<float>(result, 0, 0, 2)[1], 1.0f);
}

// A handler of the backend does not get the faults of guarded memory, whatever way it was installed,
// and gets all others.
class HandlerTest : public testing::TestWithParam<const char*> {};

TEST_P(HandlerTest, DoesNotHideAFault) {
  const auto lane = StartOrFail(Misbehaving());
  const std::string fault = std::string("swallow-") + GetParam();
  if (fault == "swallow-syscall") {
    // Past the C library it has the signal until the call has returned, and no longer.
    TestCall call("Copy", POOLPROOF_F32, {2, 5});
    call.Word("fault", fault).Int("address", 0);
    EXPECT_EQ(RunCounting(lane.get(), {&call})[0].event, Event::kNone);
    EXPECT_EQ(RunFault(lane.get(), "read-past-end").event_text, "read byte 1 past the end of input 1 in run");
    return;
  }
  const CaseResult& result = RunFault(lane.get(), fault);
  EXPECT_EQ(NameOf(result.event), "out-of-bounds");
  EXPECT_EQ(result.event_text, "read byte 1 past the end of input 1 in run");
}

TEST_P(HandlerTest, WorksForItsOwnFaults) {
  const auto lane = StartOrFail(Misbehaving());
  TestCall call("Copy", POOLPROOF_F32, {2, 5});
  call.Word("fault", std::string("swallow-") + GetParam()).Int("address", 0);
  for (int i = 0; i < 3; ++i) AddCounting(lane.get(), &call);
  lane->Submit();
  for (const CaseResult& result : lane->Wait()) {
    EXPECT_EQ(result.event, Event::kNone) << result.event_text;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, HandlerTest, testing::Values("sigaction", "signal", "syscall"));

// Events outside of any case are told at the end.
class EndTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(EndTest, IsAFaultOfTheProcess) {
  const auto [end, text] = GetParam();
  LaneOptions options = Misbehaving(2);
  options.options = {std::string("end=") + end};
  options.cell.processes = 8;
  const auto lane = StartOrFail(options);
  EXPECT_EQ(RunFault(lane.get(), "none").placements, 2);
  EXPECT_TRUE(lane->ProcessFaults().empty());
  lane->Restart();
  lane->Stop();
  ASSERT_EQ(lane->ProcessFaults().size(), 1u);
  EXPECT_EQ(lane->ProcessFaults()[0].text, text);
  EXPECT_EQ(lane->ProcessFaults()[0].times, 2u);
}

using End = std::pair<const char*, const char*>;
INSTANTIATE_TEST_SUITE_P(Ways, EndTest,
                         testing::Values(End{"crash", "received signal SIGABRT in destroy"},
                                         End{"hang", "took more than 2 s in destroy"},
                                         End{"status", "exited with status 3 in destroy"},
                                         End{"at-exit", "received signal SIGABRT after destroy"},
                                         End{"child", "left a process behind"},
                                         End{"daemon", "left a process behind"}));

TEST(Events, AnEndWithoutFaultIsNone) {
  const auto lane = StartOrFail(Misbehaving());
  RunFault(lane.get(), "abort");
  RunFault(lane.get(), "none");
  lane->Stop();
  EXPECT_TRUE(lane->ProcessFaults().empty()) << lane->ProcessFaults()[0].text;
}

TEST(Events, LeakedDescriptorsAreAFault) {
  const auto lane = StartOrFail(Misbehaving());
  for (int i = 0; i < 30; ++i) RunFault(lane.get(), "leak");
  lane->Stop();
  ASSERT_EQ(lane->ProcessFaults().size(), 1u);
  EXPECT_EQ(lane->ProcessFaults()[0].text, "leaves descriptors open, one more in every 1 calls of run");
}

// Others of the same batch are run, however often one kind hangs.
TEST(Events, HangsCostTheirOwnKindAlone) {
  const auto lane = StartOrFail(Misbehaving(0.3));
  TestCall hang("Copy", POOLPROOF_F32, {3});
  hang.Word("fault", "hang");
  TestCall other("Copy", POOLPROOF_F64, {3});
  for (int i = 0; i < 6; ++i) {
    AddCounting(lane.get(), &hang);
    AddCounting(lane.get(), &other);
  }
  lane->Submit();
  const auto results = lane->Wait();
  for (size_t i = 0; i < results.size(); ++i) {
    const char* expected = i % 2 == 1 ? "none" : i < 6 ? "timeout" : "not-run";
    EXPECT_EQ(NameOf(results[i].event), expected) << i;
  }
}

// A wild write into what the worker reports, after the worker has written it: the last call of the
// batch, which is that of case 0 in placement 1, destroys the response of case 1.
TEST(Events, WildWritesIntoTheResponsesAreACrash) {
  const auto lane = StartOrFail(Misbehaving());
  TestCall bad("Copy", POOLPROOF_F32, {3});
  bad.Word("fault", "scribble").Int("at", 4);
  bad.Int("address", static_cast<int64_t>(kWorkerBase + ResponseOffset(0, 1)));
  TestCall good("Copy", POOLPROOF_F32, {3});
  const auto results = RunCounting(lane.get(), {&bad, &good});
  EXPECT_EQ(results[0].event, Event::kNone) << results[0].event_text;
  EXPECT_EQ(NameOf(results[1].event), "crash");
  EXPECT_EQ(results[1].event_text, "overwrote the memory of the worker process");
}

TEST(Events, StatusesComeWithTheirText) {
  const auto lane = StartOrFail(Misbehaving());
  const CaseResult unsupported = RunFault(lane.get(), "infer-unsupported");
  EXPECT_EQ(unsupported.infer_status, POOLPROOF_UNSUPPORTED);
  EXPECT_EQ(unsupported.error, "not this one");
  EXPECT_FALSE(unsupported.ran);
  EXPECT_EQ(unsupported.not_run, "");
  const CaseResult internal = RunFault(lane.get(), "internal");
  EXPECT_TRUE(internal.ran);
  EXPECT_EQ(internal.run_status[0], POOLPROOF_INTERNAL_ERROR);
  EXPECT_EQ(internal.error, "the device is gone");
}

TEST(Events, ImpossibleDescriptionsAreNotRun) {
  const auto lane = StartOrFail(Misbehaving());
  const std::pair<const char*, const char*> expected[] = {
      {"rank-9", "output 1 (values) is described as f32 of rank 9"},
      {"negative-dim", "output 1 (values) is described as f32 -1x5, which no memory holds"},
      {"unknown-type", "output 1 (values) is described as element type 99 2x5"},
      {"nothing-described", "output 1 (values) is described as element type 0 2x5"},
      {"short-bytes", "output 1 (values) is described as f32 2x5 with 39 bytes, which needs 40"},
      {"huge-output",
       "output 1 (values) needs 1099511627776 bytes, more than the 8388608 that this case may "
       "have"}};
  for (const auto& [fault, text] : expected) {
    const CaseResult result = RunFault(lane.get(), fault);
    EXPECT_EQ(result.event, Event::kNone) << result.event_text;
    EXPECT_FALSE(result.ran);
    EXPECT_EQ(result.not_run, text);
  }
}

TEST(Events, TwoAnswersToOneCallAreTold) {
  const auto lane = StartOrFail(Misbehaving());
  EXPECT_EQ(RunFault(lane.get(), "infer-differs").inconsistency,
            "infer_shapes described output 1 (values) as f32 1 with 4 bytes in placement 1 and as "
            "f32 2x5 with 40 bytes in placement 0");
  EXPECT_EQ(RunFault(lane.get(), "run-changes-shape").inconsistency,
            "run changed the description of output 1 (values)");
  for (const char* field : {"run-changes-struct-size", "run-changes-data"}) {
    EXPECT_EQ(RunFault(lane.get(), field).inconsistency, "run changed the description of output 1 (values)") << field;
  }
}

}  // namespace
}  // namespace poolproof::worker
