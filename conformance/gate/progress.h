// What a run says while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/results/tally.h"

namespace poolproof {

// "617 pass, 451 fail".
std::string CountsText(const Tally& tally);

// One line that is overwritten on a terminal; a plain line every ten seconds in a log. It says how fast
// cases are judged and how long the rest will take.
class ProgressLine {
 public:
  explicit ProgressLine(bool terminal) : terminal_(terminal) {}
  void Show(uint64_t done, uint64_t size, const Tally& tally);
  // The phase after all cases have been judged.
  void Phase(std::string_view phase);
  void Clear();

 private:
  void Print(const std::string& text);

  const bool terminal_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), shown_ = begun_;
  uint64_t first_ = 0;  // cases that were done when the first line was shown
};

}  // namespace poolproof
