// Which clause of a document a case or a known cause breaks.
#pragma once

#include <string>

#include "conformance/cases/plan.h"
#include "conformance/causes/diagnose.h"
#include "conformance/judge/judge.h"

namespace poolproof {

// The id of the clause that a result like this breaks: of the example or rule where it is one, of the
// open point where it follows another reading, of the word that decides the size where the shape is
// wrong, of what an element is where one is wrong. Empty where no clause is at stake, as in a crash.
std::string ClauseOf(const Specs& specs, const PlannedCase& planned, const Judgement& judgement);

// The clause of the attribute that a backend with this cause misreads, of the word that the problem has
// for it where there is one. Empty where the cause is about no attribute or the operator has none such.
std::string ClauseOfCause(const Specs& specs, const Problem& problem, const Cause& cause);

}  // namespace poolproof
