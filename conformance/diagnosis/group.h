// How classes of failures come together in a group.
#pragma once

#include <tuple>
#include <vector>

#include "conformance/cases/plan.h"
#include "conformance/results/failures.h"

namespace poolproof {

// Whether the call was answered: a cause can give such an answer.
bool Computed(Verdict verdict);

// Adds a class to a group. `close`: the cause of the group gives its answers.
void Merge(const FailureClass& from, bool close, CauseGroup* group);

// How likely cases of a group are what others were set aside for: they ended a process or hung, for these operators
// and types.
std::tuple<bool, bool, uint64_t> EndsLike(const FailureClass& aside, const CauseGroup& group);

// Where each class is: its group, by place, and whether the group's cause gives its answers.
struct Assignment {
  const std::vector<int>& group;
  const std::vector<bool>& close;
};

// The groups as they are looked at, with their first cases: those of a cause apart by how they stand to the baseline,
// so that what is new is not hidden among what is known, and neither are its operators and its smallest case; new ones
// first, and each kind largest first.
std::vector<CauseGroup> FinishGroups(const std::vector<CauseGroup>& drafts, const std::vector<FailureClass>& classes,
                                     const Assignment& assignment, const Plan& plan);

}  // namespace poolproof
