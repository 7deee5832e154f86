// The baseline: which cases are expected not to pass, with which answers, and why. Every case is run
// all the same.
//
//   {"poolproof_baseline":2,
//    "lacks":{"MaxPool-8":{"i8":"all"}},
//    "entries":[{"verdict":"fail","cause":"openvino-18731","reason":"...","owner":"...",
//                "expires":"2027-06-30","cases":{"MaxPool-8/example-1":"3f9a6c0112ab77de"}}]}
//
// An entry covers the cases it lists (cover.h), each with the answer it lists, as long as they end in
// its verdict for its cause; the first entry that fits a case is the case's. `cause`, optional, is the
// id of a known cause, the readings of a deviation ("same-stride=ceil-div"), or the signature of a
// group; `case`, optional, a pattern of ids in which * stands for any text.
//
// `lacks` says what the backend did not have (support.h); one that lacks more has lost it.
//
// What differs from CPU to CPU or from run to run says so, why, and within what:
//
//   "varies":{"by":"cpu","reason":"...","within":"answers"}
//
// `by`: cpu or run. `within`: "answers", any of its cases may pass or have one of the answers listed
// for it; "cases", any of its cases may pass or have any answer; or a number, that many cases that the
// entry fits may fail with any answer, and no cases are listed.
#ifndef POOLPROOF_CONFORMANCE_RESULTS_BASELINE_H_
#define POOLPROOF_CONFORMANCE_RESULTS_BASELINE_H_

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/cases/support.h"
#include "conformance/results/cover.h"
#include "conformance/results/record.h"

namespace poolproof {

struct BaselineVaries {
  enum class Within : uint8_t { kAnswers, kCases, kNumber };
  std::string by, reason;
  Within within = Within::kAnswers;
  uint64_t number = 0;  // kNumber
};

struct BaselineEntry {
  std::string pattern = "*";
  Verdict verdict = Verdict::kFail;
  std::string cause, reason, owner, expires, example;
  std::optional<BaselineVaries> varies;
  Cover cover;
  uint64_t fitted = 0;  // cases of this run that the entry covers

  bool Fits(const Record& record) const;
  // "fail openvino-18731 MaxPool-8*", for people.
  std::string Name() const;
};

// What a run says about its baseline.
struct BaselineSummary {
  // One way in which the run differs; `ids` are the first of `count` cases, or names of entries.
  struct Change {
    std::string kind;
    std::vector<std::string> ids;
    uint64_t count = 0;
  };
  std::string file;  // empty: there is no baseline
  std::vector<Change> changes;
  std::vector<std::string> varying;  // a sentence for each entry that varies
};

class Baseline {
 public:
  // Reads `path`. One sentence with file, place and value where that fails.
  static std::optional<Baseline> Load(const std::string& path, Error* error);

  // Looks a case up. Returns the value of its "baseline" key, empty where no entry concerns it.
  // `covered`: the gate may pass in spite of this case.
  std::string Check(const Record& record, bool* covered);
  // Whether Check of a case that passes and proves nothing has anything to say.
  bool Concerns(std::string_view id) const { return index_.contains(Cover::HashOf(id)); }

  // `complete`: the whole plan was run, so that entries without a case can be told.
  // `support`: what the backend has now; nullptr where nobody asked it.
  BaselineSummary Summary(bool complete, const Support* support) const;

 private:
  // Why a case is or is not as its entry says.
  enum Kind { kNew, kAnswer, kWorsened, kCause, kImproved, kExpired, kKinds };

  void BuildIndex();
  const BaselineEntry* OtherOwner(std::string_view id) const;
  std::string CheckPass(const Record& record);
  std::string List(Kind kind, const BaselineEntry* entry, const Record& record);
  void SummarizeEntries(bool complete, BaselineSummary* summary) const;

  std::string path_, today_;
  std::vector<BaselineEntry> entries_;
  std::optional<Support> support_;                   // when it was written
  std::unordered_multimap<uint64_t, size_t> index_;  // hash of an id -> entries that list it
  std::vector<std::string> ids_[kKinds];
  uint64_t counts_[kKinds] = {};
};

// Whether the run differs from its baseline in any way.
inline bool Changed(const BaselineSummary& summary) { return !summary.changes.empty(); }

struct BaselineFile {
  std::vector<BaselineEntry> entries;
  std::optional<Support> support;
};
// A file as it is. Format 1, which listed no cases, only where `old_too`.
std::optional<BaselineFile> ReadBaselineFile(const std::string& path, bool old_too, Error* error);

// The causes of a record as a baseline names them.
std::vector<std::string> CauseNames(const Record& record);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RESULTS_BASELINE_H_
