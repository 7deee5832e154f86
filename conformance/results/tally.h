// Counts, classes of failures and evidence of a run, taken from its records in plan order.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/results/case_lists.h"
#include "conformance/results/record.h"

namespace poolproof {

// The problem that stands for a group, once described.
struct SmallestProblem {
  std::string line;   // empty: it was not described
  std::string after;  // id of the case after which alone the fault shows, or empty
  std::string json;   // "smallest" of the results format
};

// One case of a class: its place in the plan, and the first half of its answer.
struct Member {
  uint64_t n = 0, answer = 0;
};

// Cases that do not conform. While cases come in they are put into classes: one verdict, one signature,
// one set of known causes that each give the very result. At the end of a run FindCauses (diagnosis.h)
// makes groups of whole classes, one for each cause.
struct Group {
  int number = 0;                    // from 1, in plan order of the first case
  Verdict verdict = Verdict::kFail;  // the worst of its cases
  std::string signature;
  CauseSet causes;  // of a class: each gives all results; of a group: the one that is named
  uint64_t cases = 0;
  std::set<std::string> operators;
  std::set<std::string> types;
  std::vector<std::string> first;  // ids, at most ten, in plan order
  uint64_t first_n = 0;            // place of the first
  // The case with the fewest known causes and input elements; the shrinker begins there.
  Verdict smallest_verdict = Verdict::kFail;
  bool smallest_close = true;  // the cause gives its answer
  std::string smallest_id, smallest_line;
  std::string smallest_with;  // the case that contradicts it, where it is inconsistent
  int64_t smallest_elements = 0;
  uint64_t smallest_n = 0;  // its place in the plan
  std::string message;      // of the smallest case
  std::string clause;       // id of the clause that the smallest case breaks
  SmallestProblem smallest;

  // "ties=last": how the inconsistent cases of a class read the entry; of a group the reading that is
  // what is wrong, or empty.
  std::string reading;
  std::vector<Member> members;  // in plan order

  // Facts of a group.
  std::map<Verdict, uint64_t> verdicts;
  Cause cause;           // what it is named; no id: it has no known cause
  std::string where;     // the rule that its cases fit and right ones do not, or empty
  std::string evidence;  // what speaks for the cause, one sentence
  // Whether a problem fits `where`, of a group without a known cause; nothing of others.
  std::function<bool(const Problem&)> fits;
};

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

class Tally {
 public:
  Tally() = default;
  // For a run whose file begins with this header; `is_listed` may be empty.
  Tally(const Json& header, CaseLists::IsListed is_listed) : lists_(header, std::move(is_listed)) {}

  // Adds the next record in plan order; returns the number of its class, 0 for none.
  int Add(const Record& record);
  // Adds a case that passes and proves nothing about readings.
  void AddPlainPass(const CaseLine& line);
  // The largest distance that some cases of "MaxPool-8 f32" were from exact.
  void AddUlp(const std::string& cases, double ulp);
  // Cases of which only the whole run can tell the explanation.
  uint64_t ambiguous() const { return ambiguous_; }

  uint64_t planned() const { return planned_; }
  const std::array<uint64_t, kVerdictCount>& counts() const { return counts_; }
  // Classes until they are replaced by groups.
  const std::vector<Group>& groups() const { return groups_; }
  std::vector<Group>& groups() { return groups_; }
  void SetGroups(std::vector<Group> groups) { groups_ = std::move(groups); }
  // Places of the cases that are unsupported.
  const std::vector<uint64_t>& unsupported() const { return unsupported_; }
  const std::map<EvidenceKey, ReadingUse>& evidence() const { return evidence_; }
  // The same by ScopeKey instead of the ledger id.
  const std::map<EvidenceKey, ReadingUse>& scoped_evidence() const { return scoped_evidence_; }
  const std::map<AnswerKey, ReadingUse>& answers() const { return answers_; }
  const std::map<std::string, double>& ulp() const { return ulp_; }
  // Deviation keys of all cases that deviate, and of those that nothing else explains.
  const std::map<std::string, uint64_t>& deviations() const { return deviations_; }
  const std::map<std::string, uint64_t>& proven_deviations() const { return proven_deviations_; }
  const CaseLists& lists() const { return lists_; }

 private:
  Group& FindClass(const Record& record);
  void AddEvidence(const Evidence& evidence, const Record& record);
  void AddCandidates(const Record& record);

  uint64_t planned_ = 0, ambiguous_ = 0;
  std::array<uint64_t, kVerdictCount> counts_{};
  std::vector<Group> groups_;
  std::map<std::string, size_t> classes_;  // by what their cases have in common
  std::vector<uint64_t> unsupported_;
  std::map<EvidenceKey, ReadingUse> evidence_, scoped_evidence_;
  std::map<AnswerKey, ReadingUse> answers_;
  std::map<std::string, double> ulp_;
  CaseLists lists_;
  std::map<std::string, uint64_t> deviations_, proven_deviations_;
};

// "same-stride=ceil-div nan=ignore": the deviations of a case; signature of a group that deviates.
std::string DeviationKey(const Judgement& judgement);

}  // namespace poolproof
