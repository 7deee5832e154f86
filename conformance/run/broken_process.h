// A process that a call has broken: whatever it runs afterwards, it answers INTERNAL_ERROR.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "conformance/worker/lane.h"

namespace poolproof {

// Whether one of the placements was answered so.
bool AnswersInternalError(const CaseResult& result);
// Whether one was run and answered otherwise, so that its process was whole.
bool WasRun(const CaseResult& result);

// The case that was the first to be answered so, and the one that ran before it.
struct Break {
  size_t first = 0;
  std::optional<size_t> before;
};
// Break of a batch in which all that ran from some moment on was answered so; nothing where the process was whole at
// the end.
std::optional<Break> FindBreak(std::span<const CaseResult> results);

}  // namespace poolproof
