// Operators of a plan that a backend has, and those that it does not have, of which no verdict speaks.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "conformance/format/verdict.h"

namespace poolproof {

// Cases of one operator, or of one of its element types.
struct OperatorCounts {
  VerdictCounts valid, invalid;  // calls of the section "invalid" have to be refused

  VerdictCounts& Of(std::string_view section) { return section == "invalid" ? invalid : valid; }
  // True where the backend has the operator. Refusing invalid calls is no sign of that, unless no valid call was made
  // or a refusal went wrong.
  bool IsThere() const { return invalid.Bad() > 0 || (valid.Total() > 0 ? valid : invalid).Answered() > 0; }
};

class Presence {
 public:
  // Counts of cases that are not yet counted; their operator by the name that reports give it.
  void Add(std::string_view op, const OperatorCounts& counts);
  // All operators, and those that the backend has.
  size_t operators() const { return counts_.size(); }
  size_t OperatorsThere() const;
  // Absent operators and the number of their unsupported cases, on one line however many operators there are:
  // "MaxPool-1, MaxPool-8 (1,204 cases)", "all but AvgPool-1 (41 operators, 9,529 cases)". Empty where all are there.
  std::string NotThere() const;

 private:
  std::map<std::string, OperatorCounts, std::less<>> counts_;
};

}  // namespace poolproof
