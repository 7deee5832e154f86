// The smallest problem of a group, found by running simpler and simpler ones in the guarded process.
#pragma once

#include <functional>

#include "conformance/results/tally.h"
#include "conformance/run/engine.h"
#include "conformance/run/fresh_starts.h"

namespace poolproof {

struct SmallestOptions {
  bool shrink = true;  // otherwise the case is described as it is
  CauseSet elsewhere;  // causes of other groups, which a problem of a group without one does not show
};

// Shrinks the group's smallest case to one of the same verdict and cause and fills group->smallest
// (line, JSON vector, C program, detail), message and clause. The case itself is in the results file
// already, whatever happens here. Once it is `late` no further problem is tried; false where the run
// had to end before the case was described.
bool DescribeSmallest(const Plan& plan, const Selection& selection, const SmallestOptions& options,
                      const std::function<bool()>& late, FreshStarts& starts, Lane& lane, CauseGroup* group);

}  // namespace poolproof
