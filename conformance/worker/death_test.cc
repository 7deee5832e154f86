// A runner that is killed takes its backends along, also those that hang.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

#include "conformance/worker/test_call.h"

namespace poolproof::worker {
namespace {

// A child of this test that plays the runner: starts the lane, has it run a case that hangs, and
// waits. Returns when the case is about to be run.
pid_t StartRunner(const LaneOptions& options, int* lane_process) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t runner = fork();
  if (runner == 0) {
    const auto lane = StartOrFail(options);
    TestCall call("Copy", POOLPROOF_F32, {2, 5});
    call.Word("fault", "hang");
    AddCounting(lane.get(), &call);
    lane->Submit();
    const int id = lane->ProcessId();
    (void)!write(ends[1], &id, sizeof(id));
    lane->Wait();
    _exit(0);
  }
  close(ends[1]);
  EXPECT_EQ(read(ends[0], lane_process, sizeof(*lane_process)), static_cast<ssize_t>(sizeof(*lane_process)));
  close(ends[0]);
  return runner;
}

void Kill(pid_t runner) {
  kill(runner, SIGKILL);
  waitpid(runner, nullptr, 0);
}

TEST(Death, OfTheRunnerEndsTheWorker) {
  LaneOptions options;
  options.backend = BackendPath("misbehaving");
  options.timeout_seconds = 1000;
  int worker = 0;
  Kill(StartRunner(options, &worker));
  ASSERT_GT(worker, 0);
  WaitUntilGone(worker);
}

TEST(Death, OfTheRunnerEndsTheProgramAndWhatItStarted) {
  LaneOptions options;
  options.log_path = testing::TempDir() + "/death_test.log";
  std::remove(options.log_path.c_str());
  options.backend = PythonCommand("worker/testdata/misbehaving_backend.py", "echo $$ >&2; ");
  options.timeout_seconds = 1000;
  int worker = 0, program = 0;
  const pid_t runner = StartRunner(options, &worker);
  while (program == 0) std::ifstream(options.log_path) >> program;
  Kill(runner);
  ASSERT_GT(program, 0);
  ASSERT_NE(program, worker);
  WaitUntilGone(program);
  WaitUntilGone(worker);
}

// Whatever the backend does and however long it may take, the run ends when it has to.
TEST(MustEnd, BreaksOffTheWaitForABackend) {
  LaneOptions options;
  options.backend = BackendPath("misbehaving");
  options.timeout_seconds = 1000;
  std::atomic<bool> must_end{false};
  options.must_end = [&] { return must_end.load(); };
  const auto lane = StartOrFail(options);
  TestCall good("Copy", POOLPROOF_F32, {2, 5}), hangs("Copy", POOLPROOF_F32, {2, 5});
  hangs.Word("fault", "hang");
  AddCounting(lane.get(), &good);
  AddCounting(lane.get(), &hangs);
  lane->Submit();
  must_end = true;
  const auto results = lane->Wait();
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].event, Event::kNotRun) << results[1].event_text;
  EXPECT_TRUE(lane->Ended());
  EXPECT_EQ(lane->ProcessId(), 0);
  // Nothing is run from then on.
  lane->Restart();
  AddCounting(lane.get(), &good);
  lane->Submit();
  const auto after = lane->Wait();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].event, Event::kNotRun);
  EXPECT_EQ(lane->ProcessId(), 0);
  EXPECT_TRUE(lane->ProcessFaults().empty());
}

}  // namespace
}  // namespace poolproof::worker
