// Reading of a call of OpenVINO's adaptive operators, AdaptiveMaxPool-8 and AdaptiveAvgPool-8.
#pragma once

#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

// Reads and checks all of `call` but the data of the feature map. `index`: the operator has the
// index output and index_element_type; indices are flattened over the spatial axes. The rules: a
// feature map of a float type and rank 3 to 5, and a second input, i32 or i64, of one output size
// of at least 1 per spatial axis. False, and context.error says why, where one is broken.
bool PlanAdaptive(bool index, const poolproof_call& call, Context& context, Plan* plan);

// Reads the sizes in the second input and sets the cells that follow from them; plan->spatial_rank is set before. False
// where the call is rejected.
bool ReadCells(const poolproof_call& call, Context& context, Plan* plan);

}  // namespace poolproof::reference
