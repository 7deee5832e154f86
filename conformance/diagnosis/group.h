// How classes of failures come together in a group.
#pragma once

#include <tuple>

#include "conformance/results/failures.h"

namespace poolproof {

// Whether the call was answered: a cause can give such an answer.
bool Computed(Verdict verdict);

// Adds a class to a group. `close`: the cause of the group gives its answers.
void Merge(const FailureClass& from, bool close, CauseGroup* group);

// How likely cases of a group are what others were set aside for: they ended a process or hung, for these operators
// and types.
std::tuple<bool, bool, uint64_t> EndsLike(const FailureClass& aside, const CauseGroup& group);

}  // namespace poolproof
