// The baseline: which cases are expected not to pass, and why. Every case is run all the same.
//
//   {"poolproof_baseline":1,
//    "entries":[{"case":"MaxPool-8/example-1","verdict":"fail","reason":"...",
//                "cause":"openvino-18731","owner":"...","expires":"2027-06-30"}]}
//
// `case` is an id, or a pattern in which * stands for any text; `cause`, optional, is the id of a
// known cause, the readings of a deviation ("same-stride=ceil-div"), or the signature of a group.
#ifndef POOLPROOF_CONFORMANCE_RUN_BASELINE_H_
#define POOLPROOF_CONFORMANCE_RUN_BASELINE_H_

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "conformance/run/record.h"
#include "conformance/run/tally.h"

namespace poolproof {

struct BaselineEntry {
  std::string pattern;
  Verdict verdict = Verdict::kFail;
  std::string cause, reason, owner, expires;
  bool exact = true;  // no * in the pattern
  // Filled while the run goes on.
  uint64_t seen = 0;      // cases that the pattern fits
  uint64_t expected = 0;  // those of them that ended as expected
};

class Baseline {
 public:
  // Reads `path`. One sentence with file, place and value where that fails.
  static std::optional<Baseline> Load(const std::string& path, Error* error);

  // Looks a case up. Returns the value of its "baseline" key, empty where no entry concerns it.
  // `covered`: the gate may pass in spite of this case.
  std::string Check(const Record& record, Verdict verdict, bool* covered);

  // The footer's "baseline". `complete`: the whole plan was run, so that entries without a case
  // can be told.
  nlohmann::json Summary(bool complete) const;
  // Whether anything changed against the file, in either direction.
  bool Changed(bool complete) const;
  const std::string& path() const { return path_; }

 private:
  bool Fits(const BaselineEntry& entry, const Record& record, Verdict verdict) const;
  std::vector<std::string> Unmatched() const;
  std::vector<std::string> Improved() const;

  std::string path_, today_;
  std::vector<BaselineEntry> entries_;
  std::vector<std::string> improved_, worsened_, changed_, expired_;
};

// The causes of a record as a baseline names them.
std::vector<std::string> CauseNames(const Record& record);

// "*" stands for any text.
bool PatternFits(std::string_view pattern, std::string_view text);

// Proposes a baseline for all groups of a run.
nlohmann::json ProposeBaseline(const std::vector<Group>& groups);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_BASELINE_H_
