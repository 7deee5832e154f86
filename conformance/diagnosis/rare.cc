#include "conformance/diagnosis/rare.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace poolproof {
namespace {

// Conditions of a rule, and cases that each has to tell: with more, some rule can be found for any cases.
constexpr size_t kMostOfRule = 2, kCasesPerCondition = 6;

// The class that the cases of a reading would be, were it none that passes.
FailureClass ClassOf(const std::string& reading, const std::vector<uint64_t>& places) {
  FailureClass cases;
  cases.verdict = Verdict::kDeviates;
  cases.signature = reading;
  cases.cases = places.size();
  for (const uint64_t n : places) cases.members.push_back({n, 0});
  return cases;
}

// One reading that some cases need: the rule under which a function needs it, or all together do.
class RareReader {
 public:
  RareReader(const RunFacts& run, const std::string& reading, const Tally::ByFunction& places)
      : fault_(*ReadingFault(reading)),
        begin_(run.tally.classes().size()),
        tally_(run.tally.WithClasses(Classes(run, reading, places))),
        examiner_({run.plan, run.selection, tally_, run.end, run.late}) {}

  // Where the classes from `begin` up to `end` are, counted from the first function; an empty rule: wherever it shows.
  std::optional<Rule> Find(size_t begin, size_t end) {
    std::vector<bool> gives(tally_.classes().size());
    size_t cases = 0;
    for (size_t c = begin_ + begin; c < begin_ + end; ++c) {
      gives[c] = true;
      cases += tally_.classes()[c].members.size();
    }
    const Finding found = examiner_.Examine(fault_, gives, std::min(cases / kCasesPerCondition, kMostOfRule));
    return found.possible && !found.unclear ? std::optional(found.rule) : std::nullopt;
  }

  std::string Text(const Rule& rule) { return rule.Text(examiner_.words()); }

 private:
  static std::vector<FailureClass> Classes(const RunFacts& run, const std::string& reading,
                                           const Tally::ByFunction& places) {
    std::vector<FailureClass> classes = run.tally.classes();
    for (const auto& [function, own] : places) classes.push_back(ClassOf(reading, own));
    return classes;
  }

  const Fault fault_;
  const size_t begin_;
  const Tally tally_;
  Examiner examiner_;
};

// A function may read its own document in its own way.
Rule WithoutFunction(Rule rule) {
  std::erase_if(rule.literals, [](const Literal& literal) { return literal.feature == Feature::kOperator; });
  return rule;
}

// Tells whether a rule speaks of element types or ranks alone, for which libraries have code of their own. Rules on
// anything else fit a few cases by accident.
bool IsOfTypeOrRank(const Rule& rule) {
  return !rule.literals.empty() && std::ranges::all_of(rule.literals, [](const Literal& literal) {
    return literal.feature == Feature::kType || literal.feature == Feature::kRank || literal.feature == Feature::kAxes;
  });
}

void AddPlaces(const RunFacts& run, const std::string& reading, const Tally::ByFunction& places,
               std::vector<RarePlace>* all) {
  RareReader reader(run, reading, places);
  if (const auto rule = reader.Find(0, places.size())) {
    if (!WithoutFunction(*rule).literals.empty()) all->push_back({reading, "", reader.Text(*rule)});
    return;
  }
  size_t at = 0;
  for (const auto& [function, own] : places) {
    const Rule rule = WithoutFunction(reader.Find(at, at + 1).value_or(Rule{}));
    ++at;
    if (IsOfTypeOrRank(rule)) all->push_back({reading, function, reader.Text(rule)});
  }
}

}  // namespace

std::vector<RarePlace> FindRarePlaces(const RunFacts& run) {
  std::vector<RarePlace> all;
  for (const auto& [reading, places] : run.tally.rare()) AddPlaces(run, reading, places, &all);
  return all;
}

}  // namespace poolproof
