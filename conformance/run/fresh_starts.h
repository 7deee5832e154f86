// Fresh processes for looking into what a run has found, as many as their start leaves time for.
#pragma once

#include "conformance/worker/lane.h"

namespace poolproof {

// Bounds the starts for all groups of a run together, so that a library that takes seconds to start is not started a
// hundred times to find out what ran before a case. The first kFew starts are made whatever they cost.
class FreshStarts {
 public:
  static constexpr double kSeconds = 10;  // for all starts that take longer than kAtOnce
  static constexpr double kAtOnce = 0.1;  // seconds; faster starts cost nothing
  static constexpr int kFew = 8;

  explicit FreshStarts(Lane& lane) : lane_(lane) {}

  // Starts the process of the lane afresh; false, and nothing is done, where that would be too much.
  bool Start() {
    if (starts_ >= kFew && seconds_ >= kSeconds) return false;
    lane_.Restart();
    ++starts_;
    if (lane_.StartSeconds() > kAtOnce) seconds_ += lane_.StartSeconds();
    return true;
  }

 private:
  Lane& lane_;
  int starts_ = 0;
  double seconds_ = 0;
};

}  // namespace poolproof
