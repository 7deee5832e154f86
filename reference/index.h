// The index output: which integer type it has, and what its values are counted modulo.
#pragma once

#include "reference/attributes.h"
#include "reference/plan.h"

namespace poolproof::reference {

// Reads index_element_type, "i64" where absent, into plan->index_type and sets plan->has_index.
bool ReadIndexType(Attributes& attributes, Plan* plan);

// Sets plan->index_bound to the product of the input dimensions from `first_dim` on. Whether an i32
// output may have a bound above 2^31 is left open by the documents; false where the reading
// refuses.
bool SetIndexBound(const poolproof_tensor& input, int first_dim, Context& context, Plan* plan);

}  // namespace poolproof::reference
