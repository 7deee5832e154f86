// Problems and results as text grids.
#pragma once

#include <string>

#include "conformance/run/engine.h"

namespace poolproof {

// The planes of a tensor, row by row; elements whose flat position is in `marked` get brackets.
std::string DrawTensor(const poolproof_tensor& tensor, const std::vector<int64_t>& marked);

// The input plane that output element `element` is computed from, with its padding as dots and the
// taps of the window in brackets. Needs an expected result that is OK.
std::string DrawWindow(const Problem& problem, const Call& call, const Expected& expected, int64_t element);

}  // namespace poolproof
