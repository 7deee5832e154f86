// Whether cases that fail in a run are right when they run alone: then what ran before them matters.
#pragma once

#include <functional>

#include "conformance/diagnosis/diagnosis.h"
#include "conformance/run/fresh_starts.h"

namespace poolproof {

// Runs some failing cases of each class alone, each in a fresh process. Once it is `late`, or without a start, none.
PassesInIsolation FindPassesInIsolation(const RunFacts& run, const std::function<bool()>& late, FreshStarts& starts,
                                        Lane& lane);

}  // namespace poolproof
