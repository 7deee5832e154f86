// Facts of a claim, computed from its parts alone.
#pragma once

#include <string>
#include <vector>

#include "conformance/cases/spec.h"
#include "conformance/format/strict_json.h"

namespace poolproof {

// Reads probe.json, baseline.txt and the results `names` of a folder, merges the shards into merged/ as
// `conformance merge` does, and says what comes of it. Nothing, and a sentence, where anything of it is refused,
// fails without an entry of the baseline, or has an entry without a reason. The digest of the program's plan is left
// to the caller, who has it.
bool FindFacts(const Specs& specs, const std::string& folder, const std::vector<std::string>& names, Json* facts,
               Error* error);

// Text of the badges, from a statement: SVG, and JSON for services that draw badges themselves.
std::string BadgeSvg(const Json& statement);
std::string BadgeJson(const Json& statement);

}  // namespace poolproof
