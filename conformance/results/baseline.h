// A run held against its baseline (baseline_file.h). Every case is run all the same.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/results/baseline_file.h"
#include "conformance/results/failures.h"

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
  RandomCounts random;               // of the runs that the file was written from

  // Lines of cases that do not fail any more, or that no plan has.
  uint64_t LinesThatCanGo() const;
};

class Baseline {
 public:
  // Reads `path`. One sentence with file, line and value where that fails.
  static std::optional<Baseline> Load(const std::string& path, Error* error);

  // From now on a case that no block lists is as expected where a block, not expired, is of its cause: what a fuzzer
  // meets is never listed.
  void KnowByCause() { by_cause_ = true; }

  // How a case that does not conform stands to the baseline; notes nothing.
  Standing StandingOf(const Record& record) const;
  // Looks a case up, and notes what became of it. Nothing where no block concerns it.
  // `covered`: the gate may pass in spite of this case.
  std::optional<BaselineNote> Check(const Record& record, bool* covered);
  // Whether Check of a case that passes and proves nothing has anything to say.
  bool AppliesTo(std::string_view id) const { return !file_.CasesOf(id).empty(); }

  // One file is for plans of every level, size and part, so that a line may well be of a case that this run does not
  // have. It is out of date where no plan can have it: with `specs`, which says that all examples and invalid calls
  // were run, where its id is neither the name of one of them nor a problem line.
  // `support`: what the backend has now; nullptr where it was not asked.
  BaselineSummary Summary(const Specs* specs, const Support* support) const;

 private:
  // Why a case is or is not as its block says.
  enum Kind : uint8_t { kNew, kAnswer, kWorsened, kCause, kImproved, kExpired, kAsExpected };

  // The file's word on a case that does not conform; a new one has no block.
  struct Found {
    Kind kind = kNew;
    size_t block = 0;
    Verdict expected = Verdict::kFail;
  };

  Found Find(const Record& record) const;
  Found FitTo(size_t block, const Record& record) const;
  BaselineNote List(const Found& found, const Record& record);

  std::string path_;
  BaselineFile file_;
  bool by_cause_ = false;
  std::vector<bool> seen_;        // whether this run has the case, as file_.cases
  std::vector<uint64_t> fitted_;  // cases of this run, by block
  BaselineSummary::Change changes_[kAsExpected] = {{"new", {}, 0},   {"answer", {}, 0},   {"worsened", {}, 0},
                                                   {"cause", {}, 0}, {"improved", {}, 0}, {"expired", {}, 0}};
};

// Whether the run differs from its baseline in any way.
inline bool Changed(const BaselineSummary& summary) { return !summary.changes.empty(); }

}  // namespace poolproof
