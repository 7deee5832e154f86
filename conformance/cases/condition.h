// Which problems exercise which clause.
#ifndef POOLPROOF_CONFORMANCE_CASES_CONDITION_H_
#define POOLPROOF_CONFORMANCE_CASES_CONDITION_H_

#include <span>
#include <string_view>

#include "conformance/cases/problem.h"

namespace poolproof {

// What is known of a planned problem besides itself.
struct Occasion {
  std::span<const std::string_view> touched;  // ledger entries on which the result depends
  std::string_view rule;                      // invalid call: the rule that it breaks
  std::string_view example;                   // documented example: its id
};

// Whether every member of `condition` that is set holds for the problem. An empty list of operators
// stands for those of `asking`, the spec whose clause it is; nullptr: any.
bool Matches(const Condition& condition, const Problem& problem, const Occasion& occasion, const OperatorSpec* asking);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_CASES_CONDITION_H_
