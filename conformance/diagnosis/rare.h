// Where a backend follows a reading that few libraries follow.
#pragma once

#include <vector>

#include "conformance/diagnosis/examine.h"
#include "conformance/results/run_result.h"

namespace poolproof {

// The places of readings that other cases would have shown and do not. Without the readings that are followed wherever
// they would show, be it in some functions alone, and those whose place no short rule tells. Nothing once the run is
// late.
std::vector<RarePlace> FindRarePlaces(const RunFacts& run);

}  // namespace poolproof
