#include "conformance/diagnosis/parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "conformance/diagnosis/bits.h"

namespace poolproof {
namespace {

using Sense = Literal::Sense;

constexpr double kWholeShare = 0.98;   // of the failing problems that the place of all has to hold
constexpr double kPurer = 0.33;        // right problems per failing one of a part, beside those of all
constexpr size_t kFewestOfPart = 20;   // failing problems
constexpr double kLeastPart = 0.03;    // of them all
constexpr double kPlaceOfOther = 0.7;  // of the problems of a part that lie in the place of another one
constexpr double kFewInNone = 0.06;    // of all failing problems that may lie in no place
constexpr size_t kMostParts = 3;       // three causes in one operator
constexpr size_t kMostValues = 12;     // of a number that are tried as bounds
constexpr size_t kMostPlaces = 300;    // that are kept, the best
constexpr double kImpure = 4;          // times the odds of a part that a third condition may better
constexpr size_t kMostSeeds = 8;       // places that are tried as a part
constexpr double kPerCondition = 0.9;  // of what a place with one condition more is worth
constexpr double kSameSeed = 0.9;      // of the problems of two places
constexpr double kSpares[] = {0, 0.002, 0.01, 0.03, 0.1, 0.25, 0.5};  // shares of right problems in a place

// A place: problems that fail and right ones for which its rule holds.
struct Place {
  Rule rule;
  Bits failing, right;

  Place With(const Place& other) const {
    Place both{rule, failing.And(other.failing), right.And(other.right)};
    both.rule.literals.insert(both.rule.literals.end(), other.rule.literals.begin(), other.rule.literals.end());
    return both;
  }
};

using Places = std::multimap<double, Place, std::greater<>>;  // by their worth

double Odds(size_t right, size_t failing) { return (static_cast<double>(right) + 0.5) / static_cast<double>(failing); }

// The narrowest place of few words that holds a share of the failing problems, and right problems per failing one in
// it.
struct Narrowest {
  Rule rule;
  double odds = 0;
};

Narrowest FindNarrowest(std::span<const Features> failing, std::span<const Features> right, double share) {
  for (const double spare : kSpares) {
    const auto most = static_cast<size_t>(spare * static_cast<double>(right.size()));
    const std::optional<Rule> rule = FitRule(failing, right, {share, most});
    if (!rule || rule->literals.empty()) continue;
    const auto inside = std::ranges::count_if(right, [&](const Features& f) { return rule->Holds(f); });
    return {*rule, Odds(static_cast<size_t>(inside), failing.size())};
  }
  return {{}, Odds(right.size(), failing.size())};
}

bool Speaks(const Rule& rule, Feature feature) {
  return std::ranges::any_of(rule.literals, [&](const Literal& literal) { return literal.feature == feature; });
}

// Whether no number or word fits both.
bool Excludes(const Literal& a, const Literal& b) {
  if (a.feature != b.feature || FactsOf(a.feature).kind == FeatureKind::kFlag) return false;
  Features at{};
  const auto fits = [&](const Literal& literal, int64_t value) {
    at[static_cast<size_t>(literal.feature)] = value;
    return literal.Holds(at);
  };
  // Bounds that leave something to both do so at one of them.
  return !fits(a, b.value) && !fits(b, a.value);
}

// Whether two places are of one cause: they differ in the words that documents have for one thing, "same_upper" and
// "SAME_UPPER", or one speaks of nothing that the other does not, at another value, "channels = 4" and "channels = 8".
bool AreAlike(const Rule& a, const Rule& b) {
  const auto both = [&](Feature feature) { return Speaks(a, feature) && Speaks(b, feature); };
  if (both(Feature::kAutoPad) || both(Feature::kRounding)) return true;
  const auto in = [](const Rule& other) {
    return [&other](const Literal& literal) { return Speaks(other, literal.feature); };
  };
  const bool apart = std::ranges::any_of(a.literals, [&](const Literal& one) {
    return std::ranges::any_of(b.literals, [&](const Literal& other) { return Excludes(one, other); });
  });
  return apart && (std::ranges::all_of(a.literals, in(b)) || std::ranges::all_of(b.literals, in(a)));
}

bool HoldsForMost(const Rule& rule, std::span<const Features> problems) {
  const auto holds = std::ranges::count_if(problems, [&](const Features& f) { return rule.Holds(f); });
  return static_cast<double>(holds) >= kPlaceOfOther * static_cast<double>(problems.size());
}

// The values of a feature at which a place may begin or end: all, or some of each height.
std::vector<int64_t> BoundsOf(std::span<const Features> failing, Feature feature) {
  std::vector<int64_t> values;
  for (const Features& f : failing) values.push_back(f[static_cast<size_t>(feature)]);
  std::ranges::sort(values);
  std::vector<int64_t> distinct = values;
  distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
  if (distinct.size() <= kMostValues || FactsOf(feature).kind == FeatureKind::kChoice) return distinct;
  std::vector<int64_t> some(distinct.begin(), distinct.begin() + kMostValues / 3);
  for (size_t i = 1; i < kMostValues; ++i) some.push_back(values[i * values.size() / kMostValues]);
  std::ranges::sort(some);
  some.erase(std::ranges::unique(some).begin(), some.end());
  return some;
}

// Finds the places that hold most failing problems with the fewest right ones.
class Seeds {
 public:
  Seeds(std::span<const Features> failing, std::span<const Features> right, double odds)
      : failing_(failing),
        right_(right),
        odds_(odds),
        least_(std::max(kFewestOfPart, static_cast<size_t>(kLeastPart * static_cast<double>(failing.size())))) {}

  std::vector<Rule> Find() && {
    for (size_t f = 0; f < kFeatureCount; ++f) {
      if (static_cast<Feature>(f) != Feature::kFill) AddFeature(static_cast<Feature>(f));
    }
    Places best, pairs;
    for (size_t a = 0; a < ones_.size(); ++a) {
      Keep(Worth(ones_[a].failing.Count(), ones_[a].right.Count(), 1, odds_), ones_[a], nullptr, &best);
      for (size_t b = a + 1; b < ones_.size(); ++b) {
        KeepBoth(ones_[a], ones_[b], odds_, &best);
        // A third condition may make it pure enough.
        KeepBoth(ones_[a], ones_[b], kImpure * odds_, &pairs);
      }
    }
    for (const auto& [worth, pair] : pairs) {
      for (const Place& one : ones_) KeepBoth(pair, one, odds_, &best);
    }
    return Different(best);
  }

 private:
  void AddFeature(Feature feature) {
    const std::vector<int64_t> bounds = BoundsOf(failing_, feature);
    const bool number = FactsOf(feature).IsNumber(), few = bounds.size() <= kMostValues;
    for (const int64_t value : bounds) {
      if (!number || few) AddOne({feature, Sense::kIs, value});
      if (!number && few) AddOne({feature, Sense::kIsNot, value});
      if (!number) continue;
      AddOne({feature, Sense::kAtLeast, value});
      AddOne({feature, Sense::kAtMost, value});
    }
  }

  void AddOne(const Literal& literal) {
    Place place{{{literal}}, Bits(failing_.size()), Bits(right_.size())};
    for (size_t i = 0; i < failing_.size(); ++i) {
      if (literal.Holds(failing_[i])) place.failing.Set(i);
    }
    for (size_t i = 0; i < right_.size(); ++i) {
      if (literal.Holds(right_[i])) place.right.Set(i);
    }
    const size_t failing = place.failing.Count();
    const bool all = failing == failing_.size() && place.right.Count() == right_.size();
    if (failing < least_ || all) return;
    const bool known = std::ranges::any_of(
        ones_, [&](const Place& one) { return one.failing == place.failing && one.right == place.right; });
    if (!known) ones_.push_back(std::move(place));
  }

  // Failing problems that count, as a place has at most these odds.
  double Worth(size_t failing, size_t right, size_t conditions, double most) const {
    if (failing < least_ || failing + least_ > failing_.size()) return 0;
    const double odds = Odds(right, failing);
    return odds > most ? 0
                       : static_cast<double>(failing) * (1 - odds / most / 2) *
                             std::pow(kPerCondition, static_cast<double>(conditions) - 1);
  }

  static void Keep(double worth, const Place& a, const Place* b, Places* best) {
    const bool full = best->size() == kMostPlaces;
    if (worth <= 0 || (full && worth <= std::prev(best->end())->first)) return;
    best->emplace(worth, b == nullptr ? a : a.With(*b));
    if (full) best->erase(std::prev(best->end()));
  }

  void KeepBoth(const Place& a, const Place& b, double most, Places* best) const {
    const size_t failing = a.failing.CountBoth(b.failing);
    if (failing < least_ || failing + least_ > failing_.size()) return;
    const size_t conditions = a.rule.literals.size() + b.rule.literals.size();
    Keep(Worth(failing, a.right.CountBoth(b.right), conditions, most), a, &b, best);
  }

  // The best of those that hold other problems.
  static std::vector<Rule> Different(const Places& best) {
    std::vector<const Place*> kept;
    for (const auto& [worth, place] : best) {
      const auto same = [&place = place](const Place* other) {
        const size_t both = place.failing.CountBoth(other->failing);
        const size_t most = std::max(place.failing.Count(), other->failing.Count());
        return static_cast<double>(both) >= kSameSeed * static_cast<double>(most);
      };
      if (std::ranges::none_of(kept, same)) kept.push_back(&place);
      if (kept.size() == kMostSeeds) break;
    }
    std::vector<Rule> rules;
    for (const Place* place : kept) rules.push_back(place->rule);
    return rules;
  }

  std::span<const Features> failing_, right_;
  const double odds_;
  const size_t least_;
  std::vector<Place> ones_;  // of one condition
};

// Rules of the parts of what fails, each with at most these odds; up to `spare` problems may lie in none.
std::optional<std::vector<Rule>> SplitInto(size_t parts, std::span<const Features> failing,
                                           std::span<const Features> right, double odds, size_t spare) {
  if (failing.size() <= spare) return parts == 0 ? std::optional(std::vector<Rule>{}) : std::nullopt;
  if (parts == 0) return std::nullopt;
  if (parts == 1) {
    if (failing.size() < kFewestOfPart) return std::nullopt;
    const Narrowest found = FindNarrowest(failing, right, kLooseShare);
    if (found.odds <= odds) return std::vector{found.rule};
  }
  for (const Rule& seed : Seeds(failing, right, odds).Find()) {
    std::vector<Features> part, rest;
    std::ranges::partition_copy(failing, std::back_inserter(part), std::back_inserter(rest),
                                [&](const Features& f) { return seed.Holds(f); });
    std::optional<std::vector<Rule>> rules = SplitInto(parts - 1, rest, right, odds, spare);
    if (!rules || std::ranges::any_of(
                      *rules, [&](const Rule& rule) { return AreAlike(seed, rule) || HoldsForMost(rule, part); })) {
      continue;
    }
    // In the place of the part lies the rest as well.
    if (HoldsForMost(FindNarrowest(part, right, kLooseShare).rule, rest)) continue;
    rules->insert(rules->begin(), seed);
    return rules;
  }
  return std::nullopt;
}

}  // namespace

size_t Parts::Of(const Features& problem) const {
  const auto place = std::ranges::find_if(rules, [&](const Rule& rule) { return rule.Holds(problem); });
  return place == rules.end() ? others : static_cast<size_t>(place - rules.begin());
}

Parts FindParts(std::span<const Features> failing, std::span<const Features> right) {
  if (failing.size() < 2 * kFewestOfPart || right.empty()) return {};
  const double odds = kPurer * FindNarrowest(failing, right, kLooseShare).odds;
  const auto spare = static_cast<size_t>(kFewInNone * static_cast<double>(failing.size()));
  for (size_t count = 2; count <= kMostParts; ++count) {
    auto rules = SplitInto(count, failing, right, odds, spare);
    if (!rules) continue;
    Parts parts{*std::move(rules)};
    std::vector<size_t> sizes(parts.rules.size() + 1);
    parts.others = parts.rules.size();
    for (const Features& problem : failing) ++sizes[parts.Of(problem)];
    parts.others = static_cast<size_t>(std::ranges::max_element(sizes) - sizes.begin());
    return parts;
  }
  return {};
}

}  // namespace poolproof
