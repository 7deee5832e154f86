// Whether cases that fail in a run are right when they run alone: then what ran before them matters.
#pragma once

#include <chrono>

#include "conformance/diagnosis/diagnosis.h"
#include "conformance/run/fresh_starts.h"

namespace poolproof {

// Runs some failing cases of each class alone, each in a fresh process. After `deadline`, or without a start, none.
PassesInIsolation FindPassesInIsolation(const RunFacts& run, std::chrono::steady_clock::time_point deadline,
                                        FreshStarts& starts, Lane& lane);

}  // namespace poolproof
