// Which layers of published networks a group of failures concerns.
#pragma once

#include <vector>

#include "conformance/cases/plan.h"
#include "conformance/results/failures.h"

namespace poolproof {

// Sets `layers` of each group that has a condition which says nothing of input values, from the layers that one of its
// operators can compute in one of its element types and for which the condition holds. Of any other group from the
// layers among its own cases, where there are some. `end`: places of the plan from here on were not run. Takes
// milliseconds per operator and element type, however many cases the groups have; more than a hundred groups are not
// asked about.
void FindLayers(const Plan& plan, uint64_t end, std::vector<CauseGroup>* groups);

}  // namespace poolproof
