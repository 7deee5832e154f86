// Whether a fault can be what is wrong with a backend, and under which rule: it has to give failing
// cases their answers, and must not break right ones.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "conformance/diagnosis/local_case.h"
#include "conformance/diagnosis/parts.h"
#include "conformance/results/tally.h"

namespace poolproof {

// The facts of a run that causes are found from.
struct RunFacts {
  const Plan& plan;
  const Selection& selection;
  const Tally& tally;  // with its classes
  uint64_t end = 0;    // places from here on were not run
  // Whether nothing more is to be looked for; empty: never. Asked before each case that is computed.
  std::function<bool()> late = {};
};

struct Finding {
  bool possible = false;
  bool unclear = false;  // no rule says where it is at work
  Rule rule;
  uint64_t right = 0;            // right cases that it was tried on
  uint64_t broken = 0;           // of them, those that it would break under the rule
  double precision = 0;          // share of the failing cases that it breaks whose answer it gives
  std::vector<uint64_t> breaks;  // places of some right cases that it breaks without a rule
};

// A rule that cases which fail have and right ones lack.
struct Description {
  Rule rule;                          // has a condition
  uint64_t failing = 0, fitting = 0;  // cases that were looked at, and those for which the rule holds
  uint64_t right = 0, right_fitting = 0;
};

class Examiner {
 public:
  explicit Examiner(const RunFacts& run);

  // Whether the search is over: whatever is asked from then on finds nothing.
  bool Late() const { return run_.late && run_.late(); }

  // `classes`: those whose answers the fault gives. `conditions`: that a rule may have at most.
  Finding Examine(const Fault& fault, const std::vector<bool>& classes, size_t conditions);
  // From now on right cases that this fault changes say nothing of others: together they may be right.
  void Accept(const Fault& fault, const Rule& rule) { accepted_.emplace_back(fault, rule); }
  // Whether the fault that was accepted last changes one of these right cases, none of which counts from then on.
  bool LastAcceptedChanges(const std::vector<uint64_t>& places);
  // The share of the cases of a class that the fault breaks under the rule.
  double ShareBroken(const Fault& fault, const Rule& rule, const FailureClass& cases);
  // A rule that holds for these cases, which fail, and for no right one or, where there is none such, for few.
  std::optional<Description> Describe(std::span<const FailureClass* const> classes);
  // Places that tell the causes of these cases apart.
  Parts FindPartsOf(std::span<const FailureClass* const> classes);
  // Whether a rule holds for the case with this id.
  bool Fits(const Rule& rule, std::string_view id) { return case_.Load(id, &words_) && rule.Holds(case_.features()); }
  // The share of these cases for which a rule holds.
  double ShareMatching(const Rule& rule, std::span<const FailureClass* const> classes);
  // Number of cases, among some that the backend does not have, whose answers the fault changes under the rule.
  uint64_t ChangedUnsupported(const Fault& fault, const Rule& rule);
  // Tells whether the fault makes the case at place `n` wrong under the rule; true where the case is too large to
  // compute.
  bool MayBreak(const Fault& fault, const Rule& rule, uint64_t n) {
    if (!case_.Load(n, &words_) || !case_.Compute()) return true;
    return ChangesLoaded(fault, rule) && case_.FailsWith(fault);
  }
  // The causes that give most cases of the class their answers; for those of which the judge does not find causes.
  CauseSet ReproducingCauses(const FailureClass& cases);
  // The same for cases that are too large to be computed often, under the rule.
  bool ReproducesLargeAnswers(const Fault& fault, const Rule& rule, const FailureClass& cases);

  // Tells whether the case at place `n` is too large to be tried with every known cause.
  bool IsLarge(uint64_t n) { return case_.Load(n, &words_) && !case_.IsWithin(LocalCase::kWork); }

  // Features of the case at place `n`, which is the local one from then on.
  const Features& FeaturesOf(uint64_t n) {
    case_.Load(n, &words_);
    return case_.features();
  }

  WordNumbers& words() { return words_; }
  LocalCase& local() { return case_; }

 private:
  bool Right(uint64_t n) const;
  bool ChangedByAccepted();
  bool ChangesLoaded(const Fault& fault, const Rule& rule);
  std::vector<Features> FeaturesOfCases(std::span<const FailureClass* const> classes);
  const std::vector<Features>& FeaturesOfRight();
  std::optional<Description> Describe(std::span<const Features> failing);
  // Calls `each` for right cases in an order of their own, until it returns false.
  template <typename Each>
  void ForEachRight(uint64_t most, Each each);
  void TryRight(const Fault& fault, bool silent, const Rule* rule, size_t most, std::vector<Features>* broken,
                uint64_t* tried, std::vector<uint64_t>* places = nullptr);
  double Precision(const Fault& fault, const Rule& rule, const std::vector<bool>& classes);
  void DropNarrow(const Fault& fault, bool silent, std::span<const Features> broken, double allowed, Finding* finding);
  void TryWithoutRule(const Fault& fault, const std::vector<bool>& classes, size_t broken, Finding* finding);

  const RunFacts run_;
  LocalCase case_;
  WordNumbers words_;
  std::vector<std::pair<Fault, Rule>> accepted_;
  std::vector<Features> right_;  // of some right cases, once they were asked for
  double seen_ = 0;              // the share of all places that the last search for right cases has seen
  std::vector<std::pair<uint64_t, uint32_t>> failing_;  // places with their classes, sorted
};

// At most `most` of the members, spread over all.
std::vector<Member> Spread(const std::vector<Member>& members, size_t most);

}  // namespace poolproof
