#include "conformance/diagnosis/suspects.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>

namespace poolproof {
namespace {

// Factors on the answers that a suspect gives: for each condition of its rule, for being no reading that the documents
// name, and for right cases that it would break.
constexpr double kPerLiteral = 0.85, kPerCause = 0.98, kPerBroken = 0.5, kPerUnclear = 0.5;
constexpr uint64_t kFewestPerLiteral = 5;  // cases that a rule needs for each of its conditions
constexpr uint64_t kMostConditions = 3;    // of a rule
// Least share of the wrong answers where it would show that a cause gives: one that gives fewer happens to give
// what something else does.
constexpr double kLeastPrecision = 0.25;
constexpr size_t kBounds = 4;  // learnt from the answers

// A cause that would break fewer right answers is likelier than another that gives the same wrong ones.
double ShareBroken(const Finding& finding) {
  return static_cast<double>(finding.broken) / static_cast<double>(std::max<uint64_t>(finding.right, 1));
}

}  // namespace

Suspect& Suspects::SuspectFor(const Fault& fault) {
  for (Suspect& suspect : suspects_) {
    if (EqualFaults(suspect.fault, fault)) return suspect;
  }
  Suspect& suspect = suspects_.emplace_back();
  suspect.fault = fault;
  suspect.gives.resize(classes_.size());
  return suspect;
}

void Suspects::Collect() {
  std::vector<size_t> unclear;
  for (size_t c = 0; c < classes_.size(); ++c) {
    if (!open_(c)) continue;
    for (size_t m = 0; m < Causes().size(); ++m) {
      if (classes_[c].causes[m]) SuspectFor({false, m, {}, 0}).gives[c] = true;
    }
    const std::string& words = classes_[c].verdict == Verdict::kDeviates ? classes_[c].signature : classes_[c].reading;
    std::istringstream in(words);
    for (std::string word; in >> word;) {
      if (const auto fault = ReadingFault(word)) SuspectFor(*fault).gives[c] = true;
    }
    if (classes_[c].causes.none()) unclear.push_back(c);
  }
  AskAbout(std::move(unclear));
  for (const Fault& fault : LearnBounds(classes_, open_, kBounds)) AddBound(fault);
}

void Suspects::AddBound(const Fault& fault) {
  std::vector<bool> gives(classes_.size());
  for (size_t c = 0; c < classes_.size(); ++c) {
    gives[c] =
        open_(c) && classes_[c].verdict == Verdict::kFail && examiner_->ReproducesLargeAnswers(fault, {}, classes_[c]);
  }
  Suspect& suspect = SuspectFor(fault);
  suspect.gives = std::move(gives);
}

// The judge finds no causes of cases that were too large, that deviate or that are inconsistent.
void Suspects::AskAbout(std::vector<size_t> unclear) {
  std::stable_sort(unclear.begin(), unclear.end(),
                   [this](size_t a, size_t b) { return classes_[a].cases > classes_[b].cases; });
  if (unclear.size() > kAsked) unclear.resize(kAsked);
  for (const size_t c : unclear) {
    const CauseSet causes = examiner_->ReproducingCauses(classes_[c]);
    for (size_t m = 0; m < Causes().size(); ++m) {
      if (causes[m]) SuspectFor({false, m, {}, 0}).gives[c] = true;
    }
  }
}

uint64_t Suspects::Gain(const Suspect& suspect) const {
  uint64_t cases = 0;
  for (size_t c = 0; c < classes_.size(); ++c) {
    if (suspect.gives[c] && open_(c)) cases += classes_[c].cases;
  }
  return cases;
}

// A rule can be found for any few cases.
size_t Suspects::ConditionsFor(const Suspect& suspect) const {
  return static_cast<size_t>(std::min<uint64_t>(Gain(suspect) / kFewestPerLiteral, kMostConditions));
}

double Suspects::Score(const Suspect& suspect) const {
  const double share = std::pow(kPerLiteral, static_cast<double>(suspect.finding.rule.literals.size()));
  return static_cast<double>(Gain(suspect)) * suspect.finding.precision * share *
         (suspect.fault.is_reading ? 1 : kPerCause) * (suspect.finding.broken > 0 ? kPerBroken : 1) *
         (suspect.finding.unclear ? kPerUnclear * (1 - ShareBroken(suspect.finding)) : 1);
}

// A refusal says less than an answer: where calls that the suspect leaves alone are refused as well, in the place of
// its rule and in no smaller number, what they have in common is the rule.
bool Suspects::IsRefusedAnyway(const Suspect& suspect) {
  if (suspect.finding.rule.literals.empty()) return false;
  uint64_t own = 0;
  std::vector<const FailureClass*> others;
  for (size_t c = 0; c < classes_.size(); ++c) {
    if (!open_(c) || classes_[c].verdict != Verdict::kWronglyRejected) continue;
    own += suspect.gives[c] ? classes_[c].cases : 0;
    if (!suspect.gives[c]) others.push_back(&classes_[c]);
  }
  if (2 * own < Gain(suspect)) return false;
  uint64_t beside = 0;
  for (const FailureClass* other : others) beside += other->cases;
  return static_cast<double>(beside) * examiner_->ShareMatching(suspect.finding.rule, others) >=
         static_cast<double>(own);
}

// Compares scores. Of two equal ones that explain the same, the suspect is likelier that changes fewer of the cases
// that the backend says it does not have: there the backend does something else.
bool Suspects::IsLikelier(const Suspect& suspect, const Suspect& other) {
  const double score = Score(suspect), others = Score(other);
  if (score > others || score < others) return score > others;
  if (suspect.gives != other.gives) return false;
  return examiner_->ChangedUnsupported(suspect.fault, suspect.finding.rule) <
         examiner_->ChangedUnsupported(other.fault, other.finding.rule);
}

// The suspect that explains most of what is open. They are examined one by one until none that is left
// could be better.
Suspect* Suspects::FindBest() {
  std::vector<Suspect*> order;
  for (Suspect& suspect : suspects_) {
    if (Gain(suspect) > 0) order.push_back(&suspect);
  }
  std::stable_sort(order.begin(), order.end(), [this](Suspect* a, Suspect* b) { return Gain(*a) > Gain(*b); });
  Suspect* best = nullptr;
  for (Suspect* suspect : order) {
    if (examiner_->Late()) return nullptr;
    if (best != nullptr && static_cast<double>(Gain(*suspect)) <= Score(*best)) break;
    if (!suspect->examined) {
      suspect->finding = examiner_->Examine(suspect->fault, suspect->gives, ConditionsFor(*suspect));
      suspect->examined = true;
    }
    if (!suspect->finding.possible || suspect->finding.rule.literals.size() > ConditionsFor(*suspect)) continue;
    if (suspect->finding.precision < kLeastPrecision || IsRefusedAnyway(*suspect)) continue;
    if (best == nullptr || IsLikelier(*suspect, *best)) best = suspect;
  }
  return examiner_->Late() ? nullptr : best;
}

void Suspects::Reconsider() {
  for (Suspect& suspect : suspects_) {
    const Finding& found = suspect.finding;
    suspect.examined = suspect.examined && (found.possible || !examiner_->LastAcceptedChanges(found.breaks));
  }
}

}  // namespace poolproof
