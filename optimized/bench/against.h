// Another build of ours, measured in turn with this one.
#pragma once

#include <string>
#include <vector>

#include "optimized/bench/workload.h"

namespace poolproof::optimized {

// Measures the workloads that `arguments` of the benchmark choose by this program and by that of another build, one
// after the other a few times, and keeps the minima. Prints the geometric mean of their ratios, by class where `layers`
// are drawn, and which workloads this build takes more than 1.10 times as long for. Exit status. `build`: the folder of
// a build that has the program.
int RunAgainst(const std::string& build, const std::vector<std::string>& arguments,
               const std::vector<Workload>& workloads);

}  // namespace poolproof::optimized
