// How a cause is shown on the terminal: in as many lines as there are for it, or in one.
#pragma once

#include "conformance/gate/summary.h"

namespace poolproof {

// The fewest and the most lines that PrintCause takes.
inline constexpr size_t kLinesOfACause = 3;
inline constexpr size_t kMostLinesOfACause = 6;

// Readable on its own, in at most `lines`: what is wrong, an example, and what to type; with more of them where it is,
// how to demand it where it may be meant, and the clause that it breaks.
void PrintCause(const Specs& specs, const CauseGroup& group, const EndOptions& options, size_t lines);

void PrintCauseInALine(const Specs& specs, const CauseGroup& group);

}  // namespace poolproof
