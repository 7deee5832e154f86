// Backends that are programs: the protocol, the Python helper, and programs that misbehave.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <numeric>
#include <sstream>
#include <thread>

#include "conformance/worker/test_call.h"

namespace poolproof::worker {
namespace {

LaneOptions Misbehaving() {
  LaneOptions options;
  options.backend = PythonCommand("worker/testdata/misbehaving_backend.py");
  return options;
}

std::string StartError(const std::string& backend, double timeout = 60) {
  LaneOptions options;
  options.backend = backend;
  options.load_timeout_seconds = timeout;
  Error error;
  EXPECT_EQ(StartLane(options, &error), nullptr);
  return error.message;
}

TEST(ProcessLane, NamesTheBackendAndPassesOptions) {
  LaneOptions options = Misbehaving();
  options.options = {"suffix=-x"};
  const auto lane = StartOrFail(options);
  EXPECT_EQ(lane->Info().name, "python-misbehaving-x");
  EXPECT_EQ(lane->Info().version, "0.2");
}

TEST(ProcessLane, RunsCasesOfEveryType) {
  const auto lane = StartOrFail(Misbehaving());
  std::vector<std::unique_ptr<TestCall>> calls;
  for (poolproof_element_type type = POOLPROOF_F64; type <= POOLPROOF_FX16; ++type) {
    calls.push_back(std::make_unique<TestCall>("Copy", type, std::vector<int64_t>{2, 3}, 2));
    calls.back()->Input(0).frac_bits = type >= POOLPROOF_FX8 ? 5 : 0;
    AddCounting(lane.get(), calls.back().get());
  }
  lane->Submit();
  const auto results = lane->Wait();
  ASSERT_EQ(results.size(), calls.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const poolproof_tensor& input = calls[i]->Input(0);
    ASSERT_EQ(results[i].event, Event::kNone) << results[i].event_text;
    EXPECT_EQ(results[i].placements, 2);
    EXPECT_EQ(results[i].outputs[0].element_type, input.element_type);
    EXPECT_EQ(results[i].outputs[0].frac_bits, input.frac_bits);
    EXPECT_EQ(Values<int32_t>(results[i], 1, 1, 6), (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
    if (input.element_type == POOLPROOF_F32) continue;
    EXPECT_EQ(Values<char>(results[i], 0, 0, input.size_bytes), std::vector<char>(input.size_bytes, 7));
  }
}

TEST(ProcessLane, RunsLargeAndEmptyTensors) {
  const auto lane = StartOrFail(Misbehaving());
  for (const size_t count : {size_t{0}, size_t{3'000'001}}) {
    TestCall call("Copy", POOLPROOF_F32, {static_cast<int64_t>(count)});
    const auto results = RunCounting(lane.get(), {&call});
    ASSERT_EQ(results[0].event, Event::kNone) << results[0].event_text;
    std::vector<float> expected(count);
    std::iota(expected.begin(), expected.end(), 0.0f);
    EXPECT_EQ(Values<float>(results[0], 1, 0, count), expected);
  }
}

// One batch is judged while the next one runs.
TEST(ProcessLane, ResultsOutliveTheSubmissionOfTheNextBatch) {
  const auto lane = StartOrFail(Misbehaving());
  TestCall first("Copy", POOLPROOF_F32, {100'000}), second("Copy", POOLPROOF_F32, {100'000});
  AddCounting(lane.get(), &first);
  lane->Submit();
  AddCounting(lane.get(), &second);
  const auto results = lane->Wait();
  lane->Submit();
  std::vector<float> expected(100'000);
  std::iota(expected.begin(), expected.end(), 0.0f);
  EXPECT_EQ(Values<float>(results[0], 0, 0, expected.size()), expected);
  EXPECT_EQ(Values<float>(results[0], 1, 0, expected.size()), expected);
  lane->Wait();
}

TEST(ProcessLane, AsksOnlyForShapesOfHugeInputs) {
  const auto lane = StartOrFail(Misbehaving());
  TestCall call("Copy", POOLPROOF_I8, {int64_t{1} << 40});
  ASSERT_TRUE(lane->AddInferOnly(call.Get()));
  lane->Submit();
  const auto results = lane->Wait();
  EXPECT_EQ(results[0].not_run, "infer only") << results[0].event_text << results[0].error;
  EXPECT_EQ(results[0].outputs[0].size_bytes, size_t{1} << 40);
}

TEST(ProcessLane, GivesTheCapacityAskedFor) {
  const auto lane = StartOrFail(Misbehaving());
  TestCall call("Copy", POOLPROOF_F32, {10});
  AddCounting(lane.get(), &call, -1);
  lane->Submit();
  const auto results = lane->Wait();
  EXPECT_EQ(results[0].run_status[1], POOLPROOF_INVALID_ARGUMENT);
  EXPECT_EQ(results[0].error, "output 1 has room for 39 bytes only");
}

struct Expected {
  const char* fault;
  Event event;
  const char* text;
};

class ProcessEventTest : public testing::TestWithParam<Expected> {};

TEST_P(ProcessEventTest, HitsOneCaseAndIsNamed) {
  const Expected& expected = GetParam();
  LaneOptions options = Misbehaving();
  if (expected.event == Event::kTimeout) options.timeout_seconds = 3;
  const auto lane = StartOrFail(options);
  TestCall bad("Copy", POOLPROOF_F32, {2, 5});
  bad.Word("fault", expected.fault);
  TestCall good("Copy", POOLPROOF_F32, {2, 5});
  const auto results = RunCounting(lane.get(), {&bad, &good});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].event, expected.event);
  EXPECT_EQ(results[0].event_text, expected.text);
  EXPECT_EQ(results[1].event, Event::kNone) << results[1].event_text;
  EXPECT_EQ(results[1].placements, 2);
  EXPECT_EQ(lane->Restarts(), expected.event == Event::kNone ? 0 : 1);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, ProcessEventTest,
    testing::Values(
        Expected{"none", Event::kNone, ""}, Expected{"print", Event::kNone, ""},
        Expected{"exit", Event::kCrash, "exited with status 3 in run"},
        Expected{"kill", Event::kCrash, "received signal SIGABRT in run"},
        Expected{"hang", Event::kTimeout, "took more than 3 s in run"},
        Expected{"close-stdout", Event::kCrash, "closed its stdout in run"},
        Expected{"garbage", Event::kCrash, "printed a line that is no JSON object: \"hello world\" in run"},
        Expected{"other-id", Event::kCrash, "answered request 2 with the reply to 0 in run"},
        Expected{"no-status", Event::kCrash, "sent no \"status\" in run"},
        Expected{"bad-status", Event::kCrash, "sent the unknown status \"FINE\" in run"},
        Expected{"endless-line", Event::kCrash, "sent a line of more than 1048576 bytes in run"},
        Expected{"printed-before", Event::kCrash, "printed 6 bytes that belong to no reply: \"noise \" in run"},
        Expected{"text-for-number", Event::kCrash, "sent a \"bytes\" that is no integer: \"40\" in run"},
        Expected{"no-line-break", Event::kTimeout, "took more than 3 s in run, in the middle of a line"},
        Expected{"data-too-short", Event::kTimeout,
                 "took more than 3 s in run, after 3 of 40 bytes of output 1 (values)"},
        Expected{"short-data", Event::kCrash, "exited with status 0 in run, after 4 of 40 bytes of output 1 (values)"},
        Expected{"other-shape", Event::kCrash,
                 "sent output 1 (values) as f32 10 with 40 bytes in run, described it as f32 2x5 "
                 "with 40 bytes"}));

TEST(ProcessLane, StatusesComeWithTheirText) {
  const auto lane = StartOrFail(Misbehaving());
  const CaseResult unsupported = RunFault(lane.get(), "unsupported");
  EXPECT_EQ(unsupported.infer_status, POOLPROOF_UNSUPPORTED);
  EXPECT_EQ(unsupported.error, "not this one");
  const CaseResult raised = RunFault(lane.get(), "raise");
  EXPECT_EQ(RunFault(lane.get(), "unended-error").error, "died at line 79.");
  EXPECT_EQ(raised.run_status[0], POOLPROOF_INTERNAL_ERROR);
  EXPECT_EQ(raised.error, "ZeroDivisionError: division by zero");
  EXPECT_EQ(RunFault(lane.get(), "rank-9").not_run, "output 1 (values) is described as f32 of rank 9");
}

TEST(ProcessLane, LogsWhatThePythonBackendPrints) {
  LaneOptions options = Misbehaving();
  options.log_path = testing::TempDir() + "/process_lane_test.log";
  std::remove(options.log_path.c_str());
  RunFault(StartOrFail(options).get(), "print");
  std::stringstream log;
  log << std::ifstream(options.log_path).rdbuf();
  EXPECT_EQ(log.str(), "noise\nnoise\n");
}

TEST(ProcessLane, NamesWhatDoesNotStart) {
  EXPECT_EQ(StartError("process:exit 3"), "process:exit 3 exited with status 3 before it answered the greeting");
  EXPECT_EQ(StartError("process:echo hello"), "process:echo hello printed a line that is no JSON object: \"hello\"");
  EXPECT_EQ(StartError("process:sleep 1000", 0.3),
            "process:sleep 1000 did not answer the greeting within 0.3 s: it printed nothing, or did not flush it");
  const std::string unended = "process:printf '{}'; sleep 1000";
  EXPECT_EQ(StartError(unended, 0.3),
            unended + " did not answer the greeting within 0.3 s: what it printed has no line break");
  const std::string script = testing::TempDir() + "/not_executable.sh";
  std::ofstream(script) << "#!/bin/sh\n";
  const std::string refused = StartError("process:" + script);
  EXPECT_NE(refused.find(" (" + script + " is not executable: chmod +x " + script), refused.npos) << refused;
  const std::string old = "process:echo '{\"poolproof\":7}'";
  EXPECT_EQ(StartError(old), old + " speaks protocol version 7, this program version 1");
  LaneOptions options = Misbehaving();
  options.options = {"no=such"};
  Error error;
  EXPECT_EQ(StartLane(options, &error), nullptr);
  EXPECT_TRUE(error.message.ends_with("could not start, INVALID_ARGUMENT: unknown option no")) << error.message;
}

TEST(ProcessLane, KillsTheWholeGroup) {
  LaneOptions options;
  options.log_path = testing::TempDir() + "/process_lane_test.log";
  std::remove(options.log_path.c_str());
  // A program that leaves a process of its own behind.
  options.backend =
      "process:sleep 1000 & echo $! >&2"
      "; echo '{\"poolproof\":1,\"name\":\"a\",\"version\":\"b\"}'; exec cat >&2";
  auto lane = StartOrFail(options);
  lane->Stop();
  int left_behind = 0;
  std::ifstream(options.log_path) >> left_behind;
  ASSERT_GT(left_behind, 0);
  EXPECT_NE(kill(left_behind, 0), 0);
  ASSERT_EQ(lane->ProcessFaults().size(), 1u);
  EXPECT_EQ(lane->ProcessFaults()[0].text, "left a process behind");
}

// It is killed with all of its group, nothing of which has been left behind.
TEST(ProcessLane, DiesWithItsThreadWithoutAFault) {
  for (int i = 0; i < 5; ++i) {
    const auto lane = StartOrFail(Misbehaving());
    std::thread([&lane] { lane->Restart(); }).join();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    lane->Stop();
    EXPECT_TRUE(lane->ProcessFaults().empty()) << lane->ProcessFaults()[0].text;
  }
}

// MaxPool-8, example 1 of the document: 3x3, kernel 2x2, strides 1, pads 1 on all sides. Where the
// document prints -6 with index 5, its own input has 3 with index 2.
TEST(ProcessLane, PythonExamplePoolsTheDocumentedExample) {
  LaneOptions options;
  options.backend = PythonCommand("backends/python/example_backend.py");
  const auto lane = StartOrFail(options);
  TestCall call("MaxPool-8", POOLPROOF_F32, {1, 1, 3, 3}, 2);
  call.Ints("kernel", {2, 2}).Ints("strides", {1, 1}).Ints("pads_begin", {1, 1});
  call.Ints("pads_end", {1, 1});
  const std::vector<float> input = {-1, 2, 3, 4, 5, -6, -7, 8, 9};
  auto* data = static_cast<float*>(lane->Add(call.Get(), 0));
  std::copy(input.begin(), input.end(), data);
  lane->Submit();
  const CaseResult result = lane->Wait()[0];
  ASSERT_EQ(result.event, Event::kNone) << result.event_text;
  ASSERT_EQ(result.infer_status, POOLPROOF_OK) << result.error;
  EXPECT_EQ(Values<float>(result, 0, 0, 16), (std::vector<float>{-1, 2, 3, 3, 4, 5, 5, 3, 4, 8, 9, 9, -7, 8, 9, 9}));
  EXPECT_EQ(Values<int64_t>(result, 0, 1, 16), (std::vector<int64_t>{0, 1, 2, 2, 3, 4, 4, 2, 3, 7, 8, 8, 6, 7, 8, 8}));
  call.Word("rounding_type", "ceil");
  lane->Add(call.Get(), 0);
  lane->Submit();
  EXPECT_EQ(lane->Wait()[0].error, "no rounding_type but floor");
}

TEST(ProcessLane, EndsWithTheRun) {
  LaneOptions options = Misbehaving();
  options.timeout_seconds = 1000;
  bool must_end = false;
  options.must_end = [&] { return must_end; };
  const auto lane = StartOrFail(options);
  TestCall hangs("Copy", POOLPROOF_F32, {2, 5}), good("Copy", POOLPROOF_F32, {2, 5});
  hangs.Word("fault", "hang");
  AddCounting(lane.get(), &hangs);
  AddCounting(lane.get(), &good);
  must_end = true;
  lane->Submit();
  const auto results = lane->Wait();
  ASSERT_EQ(results.size(), 2u);
  for (const CaseResult& result : results) EXPECT_EQ(result.event, Event::kNotRun) << result.event_text;
  EXPECT_TRUE(lane->Ended());
  EXPECT_EQ(lane->ProcessId(), 0);
}

}  // namespace
}  // namespace poolproof::worker
