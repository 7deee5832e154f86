// Which clause of a document a known cause breaks.
#ifndef POOLPROOF_CONFORMANCE_RUN_CAUSE_CLAUSE_H_
#define POOLPROOF_CONFORMANCE_RUN_CAUSE_CLAUSE_H_

#include <string>

#include "conformance/problem/problem.h"

namespace poolproof {

// The clause of the attribute that a backend with this cause misreads, of the word that the problem has
// for it where there is one. Empty where the cause is about no attribute or the operator has none such.
std::string ClauseOfCause(const Specs& specs, const Problem& problem, std::string_view cause);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_CAUSE_CLAUSE_H_
