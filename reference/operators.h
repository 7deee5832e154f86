// The tables of operators/*.cc: operators/x.cc defines `const Operator x`.
#pragma once

#include "reference/reference.h"

namespace poolproof::reference::operators {

// One line POOLPROOF_OPERATOR(x) per file, written by CMake.
#define POOLPROOF_OPERATOR(name) extern const Operator name;
#include "reference/operators.inc"
#undef POOLPROOF_OPERATOR

}  // namespace poolproof::reference::operators
