// The line that a run shows while it runs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "conformance/results/tally.h"

namespace poolproof {

// Whether the stream of this descriptor is a terminal on which a line can be overwritten.
bool IsTerminal(int descriptor);

// Text for standard output, in colour on a terminal where NO_COLOR is not set.
enum class Paint { kGood, kBad, kPath };
std::string Painted(Paint paint, std::string_view text);

// "617 pass, 451 fail"; `painted`: for standard output.
std::string CountsText(const Tally& tally, bool painted = false);

// Says on standard error what is done and how long it will take, or has taken where that is not known: a line that is
// overwritten on a terminal and no wider than it; elsewhere one every ten seconds and nothing else. Ends with its life.
class ProgressLine {
 public:
  // `most_seconds`: after which a run ends; 0: none.
  explicit ProgressLine(double most_seconds);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  // `share`: of the work that is done; 0: not known. `detail` follows the time.
  void Show(std::string_view phase, double share, std::string_view detail = "");
  // Counts of cases that are judged.
  void Judging(double share, const Tally& tally);

 private:
  using Clock = std::chrono::steady_clock;

  void Print();
  std::string Text(Clock::time_point now) const;
  std::string TimeLeft(Clock::time_point now) const;

  const bool terminal_;
  const double most_seconds_;
  const Clock::time_point begun_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::string phase_, detail_;
  Clock::time_point phase_begun_ = begun_;
  double first_ = 0, share_ = 0;  // when the phase began, and last
  std::thread thread_;            // prints
};

}  // namespace poolproof
