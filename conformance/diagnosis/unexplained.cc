#include "conformance/diagnosis/unexplained.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

// Fewer cases belong to more where this share of them has what tells those from right ones.
constexpr double kSamePlace = 0.8;
constexpr double kSamePlaceOfFew = 0.5;  // of fewer than kFewCases, of which one may be in another by accident
constexpr size_t kFewCases = 5;
constexpr double kFewRight = 0.12;        // right cases that what tells them may hold for, beside a cause
constexpr double kWholePlace = 0.98;      // of cases that are all in the place of others
constexpr double kFewestRight = 0.05;     // right cases in a place whose failures are all of one kind
constexpr double kFewRightOfDoubt = 0.3;  // where a cause has no wrong answer to show

const std::string kExactly = "this holds for ";

// Verdicts of wrong outputs; to accept or to reject a call is another thing.
bool IsWrongOutput(Verdict verdict) {
  return verdict == Verdict::kFail || verdict == Verdict::kDeviates || verdict == Verdict::kInconsistent ||
         verdict == Verdict::kUnwritten;
}

std::string WhatHappened(const FailureClass& cases) {
  const size_t bar = cases.signature.find('|');
  return bar == std::string::npos ? cases.signature : cases.signature.substr(bar);
}

std::vector<const FailureClass*> ClassesOf(const UnexplainedClasses& rest, const std::vector<FailureClass>& classes) {
  std::vector<const FailureClass*> some;
  for (const size_t c : rest.classes) some.push_back(&classes[c]);
  return some;
}

// By what happened, whatever the operator.
std::vector<UnexplainedClasses> Collect(const std::vector<FailureClass>& classes,
                                        const std::function<bool(size_t)>& open) {
  std::map<std::pair<Verdict, std::string>, UnexplainedClasses> by;
  for (size_t c = 0; c < classes.size(); ++c) {
    if (!open(c)) continue;
    const FailureClass& group = classes[c];
    UnexplainedClasses& rest = by[{group.verdict, WhatHappened(group)}];
    rest.classes.push_back(c);
    rest.operators.insert(group.operators.begin(), group.operators.end());
    rest.wrong_outputs = IsWrongOutput(group.verdict);
  }
  std::vector<UnexplainedClasses> all;
  for (auto& [key, rest] : by) all.push_back(std::move(rest));
  return all;
}

void Add(UnexplainedClasses from, UnexplainedClasses* to) {
  to->classes.insert(to->classes.end(), from.classes.begin(), from.classes.end());
  to->operators.insert(from.operators.begin(), from.operators.end());
  to->wrong_outputs = to->wrong_outputs && from.wrong_outputs;
  to->joined = true;
}

// Joins what `same` says is of one cause to the first of its kind.
template <typename Same>
void Join(std::vector<UnexplainedClasses>* all, Same same) {
  for (size_t i = 0; i < all->size(); ++i) {
    for (size_t j = i + 1; j < all->size();) {
      if (!same((*all)[i], (*all)[j])) {
        ++j;
        continue;
      }
      Add(std::move((*all)[j]), &(*all)[i]);
      all->erase(all->begin() + static_cast<ptrdiff_t>(j));
      j = i + 1;  // what was passed over may share an operator with what came
    }
  }
}

// The share of these cases that has to fit a rule.
double ShareNeeded(size_t cases) { return cases < kFewCases ? kSamePlaceOfFew : kSamePlace; }

// Whether a rule holds for most of these cases. What contradicts a case that fails may be right itself.
bool IsPlaceOf(std::vector<const FailureClass*> groups, const Rule& rule, Examiner* examiner, double least = 0) {
  std::erase_if(groups, [&](const FailureClass* group) {
    return group->verdict == Verdict::kInconsistent && examiner->Fits(rule, group->smallest_with);
  });
  size_t cases = 0;
  for (const FailureClass* group : groups) cases += group->members.size();
  return cases == 0 || examiner->ShareMatching(rule, groups) >= std::max(least, ShareNeeded(cases));
}

bool ShareOperator(const UnexplainedClasses& a, const UnexplainedClasses& b) {
  return std::any_of(b.operators.begin(), b.operators.end(),
                     [&a](const std::string& each) { return a.operators.contains(each); });
}

// Whether its rule holds for all of its cases and for no right one.
bool IsExact(const UnexplainedClasses& rest) {
  return rest.found && rest.found->fitting == rest.found->failing && rest.found->right_fitting == 0;
}

bool ShareRule(const UnexplainedClasses& a, const UnexplainedClasses& b) {
  return IsExact(a) && IsExact(b) && a.found->rule.literals == b.found->rule.literals;
}

}  // namespace

std::vector<UnexplainedClasses> FindUnexplained(const std::vector<FailureClass>& classes,
                                                const std::function<bool(size_t)>& open, Examiner* examiner) {
  std::vector<UnexplainedClasses> all = Collect(classes, open);
  const auto parts = [&](const UnexplainedClasses& rest) { return ClassesOf(rest, classes); };
  const auto cases = [&](const UnexplainedClasses& rest) {
    uint64_t count = 0;
    for (const size_t c : rest.classes) count += classes[c].cases;
    return count;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const UnexplainedClasses& a, const UnexplainedClasses& b) { return cases(a) > cases(b); });
  for (UnexplainedClasses& rest : all) rest.found = examiner->Describe(parts(rest));
  const auto verdict = [&](const UnexplainedClasses& rest) { return classes[rest.classes[0]].verdict; };
  Join(&all, [&](const UnexplainedClasses& large, const UnexplainedClasses& small) {
    // Calls that may be refused, and are refused in part, are one open point read in two ways.
    const bool refused =
        large.found && verdict(large) == Verdict::kWronglyRejected && verdict(small) == Verdict::kInconsistent;
    const bool wrong = large.wrong_outputs && small.wrong_outputs;
    // Where no rule says what is wrong, nothing tells that another thing is wrong for the same cause.
    if (!(wrong || refused) || !large.found || !ShareOperator(large, small)) return false;
    return IsPlaceOf(parts(small), large.found->rule, examiner);
  });
  Join(&all, ShareRule);
  for (UnexplainedClasses& rest : all) {
    if (rest.joined) rest.found = examiner->Describe(parts(rest));
  }
  return all;
}

std::vector<FailureClass> DivideClass(const FailureClass& from, size_t count,
                                      const std::function<size_t(uint64_t n, const Features&)>& part_of,
                                      Examiner* examiner) {
  std::vector<FailureClass> parts(count);
  const auto part_at = [&](uint64_t n) { return part_of(n, examiner->FeaturesOf(n)); };
  const size_t whole = part_at(from.smallest_n);
  if (from.verdict == Verdict::kInconsistent) {
    parts[whole] = from;
    return parts;
  }
  for (const Member& member : from.members) {
    FailureClass& part = parts[part_at(member.n)];
    AddCase(RecordOf(examiner->local().planned()), member, &part);
  }
  for (FailureClass& part : parts) {
    part.verdict = from.verdict;
    part.standing = from.standing;
    part.signature = from.signature;
    part.causes = from.causes;
    part.first_n = part.members.empty() ? 0 : part.members.front().n;
  }
  parts[whole].message = from.message;
  return parts;
}

namespace {

// The classes of `rest` in their parts, some of which may be empty.
std::vector<UnexplainedClasses> Divide(const UnexplainedClasses& rest, const Parts& places,
                                       std::vector<FailureClass>* classes, Examiner* examiner) {
  std::vector<UnexplainedClasses> parts(places.Count());
  const auto part_of = [&](uint64_t, const Features& problem) { return places.Of(problem); };
  for (const size_t c : rest.classes) {
    std::vector<FailureClass> divided = DivideClass((*classes)[c], places.Count(), part_of, examiner);
    bool first = true;
    for (size_t p = 0; p < parts.size(); ++p) {
      if (divided[p].cases == 0) continue;
      parts[p].classes.push_back(first ? c : classes->size());
      parts[p].operators.insert(divided[p].operators.begin(), divided[p].operators.end());
      if (!first) classes->emplace_back();
      (*classes)[parts[p].classes.back()] = std::move(divided[p]);
      first = false;
    }
  }
  for (UnexplainedClasses& part : parts) {
    part.wrong_outputs = rest.wrong_outputs;
    if (!part.classes.empty()) part.found = examiner->Describe(ClassesOf(part, *classes));
  }
  return parts;
}

}  // namespace

namespace {

// Tells whether nearly all cases of `b` lie where the rule of `a` holds, in which next to nothing is right. Such parts
// are one.
bool LiesIn(const UnexplainedClasses& a, const UnexplainedClasses& b, const std::vector<FailureClass>& classes,
            Examiner* examiner) {
  return a.found && static_cast<double>(a.found->right_fitting) <= kFewestRight * static_cast<double>(a.found->right) &&
         IsPlaceOf(ClassesOf(b, classes), a.found->rule, examiner, kWholePlace);
}

}  // namespace

std::vector<UnexplainedClasses> SplitByPlace(std::vector<UnexplainedClasses> all, std::vector<FailureClass>* classes,
                                             Examiner* examiner) {
  std::vector<UnexplainedClasses> split;
  for (UnexplainedClasses& rest : all) {
    const Parts places = IsExact(rest) ? Parts{} : examiner->FindPartsOf(ClassesOf(rest, *classes));
    if (places.Count() == 1) {
      split.push_back(std::move(rest));
      continue;
    }
    std::vector<UnexplainedClasses> parts = Divide(rest, places, classes, examiner);
    std::erase_if(parts, [](const UnexplainedClasses& part) { return part.classes.empty(); });
    Join(&parts, [&](const UnexplainedClasses& a, const UnexplainedClasses& b) {
      return LiesIn(a, b, *classes, examiner) || LiesIn(b, a, *classes, examiner);
    });
    for (UnexplainedClasses& part : parts) {
      if (std::exchange(part.joined, rest.joined)) part.found = examiner->Describe(ClassesOf(part, *classes));
      split.push_back(std::move(part));
    }
  }
  return split;
}

bool SamePlace(const UnexplainedClasses& rest, const std::vector<size_t>& own, const std::vector<FailureClass>& classes,
               Alike alike, Examiner* examiner) {
  const double few = alike == Alike::kWholly ? kFewestRight : alike == Alike::kInDoubt ? kFewRightOfDoubt : kFewRight;
  if (!rest.found || static_cast<double>(rest.found->right_fitting) > few * static_cast<double>(rest.found->right))
    return false;
  std::vector<const FailureClass*> groups;
  for (const size_t c : own) {
    const FailureClass& group = classes[c];
    const bool same = group.verdict == Verdict::kInconsistent || group.verdict == classes[rest.classes[0]].verdict ||
                      (rest.wrong_outputs && IsWrongOutput(group.verdict));
    const auto shared = [&](const std::string& each) { return rest.operators.contains(each); };
    // One rule that holds for all of them is evidence across operators.
    const bool known = alike == Alike::kWholly || std::ranges::any_of(group.operators, shared);
    if (!same || !known) return false;
    groups.push_back(&group);
  }
  return IsPlaceOf(groups, rest.found->rule, examiner, alike == Alike::kWholly ? kWholePlace : 0);
}

void Describe(const UnexplainedClasses& rest, const WordNumbers& words, const Selection& selection, CauseGroup* group) {
  if (group->cases == 1) {
    // Any rule holds for one case.
    group->evidence = "met in one case: " + group->smallest_line;
    return;
  }
  if (!rest.found) return;
  const Description& found = *rest.found;
  const std::string rule = found.rule.Text(words);
  if (IsExact(rest)) {
    group->where = rule;
    group->fits = [rule = found.rule, words, selection](const Problem& problem) {
      WordNumbers known = words;
      Call call;
      return rule.Holds(LocalCase::Describe(problem, selection, &call, &known));
    };
  }
  group->evidence = fmt::format(
      "{}{} of {}{} of its cases, and {} of {} right ones", IsExact(rest) ? kExactly : "mostly where " + rule + ": ",
      WithCommas(found.fitting), WithCommas(found.failing), found.failing < group->cases ? " that were looked at" : "",
      found.right_fitting == 0 ? "none" : WithCommas(found.right_fitting), WithCommas(found.right));
}

void CompareWithRule(const Problem& problem, CauseGroup* group) {
  if (!group->fits || group->fits(problem)) return;
  group->evidence = "mostly where " + group->where + ": " + group->evidence.substr(kExactly.size());
  group->where.clear();
}

}  // namespace poolproof
