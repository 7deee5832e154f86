#include "conformance/diagnosis/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/diagnosis/bits.h"

namespace poolproof {
namespace {

using Sense = Literal::Sense;

constexpr size_t kFewestLoose = 40;   // problems from which on a condition may be loose
constexpr size_t kMostLiterals = 64;  // of which rules are made, the best

struct Proposal {
  Literal literal;
  double cost = 0;
  Bits inside, outside;  // for which of them it holds
  size_t kept_outside = 0;
};

int64_t At(const Features& features, Feature feature) { return features[static_cast<size_t>(feature)]; }

// Proposes conditions and keeps those that hold for enough of `inside` and not for all of `outside`.
class Proposals {
 public:
  Proposals(std::span<const Features> inside, std::span<const Features> outside, double share)
      : inside_(inside),
        outside_(outside),
        needed_(inside.size() >= kFewestLoose ? static_cast<size_t>(share * static_cast<double>(inside.size()))
                                              : inside.size()) {}

  void AddFeature(Feature feature) {
    std::vector<int64_t> values;
    for (const Features& f : inside_) values.push_back(At(f, feature));
    std::sort(values.begin(), values.end());
    const size_t slack = inside_.size() - needed_;
    if (FactsOf(feature).IsNumber()) {
      for (const size_t skip : {size_t{0}, slack}) {
        Add({feature, Sense::kAtLeast, values[skip]});
        Add({feature, Sense::kAtMost, values[values.size() - 1 - skip]});
      }
    }
    Add({feature, Sense::kIs, values[values.size() / 2]});
    if (FactsOf(feature).kind != FeatureKind::kChoice) return;
    std::vector<int64_t> others;
    for (const Features& f : outside_) {
      const int64_t value = At(f, feature);
      if (std::find(others.begin(), others.end(), value) == others.end()) others.push_back(value);
    }
    if (others.size() > 32) return;
    for (const int64_t value : others) Add({feature, Sense::kIsNot, value});
  }

  std::vector<Proposal> Best() && {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& a, const auto& b) { return a.kept_outside < b.kept_outside; });
    if (candidates_.size() > kMostLiterals) candidates_.erase(candidates_.begin() + kMostLiterals, candidates_.end());
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& a, const auto& b) { return a.cost < b.cost; });
    return std::move(candidates_);
  }

  size_t needed() const { return needed_; }

 private:
  // A threshold far from the next value that was seen on its other side is less likely the right one.
  double CostOf(const Literal& literal) const {
    double cost = FactsOf(literal.feature).cost;
    if (literal.sense == Sense::kIsNot) return cost + 0.3;
    if (literal.sense == Sense::kIs) {
      return cost + (FactsOf(literal.feature).IsNumber() ? 0.15 : 0);
    }
    int64_t next = -1;
    for (const Features& f : outside_) {
      const int64_t value = At(f, literal.feature);
      if (literal.Holds(f) || value < 0) continue;
      const bool nearer = literal.sense == Sense::kAtLeast ? value > next : next < 0 || value < next;
      if (nearer) next = value;
    }
    const double gap = std::fabs(std::log2((static_cast<double>(std::max<int64_t>(literal.value, 0)) + 1) /
                                           (static_cast<double>(std::max<int64_t>(next, 0)) + 1)));
    return cost + std::min(0.5, 0.1 * gap);
  }

  void Add(const Literal& literal) {
    for (const Proposal& known : candidates_) {
      if (known.literal == literal) return;
    }
    Proposal candidate{literal, 0, Bits(inside_.size()), Bits(outside_.size()), 0};
    for (size_t i = 0; i < inside_.size(); ++i) {
      if (literal.Holds(inside_[i])) candidate.inside.Set(i);
    }
    if (candidate.inside.Count() < needed_) return;
    for (size_t i = 0; i < outside_.size(); ++i) {
      if (literal.Holds(outside_[i])) candidate.outside.Set(i);
    }
    candidate.kept_outside = candidate.outside.Count();
    if (candidate.kept_outside == outside_.size()) return;
    candidate.cost = CostOf(literal);
    candidates_.push_back(std::move(candidate));
  }

  std::span<const Features> inside_, outside_;
  size_t needed_;
  std::vector<Proposal> candidates_;
};

// The cheapest set of conditions that nothing of outside meets.
class Combination {
 public:
  Combination(const std::vector<Proposal>& candidates, size_t needed, const FitOptions& options)
      : candidates_(candidates), needed_(needed), spare_(options.spare), most_(options.most) {}

  std::optional<Rule> Find() {
    for (size_t a = 0; a < candidates_.size(); ++a) {
      Try({a}, candidates_[a].inside, candidates_[a].outside);
    }
    for (size_t depth = 2; depth <= most_ && best_.empty(); ++depth) Extend(depth);
    if (best_.empty()) return std::nullopt;
    Rule rule;
    for (const size_t i : best_) rule.literals.push_back(candidates_[i].literal);
    return rule;
  }

 private:
  void Extend(size_t depth) {
    for (size_t a = 0; a < candidates_.size(); ++a) {
      for (size_t b = a + 1; b < candidates_.size(); ++b) {
        const Bits inside = candidates_[a].inside.And(candidates_[b].inside);
        const Bits outside = candidates_[a].outside.And(candidates_[b].outside);
        if (depth == 2) Try({a, b}, inside, outside);
        for (size_t c = b + 1; depth == 3 && c < candidates_.size(); ++c) {
          if (spare_ == 0 && outside.Meets(candidates_[c].outside)) continue;
          Try({a, b, c}, inside.And(candidates_[c].inside), outside.And(candidates_[c].outside));
        }
      }
    }
  }

  void Try(std::vector<size_t> chosen, const Bits& inside, const Bits& outside) {
    if (spare_ == 0 ? !outside.Empty() : outside.Count() > spare_) return;
    if (inside.Count() < needed_) return;
    double cost = 0;
    for (const size_t i : chosen) cost += candidates_[i].cost;
    if (!best_.empty() && cost >= best_cost_) return;
    best_ = std::move(chosen);
    best_cost_ = cost;
  }

  const std::vector<Proposal>& candidates_;
  const size_t needed_, spare_, most_;
  std::vector<size_t> best_;
  double best_cost_ = 0;
};

}  // namespace

bool Literal::Holds(const Features& features) const {
  const int64_t have = At(features, feature);
  switch (sense) {
    case Sense::kIs: return have == value;
    case Sense::kIsNot: return have != value;
    case Sense::kAtLeast: return have >= value;
    default: return have <= value;
  }
}

namespace {

// A comparison of the extreme of all axes: some axis is past the bound, or none is.
std::string TextOverAxes(const FeatureFacts& facts, Sense sense, int64_t value) {
  const bool largest = facts.kind == FeatureKind::kLargest;
  const auto all = [&] { return fmt::format("all({} {} {})", facts.text, largest ? "<=" : ">=", value); };
  const auto any = [&](const char* sign) { return fmt::format("any({} {} {})", facts.text, sign, value); };
  if (sense == Sense::kIs) return all() + " and " + any("=");
  const bool reached = largest == (sense == Sense::kAtLeast);
  return reached ? any(largest ? ">=" : "<=") : all();
}

// The opposite of a condition that is a name, an any(...) or an inequality.
std::string Denied(std::string_view condition) {
  const size_t sign = condition.ends_with(')') ? condition.npos : condition.find("!=");
  if (sign == condition.npos) return fmt::format("not {}", condition);
  return std::string(condition).replace(sign, 2, "=");
}

const char* SignOf(Sense sense) {
  switch (sense) {
    case Sense::kIs: return "=";
    case Sense::kIsNot: return "!=";
    case Sense::kAtLeast: return ">=";
    default: return "<=";
  }
}

}  // namespace

std::string Literal::Text(const WordNumbers& words) const {
  const FeatureFacts& facts = FactsOf(feature);
  switch (facts.kind) {
    case FeatureKind::kFlag: return value != 0 ? std::string(facts.text) : Denied(facts.text);
    case FeatureKind::kLargest:
    case FeatureKind::kSmallest: return TextOverAxes(facts, sense, value);
    case FeatureKind::kChoice:
      if (feature != Feature::kRank && feature != Feature::kAxes)
        return fmt::format("{} {} {}", facts.text, SignOf(sense), words.Word(value));
      [[fallthrough]];
    default: return fmt::format("{} {} {}", facts.text, SignOf(sense), value);
  }
}

bool Rule::Holds(const Features& features) const {
  return std::all_of(literals.begin(), literals.end(), [&](const Literal& literal) { return literal.Holds(features); });
}

std::string Rule::Text(const WordNumbers& words) const {
  std::string text;
  for (const Literal& literal : literals) text += (text.empty() ? "" : " and ") + literal.Text(words);
  return text;
}

double Rule::Cost() const {
  double cost = 0;
  for (const Literal& literal : literals) cost += FactsOf(literal.feature).cost;
  return cost;
}

std::optional<Rule> FitRule(std::span<const Features> inside, std::span<const Features> outside,
                            const FitOptions& options) {
  if (outside.size() <= options.spare) return Rule{};
  if (inside.empty() || options.most == 0) return std::nullopt;
  Proposals proposals(inside, outside, options.share);
  for (size_t f = 0; f < kFeatureCount; ++f) {
    const Feature feature = static_cast<Feature>(f);
    if (feature != Feature::kFill || options.with_fill) proposals.AddFeature(feature);
  }
  const size_t needed = proposals.needed();
  const std::vector<Proposal> candidates = std::move(proposals).Best();
  return Combination(candidates, needed, options).Find();
}

}  // namespace poolproof
