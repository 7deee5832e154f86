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
  // Whether the backend has it. Refusing invalid calls is no sign of that, unless there was nothing else to do or it
  // went wrong.
  bool IsThere() const { return invalid.Bad() > 0 || (valid.Total() > 0 ? valid : invalid).Answered() > 0; }
};

class Presence {
 public:
  // Counts of cases that are not yet counted; their operator by the name that reports give it.
  void Add(std::string_view op, const OperatorCounts& counts);
  // All operators, and those that the backend has.
  size_t operators() const { return counts_.size(); }
  size_t OperatorsThere() const;
  // Operators without an answer, and how many of their cases are unsupported, on one line however many there are:
  // "MaxPool-1, MaxPool-8 (1,204 cases)", "all but AvgPool-1 (41 operators, 9,529 cases)". Empty where there is none.
  std::string NotThere() const;

 private:
  std::map<std::string, OperatorCounts, std::less<>> counts_;
};

}  // namespace poolproof
