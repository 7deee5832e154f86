// Changes problems as problems, so that what a fuzzer tries stays calls that compute something.
#pragma once

#include "conformance/cases/choices.h"
#include "conformance/cases/problem.h"

namespace poolproof {

// A problem near `problem`: another value of one attribute, size, type, fill, element or capacity;
// another name of the same operator; or a random problem. Valid under the profile "documented",
// except that one in sixteen breaks a rule, so that refusals are compared as well.
Problem MutateProblem(const Specs& specs, const Problem& problem, Choices& choices);

// The first problem with some attributes of the second, where both belong to the same operator and
// that is valid; otherwise a mutation of one of them.
Problem CrossProblems(const Specs& specs, Problem a, const Problem& b, Choices& choices);

// Elements of a tensor, and taps of all windows together.
struct WorkLimit {
  int64_t elements = 20000;
  int64_t taps = 50000;
};

// Whether a fuzzer can afford to compute a call, whose outputs have been inferred.
bool IsQuick(const Problem& problem, const poolproof_call& call, const WorkLimit& limit = {});
inline bool IsQuickCall(const Problem& problem, const poolproof_call& call) { return IsQuick(problem, call); }

}  // namespace poolproof
