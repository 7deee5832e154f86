// A case as a C program that needs nothing but a C compiler.
#pragma once

#include <string>

#include "conformance/cases/plan.h"
#include "conformance/judge/oracle.h"

namespace poolproof {

// C99 source that loads the backend named on its command line, with the options that follow, makes this
// one call, and prints every element that differs from the expected one; it returns 0 if none does. Empty where the
// tensors are too large to be written out.
std::string ReproducerSource(const PlannedCase& planned, const Call& call, const Expected& expected);

}  // namespace poolproof
