// Which Highway target the kernels are dispatched to. The choice holds for the whole process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace poolproof::optimized {

// Names of the targets that were compiled in and that this machine can run, best first.
std::vector<std::string> Targets();
// The same, for messages: "AVX3, AVX2, SSE4".
std::string TargetNames();
// Dispatches to the named target from now on; "" to the best one. False, and nothing changed, for a
// name that is not in Targets().
bool SelectTarget(std::string_view name);

}  // namespace poolproof::optimized
