// Puts the groups that the end of a run has found into its tally and its results file.
#ifndef POOLPROOF_CONFORMANCE_RUN_REGROUP_H_
#define POOLPROOF_CONFORMANCE_RUN_REGROUP_H_

#include "conformance/run/diagnosis.h"
#include "conformance/run/results_file.h"

namespace poolproof {

// Writes into each case that does not conform the number of the group of its class. `group_of`: by
// class.
bool WriteGroups(const std::vector<Group>& classes, const std::vector<int>& group_of, ResultsFile* file, Error* error);

// Finds the causes and replaces the classes of `tally` by groups, there and in the file.
bool GroupByCause(const Plan& plan, const Selection& selection, uint64_t end, const RightAlone& right_alone,
                  Tally* tally, ResultsFile* file, Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_REGROUP_H_
