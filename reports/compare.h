// Two or more results files side by side: backends, or versions of one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/run.h"

namespace poolproof::reports {

inline constexpr size_t kMaxCompared = 16;
inline constexpr size_t kMaxOutcomeRows = 1000;
inline constexpr size_t kMaxChanges = 1000;

// A verdict, or kAbsent where a file has no such case.
using Outcome = int8_t;
inline constexpr Outcome kAbsent = -1;
bool IsBad(Outcome outcome);

// Outcomes of all cases of all files. Ids are kept as hashes: a million cases take 60 MB, not 600.
class Outcomes {
 public:
  explicit Outcomes(size_t files) : files_(files) {}
  void Set(const std::string& id, size_t file, Verdict verdict);
  // One per file, of a case that one of them has.
  std::vector<Outcome> Get(const std::string& id) const;

 private:
  const size_t files_;
  std::unordered_map<size_t, size_t> index_;
  std::vector<Outcome> all_;
};

// All cases of one operator that ended alike in each file.
struct OutcomeRow {
  std::string op;
  std::vector<Outcome> outcomes;  // one per file
  uint64_t cases = 0;
  std::string example;  // the first id
  bool Differs() const;
};

struct Change {
  std::string id, op;
  Outcome before = kAbsent, after = kAbsent;
};

struct ChangeList {
  uint64_t count = 0;
  std::vector<Change> first;  // at most kMaxChanges
};

// Differences between two runs of one backend. A case that one of the runs lacks is no change.
struct Changes {
  size_t before = 0, after = 0;  // indexes of the files
  ChangeList broken, fixed;
};

struct Comparison {
  std::vector<OutcomeRow> rows;  // those that differ first, then by number of cases
  uint64_t folded_away = 0;      // cases of rows past kMaxOutcomeRows
  std::vector<Changes> changes;  // each run with the one before it of the same backend
};

// Compares the files that `runs` were read from, by case id.
std::optional<Comparison> Compare(const std::vector<Run>& runs, const EachCase& each_case, Error* error);

}  // namespace poolproof::reports
