// Whether cases that fail in a run are right when they run alone: then what ran before them matters.
#ifndef POOLPROOF_CONFORMANCE_RUN_PASSES_IN_ISOLATION_H_
#define POOLPROOF_CONFORMANCE_RUN_PASSES_IN_ISOLATION_H_

#include <chrono>

#include "conformance/diagnosis/diagnosis.h"

namespace poolproof {

// Runs some failing cases of each class alone, each in a fresh process. After `deadline` none.
PassesInIsolation FindPassesInIsolation(const RunFacts& run, std::chrono::steady_clock::time_point deadline,
                                        Lane& lane);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_PASSES_IN_ISOLATION_H_
