// Groups failures that no known cause explains, by symptom, and describes what their cases have and right ones lack.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/diagnosis/examine.h"

namespace poolproof {

// Classes of failures that are one group.
struct UnexplainedClasses {
  std::vector<size_t> classes;
  std::set<std::string> operators;
  bool wrong_outputs = false;  // the verdicts of all are of outputs that are wrong
  bool joined = false;         // from several things that happened
  std::optional<Description> found;
};

// Those of the classes that are `open`. Wrong outputs of an operator have one cause, whichever verdict they have, where
// what tells most of them from right ones holds for the others too; so has whatever happens just where one rule holds.
std::vector<UnexplainedClasses> FindUnexplained(const std::vector<FailureClass>& classes,
                                                const std::function<bool(size_t)>& open, Examiner* examiner);

// The same in parts, where what tells them from right cases is another thing for each of several parts. Classes of
// which cases lie in several become one of each; the new ones stand behind the others.
std::vector<UnexplainedClasses> SplitByPlace(std::vector<UnexplainedClasses> all, std::vector<FailureClass>* classes,
                                             Examiner* examiner);

// A class in `count` parts, each with the cases whose places and features `part_of` gives its number for. What only its
// smallest case tells is kept by the part of that, which has all of what contradicts other cases.
std::vector<FailureClass> DivideClass(const FailureClass& from, size_t count,
                                      const std::function<size_t(uint64_t n, const Features&)>& part_of,
                                      Examiner* examiner);

// How well classes have to fit: most of their cases; all of them, in a place where next to nothing is right; or most,
// in a place where much may be right.
enum class Alike : uint8_t { kMostly, kWholly, kInDoubt };

// Whether classes that have a cause fit what is known of others that have none: they ended in the same way, or
// contradict some, with an operator of theirs and where their rule holds.
bool SamePlace(const UnexplainedClasses& rest, const std::vector<size_t>& own, const std::vector<FailureClass>& classes,
               Alike alike, Examiner* examiner);

// Writes where its cases are, and with how many this agrees; where there is one alone, which it is.
void Describe(const UnexplainedClasses& rest, const WordNumbers& words, const Selection& selection, CauseGroup* group);
// A problem shows what the group shows: a rule that it does not fit holds for most cases, and not for what is wrong.
void CompareWithRule(const Problem& problem, CauseGroup* group);

}  // namespace poolproof
