// A run held against its baseline (baseline_file.h). Every case is run all the same.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/results/baseline_file.h"
#include "conformance/results/record.h"

namespace poolproof {

// The known causes and, last, the signature of a case, as a baseline names causes.
std::vector<std::string> CauseNames(const Record& record);

// How a run differs from its baseline.
struct BaselineSummary {
  // One way in which the run differs; `ids` are the first of `count` cases, or names of blocks.
  struct Change {
    std::string kind;
    std::vector<std::string> ids;
    uint64_t count = 0;

    void Add(std::string id);
  };
  std::string file;  // empty: there is no baseline
  std::vector<Change> changes;
  std::vector<std::string> varying;  // a sentence for each block that varies
};

class Baseline {
 public:
  // Reads `path`. One sentence with file, line and value where that fails.
  static std::optional<Baseline> Load(const std::string& path, Error* error);

  // Looks a case up. Nothing where no block concerns it.
  // `covered`: the gate may pass in spite of this case.
  std::optional<BaselineNote> Check(const Record& record, bool* covered);
  // Whether Check of a case that passes and proves nothing has anything to say.
  bool AppliesTo(std::string_view id) const { return !file_.CasesOf(id).empty(); }

  // `complete`: the whole plan was run, so that cases that it does not have can be told.
  // `support`: what the backend has now; nullptr where it was not asked.
  BaselineSummary Summary(bool complete, const Support* support) const;

 private:
  // Why a case is or is not as its block says.
  enum Kind : uint8_t { kNew, kAnswer, kWorsened, kCause, kImproved, kExpired, kAsExpected };

  std::optional<BaselineNote> CheckFailure(const Record& record, std::span<const BaselineCase> listed, bool* covered);
  BaselineNote MarkCovered(size_t block, const Record& record, bool* covered);
  BaselineNote List(Kind kind, size_t block, Verdict expected, const Record& record);

  std::string path_;
  BaselineFile file_;
  std::vector<bool> seen_;        // whether this run has the case, as file_.cases
  std::vector<uint64_t> fitted_;  // cases of this run, by block
  BaselineSummary::Change changes_[kAsExpected] = {{"new", {}, 0},   {"answer", {}, 0},   {"worsened", {}, 0},
                                                   {"cause", {}, 0}, {"improved", {}, 0}, {"expired", {}, 0}};
};

// Whether the run differs from its baseline in any way.
inline bool Changed(const BaselineSummary& summary) { return !summary.changes.empty(); }

}  // namespace poolproof
