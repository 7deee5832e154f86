// The summary of a run on the terminal.
#pragma once

#include "conformance/gate/command.h"

namespace poolproof {

struct EndOptions {
  std::string reproduce;  // the command that runs one case, as a user would type it
  BackendOptions backend;
  std::string performance;
  bool reports = true;
  std::function<void()> before_summary = {};  // ends the line that says what is done
};

// Prints the summary of a run on standard output: the largest causes, readings, counts and the verdict, a screen at
// most. Where there is a baseline, what it does not say: ten lines for one cause that is new.
void PrintSummary(const Specs& specs, const SessionOptions& session, const RunResult& result, const EndOptions& options,
                  const Program& program);

// The end of a run: reads its results back, prints the summary, writes report.html, junit.xml,
// summary.json, summary.md and badge.svg beside them, and sets the exit code. Where the file does not
// count what the run counted, one sentence and no verdict.
void EndRun(const Specs& specs, const SessionOptions& session, const RunResult& result, const EndOptions& options,
            Program& program);

}  // namespace poolproof
