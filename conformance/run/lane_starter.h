// Starts the lanes of a run.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "conformance/run/session.h"

namespace poolproof {

using Lanes = std::vector<std::unique_ptr<Lane>>;

// Starts all lanes at once. A process ends with the thread that started it, so those wait for the end of the lanes.
class LaneStarter {
 public:
  LaneStarter() = default;
  LaneStarter(const LaneStarter&) = delete;
  LaneStarter& operator=(const LaneStarter&) = delete;
  ~LaneStarter() {
    over_.count_down();
    for (std::thread& thread : threads_) thread.join();
  }

  // False, with why, where one does not start; then no other is waited for.
  bool Start(const SessionOptions& options, Lanes* lanes, Error* error) {
    lanes->resize(static_cast<size_t>(options.jobs));
    std::latch others(options.jobs - 1);
    for (int i = 1; i < options.jobs; ++i) {
      threads_.emplace_back([this, i, &options, lanes, &others] {
        StartOne(options, i, lanes);
        others.count_down();
        over_.wait();
      });
    }
    StartOne(options, 0, lanes);
    others.wait();
    *error = error_;
    return !failed_;
  }

 private:
  void StartOne(const SessionOptions& options, int i, Lanes* lanes) {
    LaneOptions lane = options.lane;
    lane.log_path = fmt::format("{}/backend-{}.log", options.out, i + 1);
    std::error_code ignored;
    if (!options.resume) std::filesystem::remove(lane.log_path, ignored);
    lane.must_end = [this, must_end = options.lane.must_end] { return failed_ || (must_end && must_end()); };
    Error error;
    auto& started = (*lanes)[static_cast<size_t>(i)];
    started = StartLane(lane, &error);
    const std::lock_guard lock(mutex_);
    if (started == nullptr && !failed_) error_ = error;
    failed_ = failed_ || started == nullptr;
  }

  std::latch over_{1};
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::atomic<bool> failed_{false};
  Error error_;  // the first
};

}  // namespace poolproof
