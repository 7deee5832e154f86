// How a cause is shown on the terminal: whole, briefly, or in one line.
#pragma once

#include "conformance/gate/summary.h"

namespace poolproof {

// Readable on its own: what is wrong and where, an example, the clause that it breaks if `with_clause`, and what to
// type.
void PrintCause(const Specs& specs, const CauseGroup& group, const EndOptions& options, bool with_clause);

// Three lines: what is wrong, an example, and what to type.
void PrintCauseBriefly(const Specs& specs, const CauseGroup& group, const EndOptions& options);

void PrintCauseInALine(const Specs& specs, const CauseGroup& group);

// Whether it is one reading of an open point, which the title states and an option can demand.
bool IsMeaning(const Specs& specs, const CauseGroup& group);

}  // namespace poolproof
