// The result of a run, or of what stands for one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/results/baseline.h"
#include "conformance/results/folder_lock.h"
#include "conformance/results/tally.h"
#include "conformance/worker/lane.h"

namespace poolproof {

// Exit codes of the program.
enum ExitCode {
  kConforms = 0,
  kDoesNotConform = 1,
  kUsage = 2,
  kBackendNotStarted = 3,
  kRunnerFailed = 4,
  kInterrupted = 130,
};

// Facts of a run that the lanes report.
struct EngineResult {
  bool time_over = false;
  bool stopped = false;  // by stop_after
  // Problems that reached new code of the backend, at level fuzz; 0 also where it does not count what is reached.
  uint64_t reached_new_code = 0;
  int64_t stdout_bytes = 0;
  std::vector<ProcessFault> process_faults, process_warnings;  // outside of any case

  void Add(const ProcessFault& fault) { AddFault(fault, fault.warning ? &process_warnings : &process_faults); }
};

// One pair that was set aside.
struct AsidePair {
  std::string operator_name, type, why;  // "MaxPool-8", "f32", "5 of its cases hung"
  uint64_t missing = 0;
};

// The profile that explains most of the deviations of a run.
struct ProfileHint {
  std::string profile;
  uint64_t deviations = 0, explained = 0;
};

// Where alone a reading is followed that few libraries follow.
struct RarePlace {
  std::string reading;   // "mean-scaling=before"
  std::string function;  // the one that reads it in two ways; empty: all together do
  std::string where;     // a condition (docs/expressions.md)
  friend bool operator==(const RarePlace&, const RarePlace&) = default;
};

struct RunResult {
  Tally tally;
  std::string results_path;
  BackendInfo backend;
  EngineResult engine;
  BaselineSummary baseline;
  std::optional<ProfileHint> profile_hint;
  std::vector<RarePlace> rare_places;
  std::vector<AsidePair> set_aside;
  size_t undescribed = 0;  // groups that the time budget left as they were found
  std::string seed;        // of the random part, and where it came from
  std::string part;        // of what the run is a part, empty: of nothing; as reports say it
  uint64_t uncovered = 0;  // cases that fail the gate
  bool conforms = false;
  double duration_seconds = 0;       // of judging, without start-up and shrinking
  uint64_t resumed = 0;              // cases taken from the interrupted run
  std::unique_ptr<FolderLock> lock;  // of the folder that the results are in

  // Nothing can be said of a backend before a case ended, unless its process was at fault.
  bool Judged() const { return tally.planned() > 0 || !engine.process_faults.empty(); }
  ExitCode Exit() const {
    if (!Judged()) return kRunnerFailed;
    return conforms ? kConforms : kDoesNotConform;
  }
};

}  // namespace poolproof
