// The part of the plan that a run has covered.
#pragma once

#include <string>

#include "conformance/format/strict_json.h"

namespace poolproof {

// The seed in a header, or in a statement that was made of one, and whether the run drew it. On one line.
std::string SeedText(const Json& header);

// Names what made the plan of a run shorter than that of the gate, from header and footer of its results:
// "level documented, filter \"MaxPool-8\", shard 2 of 4, ended by --time-budget". Empty where nothing
// did: only then may a run say that a backend conforms and no more. On one line.
std::string PartOf(const Json& header, const Json& footer);

}  // namespace poolproof
