// One step towards a simpler problem, by what the step changes. Each function appends the problems
// that are strictly simpler in that respect, the boldest step first.
#pragma once

#include <vector>

#include "conformance/cases/problem.h"
#include "conformance/cases/shrink.h"

namespace poolproof {

void SimplerShape(const Problem& problem, Problems* out);       // batch, channels, sizes
void SimplerWindow(const Problem& problem, Problems* out);      // kernel, pads, stride, dilation
void SimplerAttributes(const Problem& problem, Problems* out);  // absent, first word, zero
void SimplerType(const Problem& problem, const ShrinkOptions& options, Problems* out);
void SimplerFill(const Problem& problem, const ShrinkOptions& options, Problems* out);
void SimplerData(const Problem& problem, Problems* out);  // explicit values to zero, to small ones

}  // namespace poolproof
