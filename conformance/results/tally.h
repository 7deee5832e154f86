// Counts, classes of failures and evidence of a run, taken from its records in plan order.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/results/case_lists.h"
#include "conformance/results/failures.h"
#include "conformance/results/record.h"

namespace poolproof {

// How often each set of readings of one silence agreed, and where first.
struct ReadingUse {
  uint64_t cases = 0;
  std::string example;
};
using EvidenceKey = std::pair<std::string, uint32_t>;  // ledger id, bits of the agreeing readings
using AnswerKey = std::pair<std::string, int>;         // ledger id, bit of RoundingAnswers::answers

// A reading that all cases have to follow: the id of the entry, and where that may differ by operator and type
// these as well. Empty where every element may be read on its own.
std::string ScopeKey(reference::Entry entry, const Record& record);

// Adds a case to a class that it belongs to.
void AddCase(const Record& record, const Member& member, FailureClass* to);

class Tally;

// Readings that all cases agree with, of each silence on which some depend: bits, by the id of the entry.
std::map<std::string, uint32_t> CommonReadings(const Tally& tally);

// How a silence that element types may read apart is read in each: bits of readings, by the name of the type. Empty
// where the types of a run may not differ, or where no single reading fits one of them.
std::map<std::string, uint32_t> ReadingsByType(const Tally& tally, reference::Entry entry);

class Tally {
 public:
  Tally() = default;
  using StandingOf = std::function<Standing(const Record&)>;
  // For a run whose file begins with this header; `is_listed` and `standing_of` may be empty.
  Tally(const Json& header, CaseLists::IsListed is_listed, StandingOf standing_of)
      : standing_of_(std::move(standing_of)), lists_(header, std::move(is_listed)) {}

  // Adds the next record in plan order; returns the number of its class, 0 for none.
  int Add(const Record& record);
  // Adds a case that passes and proves nothing about readings.
  void AddPlainPass(const CaseLine& line);
  // The largest distance that some cases of "MaxPool-8 f32" were from exact, or some of "mean-scaling=before", which
  // only this reading explains, where few libraries follow it.
  void AddUlp(const std::string& cases, double ulp);
  // Cases of which only the whole run can tell the explanation.
  uint64_t ambiguous() const { return ambiguous_; }

  uint64_t planned() const { return planned_; }
  const std::array<uint64_t, kVerdictCount>& counts() const { return counts_; }
  const std::vector<FailureClass>& classes() const { return classes_; }
  // Groups that the classes become at the end of a run.
  const std::vector<CauseGroup>& groups() const { return groups_; }
  std::vector<CauseGroup>& groups() { return groups_; }
  void SetGroups(std::vector<CauseGroup> groups) { groups_ = std::move(groups); }
  StandingCounts Standings() const;  // of the groups
  // Makes each class a group, where no causes are looked for.
  void GroupByClass();
  // Places of the cases that are unsupported.
  const std::vector<uint64_t>& unsupported() const { return unsupported_; }
  const std::map<EvidenceKey, ReadingUse>& evidence() const { return evidence_; }
  // The same by ScopeKey instead of the ledger id.
  const std::map<EvidenceKey, ReadingUse>& scoped_evidence() const { return scoped_evidence_; }
  const std::map<AnswerKey, ReadingUse>& answers() const { return answers_; }
  const std::map<std::string, double>& ulp() const { return ulp_; }
  // Places of the cases that only a reading explains which few libraries follow: by "mean-scaling=before" and function.
  using ByFunction = std::map<std::string, std::vector<uint64_t>>;
  const std::map<std::string, ByFunction>& rare() const { return rare_; }
  // The same run, had its cases failed in these classes: that, and what is unsupported.
  Tally WithClasses(std::vector<FailureClass> classes) const;
  // Deviation keys of all cases that deviate, and of those that nothing else explains.
  const std::map<std::string, uint64_t>& deviations() const { return deviations_; }
  const std::map<std::string, uint64_t>& proven_deviations() const { return proven_deviations_; }
  const CaseLists& lists() const { return lists_; }

 private:
  FailureClass& FindClass(const Record& record);
  void AddEvidence(const Evidence& evidence, const Record& record);
  void AddCandidates(const Record& record);

  StandingOf standing_of_;
  uint64_t planned_ = 0, ambiguous_ = 0;
  std::array<uint64_t, kVerdictCount> counts_{};
  std::vector<FailureClass> classes_;
  std::map<std::string, size_t> numbers_;  // of classes, by what their cases have in common
  std::vector<CauseGroup> groups_;
  std::vector<uint64_t> unsupported_;
  std::map<EvidenceKey, ReadingUse> evidence_, scoped_evidence_;
  std::map<AnswerKey, ReadingUse> answers_;
  std::map<std::string, double> ulp_;
  std::map<std::string, ByFunction> rare_;
  CaseLists lists_;
  std::map<std::string, uint64_t> deviations_, proven_deviations_;
};

// The name of the only reading of `readings` (see Evidence) where few libraries follow it.
std::optional<std::string_view> RareReading(reference::Entry entry, uint32_t readings);

// "same-stride=ceil-div nan=ignore": the deviations of a case; signature of a group that deviates.
std::string DeviationKey(const Judgement& judgement);

}  // namespace poolproof
