// Names the causes of all that does not conform: the fewest that together give every wrong answer.
//
// A known cause counts for the cases whose answers it gives, bit by bit. It has to leave the right cases
// right: where it would break some, a rule is fitted under which it does not ("only where width >= 32"),
// and where there is none the cause is out. Of those that are left the one that gives most is taken, then
// the one that gives most of the rest, and what the others give as well is dropped. What no cause gives
// but one would break is put to it; the rest is described by what its cases have and right ones lack.
#pragma once

#include <vector>

#include "conformance/diagnosis/examine.h"

namespace poolproof {

// Names what fails because of earlier calls.
inline constexpr char kHistoryCause[] = "depends-on-earlier-calls";
// Names valid calls that end in INTERNAL_ERROR, whatever for, where no known cause does.
inline constexpr char kErrorCause[] = "error-in-place-of-answer";

// The result of running cases in isolation: bit c is set where cases of class c are right then.
using PassesInIsolation = std::vector<bool>;

// The groups of a run, those that are new to its baseline first, then largest first, then in plan order of their first
// cases; the same for the same run, in every order of its cases and on every machine. Once the run is `late` nothing
// more is looked for: what has no cause until then is grouped by what happened.
std::vector<CauseGroup> FindCauses(const RunFacts& run, const PassesInIsolation& passes_in_isolation);

}  // namespace poolproof
