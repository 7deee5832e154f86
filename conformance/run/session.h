// One run from its options to its results file.
#ifndef POOLPROOF_CONFORMANCE_RUN_SESSION_H_
#define POOLPROOF_CONFORMANCE_RUN_SESSION_H_

#include <atomic>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/run/baseline.h"
#include "conformance/run/engine.h"
#include "conformance/run/finish.h"
#include "conformance/run/folder_lock.h"
#include "conformance/run/tally.h"

namespace poolproof {

struct SessionOptions {
  PlanOptions plan;
  EngineOptions engine;
  std::string profile = "documented";
  std::map<std::string, std::string> reading_overrides;  // ledger id -> reading
  std::string baseline_path;                             // "" for none
  std::string out = "poolproof-results";                 // folder; made if missing
  bool compress = false;                                 // the results
  bool resume = false;
  bool shrink = true;
  bool probe = true;                            // ask the backend what it has, unless
  std::string probe_path;                       // a file that says it is given
  std::function<void(std::string_view)> phase;  // told what is done after all cases have been judged
};

// Counts so far, for a progress line. Called about once a second.
using Progress = std::function<void(uint64_t done, uint64_t size, const Tally& tally)>;

struct SessionResult {
  Tally tally;
  std::string results_path;
  BackendInfo backend;
  EngineResult engine;
  BaselineSummary baseline;
  std::optional<ProfileHint> profile_hint;
  std::vector<AsidePair> set_aside;
  size_t undescribed = 0;  // groups that the time budget left as they were found
  std::string part;        // of what the run is a part, empty: of nothing; as reports say it
  bool conforms = false;
  double duration_seconds = 0;       // of judging, without start-up and shrinking
  uint64_t resumed = 0;              // cases taken from the interrupted run
  std::unique_ptr<FolderLock> lock;  // of the folder that the results are in
};

// Exit codes of the program.
enum ExitCode { kConforms = 0, kDoesNotConform = 1, kUsage = 2, kBackendNotStarted = 3, kRunnerFailed = 4 };

// Runs. On an error, one sentence and the exit code that fits; what was judged until then is kept
// in <out>/results.jsonl.partial and `resume` goes on from there.
std::optional<SessionResult> RunSession(const Specs& specs, const SessionOptions& options, const Progress& progress,
                                        const std::atomic<bool>& interrupt, Error* error, int* exit_code);

// The readings of a profile with overrides; both demand the readings of silences that they name. A
// sentence where a name is unknown.
std::optional<Selection> SelectReadings(const std::string& profile, const std::map<std::string, std::string>& overrides,
                                        Error* error);
// Those that a run was judged by, from its header.
std::optional<Selection> SelectReadings(const nlohmann::ordered_json& header, Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_SESSION_H_
