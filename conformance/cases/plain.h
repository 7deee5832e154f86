// The plainest problem of an operator, as a start for systematic ones.
#pragma once

#include "conformance/cases/problem.h"

namespace poolproof {

// Batch 1, channels as the function demands or 2, rank `rank`; required attributes only, words at
// their first, integers at the smallest valid value, so that kernel and stride are 1 and pads 0;
// spatial sizes 4, output sizes 2. Meant for functions without restrictions.
Problem PlainProblem(const OperatorSpec& spec, const Function& function, poolproof_element_type type, int rank);

// Makes the input as large as the windows and the limits of the operator need, plus `extra` per
// axis.
void FitSizes(Problem* problem, const IntList& extra);

// Moves a value into the valid range of the attribute.
int64_t IntoRange(const AttributeSpec& spec, int64_t value);

// A function that takes every configuration of the operator.
bool IsUnrestricted(const Function& function);

// Sizes and networks have many problems; a function that LacksBatch gets one for each of this number.
inline constexpr size_t kOneWithoutBatch = 5;

}  // namespace poolproof
