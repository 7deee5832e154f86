// The tables of operators/*.cc: operators/x.cc defines `const Operator x`.
#ifndef POOLPROOF_REFERENCE_OPERATORS_H_
#define POOLPROOF_REFERENCE_OPERATORS_H_

#include "reference/reference.h"

namespace poolproof::reference::operators {

// One line POOLPROOF_OPERATOR(x) per file, written by CMake.
#define POOLPROOF_OPERATOR(name) extern const Operator name;
#include "reference/operators.inc"
#undef POOLPROOF_OPERATOR

}  // namespace poolproof::reference::operators

#endif  // POOLPROOF_REFERENCE_OPERATORS_H_
