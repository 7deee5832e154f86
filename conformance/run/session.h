// One run from its options to its results file.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/results/header.h"
#include "conformance/run/engine.h"

namespace poolproof {

struct SessionOptions : RunRequest {
  EngineOptions engine;
  std::string baseline_path;              // "" for none
  std::string out = "poolproof-results";  // folder; made if missing
  bool resume = false;
  bool shrink = true;
  bool probe = true;       // ask the backend what it has, unless
  std::string probe_path;  // a file that says it is given
  // Told what is done before and after cases are judged, and the share of that which is done; 0: not known.
  std::function<void(std::string_view phase, double share)> phase;
};

// Counts so far, and the share of the work of judging that is done. Called a few times a second.
using Progress = std::function<void(double share, const Tally& tally)>;

// Runs. On an error, one sentence and the exit code that fits; what was judged until then is kept
// in <out>/results.jsonl.partial and `resume` goes on from there.
std::optional<RunResult> RunSession(const Specs& specs, const SessionOptions& options, const Progress& progress,
                                    const std::atomic<bool>& interrupt, Error* error, int* exit_code);

}  // namespace poolproof
