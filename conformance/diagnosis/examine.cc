#include "conformance/diagnosis/examine.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace poolproof {
namespace {

// Numbers of cases, not of seconds, so that a run has the same causes on every machine.
constexpr size_t kFailingCasesFitted = 1200;  // failing cases that a rule is fitted to
constexpr size_t kPerClass = 24;              // of a small class at least
constexpr uint64_t kRightCasesTried = 4000;   // right cases that a fault is tried on
constexpr size_t kBroken = 300;               // broken ones after which that is enough
constexpr uint64_t kScanned = 40000;          // right cases that a rule is held against
constexpr uint64_t kFittingCasesTried = 400;  // and of those that fit it, tried
constexpr ptrdiff_t kFewestNarrow = 5;        // right cases that a condition has to keep out
constexpr double kFewestUnclear = 50;         // failing cases that a cause without a rule has to give
constexpr double kPreciseWithoutRule = 0.9;   // and of those that it breaks
constexpr size_t kPlacesKept = 24;            // of broken cases
constexpr int kRounds = 6;
constexpr double kShareBrokenAllowed = 0.03;  // right cases that a fault may break, per case that it explains
constexpr double kLoosestShare = 0.9;         // failing cases that a description has to hold for
constexpr uint64_t kDescribed = 6000;         // right cases that a description has to leave out
constexpr size_t kUnsupportedTried = 2000;    // cases that the backend does not have
constexpr size_t kSample = 6;                 // of a class that is asked as a whole
constexpr size_t kLargeSample = 3;            // of one whose cases are large

// Steps through all places in an order that has nothing to do with the plan's.
uint64_t StepFor(uint64_t size) {
  uint64_t step = std::max<uint64_t>(1, static_cast<uint64_t>(0.6180339887 * static_cast<double>(size)));
  while (std::gcd(step, size) != 1) ++step;
  return step;
}

std::vector<const FailureClass*> Chosen(const std::vector<FailureClass>& all, const std::vector<bool>& chosen) {
  std::vector<const FailureClass*> some;
  for (size_t c = 0; c < chosen.size(); ++c) {
    if (chosen[c]) some.push_back(&all[c]);
  }
  return some;
}

// Whether all that fails reads a silence in two ways.
bool IsSilent(std::span<const FailureClass* const> classes) {
  return std::all_of(classes.begin(), classes.end(), [](const FailureClass* group) {
    const auto entry = reference::FindEntry(group->signature);
    return group->verdict == Verdict::kInconsistent && entry && !reference::IsRounding(*entry);
  });
}

// Whether there are enough answers to know a cause by them alone; a refusal is like any other.
bool TellsMuch(std::span<const FailureClass* const> classes) {
  double all = 0, refused = 0;
  for (const FailureClass* each : classes) {
    const bool refusal = each->verdict == Verdict::kWronglyRejected || each->verdict == Verdict::kWronglyAccepted;
    all += static_cast<double>(each->cases);
    refused += refusal ? static_cast<double>(each->cases) : 0;
  }
  return all - refused >= kFewestUnclear && 2 * refused < all;
}

// Whether one of the places is in the other, as their words say.
bool IsWithin(const Rule& a, const Rule& b) {
  const auto in = [](const Rule& other) {
    return
        [&other](const Literal& literal) { return std::ranges::find(other.literals, literal) != other.literals.end(); };
  };
  return std::ranges::all_of(a.literals, in(b)) || std::ranges::all_of(b.literals, in(a));
}

// The rule without one of its conditions, where that keeps few of `outside` out, which it fits by accident.
std::optional<Rule> WithoutNarrow(const Rule& rule, size_t i, std::span<const Features> outside) {
  Rule others = rule;
  others.literals.erase(others.literals.begin() + static_cast<ptrdiff_t>(i));
  const auto out =
      std::ranges::count_if(outside, [&](const Features& f) { return others.Holds(f) && !rule.literals[i].Holds(f); });
  return out < kFewestNarrow ? std::optional(std::move(others)) : std::nullopt;
}

// The rule without its narrow conditions; the first stays where all are.
Rule WithoutNarrow(Rule rule, std::span<const Features> outside) {
  for (size_t i = rule.literals.size(); i-- > 0 && rule.literals.size() > 1;) {
    if (auto others = WithoutNarrow(rule, i, outside)) rule = *std::move(others);
  }
  return rule;
}

}  // namespace

std::vector<Member> Spread(const std::vector<Member>& members, size_t most) {
  if (members.size() <= most) return members;
  std::vector<Member> some;
  for (size_t i = 0; i < most; ++i) some.push_back(members[i * members.size() / most]);
  return some;
}

Examiner::Examiner(const RunFacts& run) : run_(run), case_(run.plan, run.selection) {
  const std::vector<FailureClass>& classes = run.tally.classes();
  for (uint32_t c = 0; c < classes.size(); ++c) {
    for (const Member& member : classes[c].members) failing_.emplace_back(member.n, c);
  }
  std::sort(failing_.begin(), failing_.end());
}

bool Examiner::Right(uint64_t n) const {
  const auto at = std::lower_bound(failing_.begin(), failing_.end(), std::pair(n, uint32_t{0}));
  if (at != failing_.end() && at->first == n) return false;
  const std::vector<uint64_t>& none = run_.tally.unsupported();
  return !std::binary_search(none.begin(), none.end(), n);
}

template <typename Each>
void Examiner::ForEachRight(uint64_t most, Each each) {
  if (run_.end == 0) return;
  const uint64_t step = StepFor(run_.end);
  uint64_t n = 0;
  for (uint64_t i = 0, seen = 0; i < run_.end && seen < most; ++i, n = (n + step) % run_.end) {
    if (Late()) return;
    seen_ = static_cast<double>(i + 1) / static_cast<double>(run_.end);
    if (!Right(n) || !case_.Load(n, &words_)) continue;
    ++seen;
    if (!each()) return;
  }
}

std::vector<Features> Examiner::FeaturesOfCases(std::span<const FailureClass* const> classes) {
  uint64_t all = 0;
  for (const FailureClass* group : classes) all += group->members.size();
  std::vector<Features> features;
  for (const FailureClass* group : classes) {
    const size_t share = static_cast<size_t>(static_cast<double>(group->members.size()) / static_cast<double>(all) *
                                             kFailingCasesFitted);
    for (const Member& member : Spread(group->members, std::max(share, kPerClass))) {
      if (case_.Load(member.n, &words_)) features.push_back(case_.features());
    }
  }
  return features;
}

// Right cases that the fault breaks; with a rule only those that fit it. `silent`: it does no more than
// to read a silence in another way than usual, which breaks a case without making it wrong.
void Examiner::TryRight(const Fault& fault, bool silent, const Rule* rule, size_t most, std::vector<Features>* broken,
                        uint64_t* tried, std::vector<uint64_t>* places) {
  const size_t before = broken->size();
  uint64_t held = 0;
  ForEachRight(rule == nullptr ? run_.end : kScanned, [&] {
    if (!case_.AppliesTo(fault) || (rule != nullptr && !rule->Holds(case_.features()))) return true;
    if (!case_.Compute() || ChangedByAccepted()) return true;
    ++held;
    if (silent ? case_.ChangesAnswer(fault) : case_.FailsWith(fault)) {
      broken->push_back(case_.features());
      if (places != nullptr && places->size() < kPlacesKept) places->push_back(case_.planned().n);
    }
    return held < (rule == nullptr ? kRightCasesTried : kFittingCasesTried) && broken->size() < before + most;
  });
  *tried += held;
}

bool Examiner::LastAcceptedChanges(const std::vector<uint64_t>& places) {
  const auto& [fault, rule] = accepted_.back();
  return std::any_of(places.begin(), places.end(), [&](uint64_t n) {
    return case_.Load(n, &words_) && case_.Compute() && ChangesLoaded(fault, rule);
  });
}

double Examiner::Precision(const Fault& fault, const Rule& rule, const std::vector<bool>& classes) {
  const std::vector<FailureClass>& all = run_.tally.classes();
  double broken = 0, given = 0;
  for (size_t c = 0; c < all.size(); ++c) {
    const double weight = static_cast<double>(all[c].members.size());
    if (classes[c]) {
      broken += weight;
      given += weight;
    } else if (all[c].verdict == Verdict::kFail || all[c].verdict == Verdict::kDeviates) {
      broken += weight * ShareBroken(fault, rule, all[c]);
    }
  }
  return broken == 0 ? 0 : given / broken;
}

bool Examiner::ChangedByAccepted() {
  return std::any_of(accepted_.begin(), accepted_.end(), [this](const auto& accepted) {
    const auto& [fault, rule] = accepted;
    return case_.AppliesTo(fault) && rule.Holds(case_.features()) && case_.ChangesAnswer(fault);
  });
}

bool Examiner::ChangesLoaded(const Fault& fault, const Rule& rule) {
  return case_.AppliesTo(fault) && rule.Holds(case_.features()) && case_.Compute() && case_.ChangesAnswer(fault);
}

double Examiner::ShareBroken(const Fault& fault, const Rule& rule, const FailureClass& cases) {
  const bool inconsistent = cases.verdict == Verdict::kInconsistent;
  // An inconsistent case may be right itself, and contradict one that is not.
  if (inconsistent && case_.Load(cases.smallest_with, &words_) && ChangesLoaded(fault, rule)) return 1;
  size_t broken = 0, tried = 0;
  for (const Member& member : Spread(cases.members, kSample)) {
    if (Late() || !case_.Load(member.n, &words_)) continue;
    ++tried;
    if (!ChangesLoaded(fault, rule)) continue;
    broken += inconsistent || case_.FailsWith(fault) ? 1 : 0;
  }
  return tried == 0 ? 0 : static_cast<double>(broken) / static_cast<double>(tried);
}

double Examiner::ShareMatching(const Rule& rule, std::span<const FailureClass* const> classes) {
  const std::vector<Features> all = FeaturesOfCases(classes);
  const auto fitting = std::count_if(all.begin(), all.end(), [&](const Features& f) { return rule.Holds(f); });
  return all.empty() ? 0 : static_cast<double>(fitting) / static_cast<double>(all.size());
}

uint64_t Examiner::ChangedUnsupported(const Fault& fault, const Rule& rule) {
  const std::vector<uint64_t>& all = run_.tally.unsupported();
  const size_t tried = std::min(all.size(), kUnsupportedTried);
  uint64_t changed = 0;
  for (size_t i = 0; i < tried && !Late(); ++i) {
    changed += case_.Load(all[i * all.size() / tried], &words_) && ChangesLoaded(fault, rule) ? 1 : 0;
  }
  return changed;
}

CauseSet Examiner::ReproducingCauses(const FailureClass& cases) {
  const bool by_reading = cases.verdict == Verdict::kInconsistent;
  CauseSet left;
  for (size_t m = 0; m < Causes().size(); ++m) left.set(m);
  std::array<size_t, kMaxCauses> given{};
  size_t tried = 0;
  for (const Member& member : Spread(cases.members, kSample)) {
    if (Late() || !case_.Load(member.n, &words_)) return {};
    const bool computed = case_.Compute();
    tried += computed ? 1 : 0;
    for (size_t m = 0; m < Causes().size(); ++m) {
      const Fault fault{false, m, {}, 0};
      left[m] = left[m] && case_.AppliesTo(fault);
      if (!left[m] || !computed) continue;
      given[m] +=
          by_reading ? case_.PassesWithReading(fault, cases.reading) : case_.ReproducesAnswer(fault, member.answer);
      left[m] = tried != 2 || given[m] != 0;
    }
  }
  // Inconsistent cases have evidence alone, which says less.
  for (size_t m = 0; m < Causes().size(); ++m) {
    left[m] = left[m] && (by_reading ? 2 * given[m] > tried : tried > 0 && given[m] == tried);
  }
  return left;
}

bool Examiner::ReproducesLargeAnswers(const Fault& fault, const Rule& rule, const FailureClass& cases) {
  const std::vector<Member> some = Spread(cases.members, kLargeSample);
  return std::all_of(some.begin(), some.end(), [&](const Member& member) {
    return !Late() && case_.Load(member.n, &words_) && case_.AppliesTo(fault) && rule.Holds(case_.features()) &&
           case_.Compute(LocalCase::kLargeWork) && case_.ReproducesAnswer(fault, member.answer);
  });
}

Finding Examiner::Examine(const Fault& fault, const std::vector<bool>& classes, size_t conditions) {
  Finding finding;
  const std::vector<const FailureClass*> groups = Chosen(run_.tally.classes(), classes);
  const bool silent = IsSilent(groups);
  std::vector<Features> broken;
  // Where no rule would be allowed, one broken case is as good as many.
  TryRight(fault, silent, nullptr, conditions == 0 ? 1 : kBroken, &broken, &finding.right, &finding.breaks);
  std::vector<Features> inside;
  if (!broken.empty() && conditions > 0) inside = FeaturesOfCases(groups);
  double given = 0;
  for (const FailureClass* group : groups) given += static_cast<double>(group->cases);
  const double seen = seen_;
  const size_t first = broken.size();
  // Where a second fault is at work it may make right what this one makes wrong: a few may be broken.
  for (const auto& [kept, share] :
       {std::pair(1.0, 0.0), std::pair(kLooseShare, 0.0), std::pair(kLooseShare, kShareBrokenAllowed)}) {
    for (int round = 0; round < kRounds && !finding.possible; ++round) {
      const auto rule = FitRule(inside, broken, {kept, static_cast<size_t>(share * given * seen), false, conditions});
      if (!rule) break;
      finding.rule = *rule;
      std::vector<Features> more;
      if (rule->literals.empty()) {
        // All right cases that were tried have told what it breaks.
        finding.broken = first;
        finding.possible = true;
        break;
      }
      TryRight(fault, silent, &*rule, share > 0 ? kBroken : 12, &more, &finding.right);
      finding.broken = more.size();
      finding.possible = static_cast<double>(more.size()) <= share * given * seen_;
      broken.insert(broken.end(), more.begin(), more.end());
    }
  }
  const double allowed = kShareBrokenAllowed * given;
  if (finding.possible && static_cast<double>(first) <= allowed * seen) {
    finding.rule = {};
    finding.broken = first;
  }
  if (finding.possible) DropNarrow(fault, silent, broken, allowed, &finding);
  if (finding.possible) finding.precision = Precision(fault, finding.rule, classes);
  if (!finding.possible && !silent && TellsMuch(groups)) TryWithoutRule(fault, classes, broken.size(), &finding);
  if (Late()) finding = {};  // it may not have been held against all that refutes it
  return finding;
}

void Examiner::DropNarrow(const Fault& fault, bool silent, std::span<const Features> broken, double allowed,
                          Finding* finding) {
  for (size_t i = finding->rule.literals.size(); i-- > 0;) {
    auto others = WithoutNarrow(finding->rule, i, broken);
    if (!others) continue;
    std::vector<Features> more;
    uint64_t tried = 0;
    TryRight(fault, silent, &*others, kBroken, &more, &tried);
    if (static_cast<double>(more.size()) > allowed * seen_) continue;
    finding->rule = *std::move(others);
    finding->broken = more.size();
    finding->right += tried;
  }
}

// A fault that gives all answers where it shows among wrong ones is known, although no rule says where that is.
void Examiner::TryWithoutRule(const Fault& fault, const std::vector<bool>& classes, size_t broken, Finding* finding) {
  const double precision = Precision(fault, {}, classes);
  if (precision < kPreciseWithoutRule) return;
  finding->possible = finding->unclear = true;
  finding->rule = {};
  finding->broken = broken;
  finding->precision = precision;
}

const std::vector<Features>& Examiner::FeaturesOfRight() {
  if (!right_.empty()) return right_;
  ForEachRight(kDescribed, [&] {
    right_.push_back(case_.features());
    return true;
  });
  return right_;
}

Parts Examiner::FindPartsOf(std::span<const FailureClass* const> classes) {
  if (Late()) return {};
  const std::vector<Features> failing = FeaturesOfCases(classes);
  const Parts parts = FindParts(failing, FeaturesOfRight());
  if (parts.Count() == 1) return parts;
  std::vector<std::vector<Features>> problems(parts.Count());
  for (const Features& each : failing) problems[parts.Of(each)].push_back(each);
  std::vector<Rule> places;
  for (const std::vector<Features>& some : problems) {
    const std::optional<Description> found = Describe(some);
    if (!found || std::ranges::any_of(places, [&](const Rule& place) { return IsWithin(found->rule, place); }))
      return {};
    places.push_back(found->rule);
  }
  return parts;
}

std::optional<Description> Examiner::Describe(std::span<const FailureClass* const> classes) {
  return Describe(FeaturesOfCases(classes));
}

std::optional<Description> Examiner::Describe(std::span<const Features> inside) {
  const std::vector<Features>& outside = FeaturesOfRight();
  if (outside.empty() || Late()) return std::nullopt;
  const auto spare = [&](double share) { return static_cast<size_t>(share * static_cast<double>(outside.size())); };
  const FitOptions tries[] = {{kLooseShare, 0, false},           {kLooseShare, 0, true},
                              {kLooseShare, spare(0.02), false}, {kLooseShare, spare(0.1), false},
                              {kLooseShare, spare(0.25), false}, {kLoosestShare, spare(0.02), false},
                              {kLoosestShare, spare(0.1), false}};
  for (const FitOptions& options : tries) {
    auto rule = FitRule(inside, outside, options);
    if (!rule || rule->literals.empty()) continue;
    rule = WithoutNarrow(*std::move(rule), outside);
    const auto count = [&](std::span<const Features> all) {
      return static_cast<uint64_t>(
          std::count_if(all.begin(), all.end(), [&](const Features& f) { return rule->Holds(f); }));
    };
    return Description{*rule, inside.size(), count(inside), outside.size(), count(outside)};
  }
  return std::nullopt;
}

}  // namespace poolproof
