// The summary of a run on the terminal.
#pragma once

#include <chrono>

#include "conformance/gate/command.h"

namespace poolproof {

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

// The largest causes, readings, counts and the verdict, on standard output: a screen at most.
void PrintSummary(const Specs& specs, const SessionOptions& session, const RunResult& result,
                  const std::string& reproduce, const BackendOptions& backend);

// One discrepancy, readable on its own.
void PrintGroup(const Specs& specs, const CauseGroup& group, const std::string& reproduce,
                const BackendOptions& backend);

struct EndOptions {
  std::string reproduce;  // the command that runs one case, as a user would type it
  BackendOptions backend;
  std::string performance;
  bool reports = true;
};

// The end of a run: reads its results back, prints the summary, writes report.html, junit.xml,
// summary.json, summary.md and badge.svg beside them, and sets the exit code. Where the file does not
// count what the run counted, one sentence and no verdict.
void EndRun(const Specs& specs, const SessionOptions& session, const RunResult& result, const EndOptions& options,
            Program& program);

}  // namespace poolproof
