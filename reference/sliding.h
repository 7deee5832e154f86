// Reading of a call of OpenVINO's sliding-window operators: MaxPool and AvgPool.
#pragma once

#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

// Differences between their versions.
struct SlidingOperator {
  bool average = false;     // has exclude-pad; otherwise a maximum
  bool dilations = false;   // has dilations
  bool index = false;       // has the index output, index_element_type and axis
  bool ceil_torch = false;  // rounding_type may be ceil_torch
  bool maxpool_1 = false;   // shape by MaxPool-1's own formulas
};

// Reads and checks all of `call` but its data. The rules: rank 3 to 5; attributes of the right
// kind, length and range; stride, kernel at least 1, pads at least 0; pads given where auto_pad is
// explicit; the dilated kernel not larger than the padded input. False, and context.error says why,
// where one is broken or where a reading refuses what the document leaves open.
bool PlanSliding(const SlidingOperator& op, const poolproof_call& call, Context& context, Plan* plan);

// Checks that operators share: whether a reading takes inputs with a dimension of 0, if there is one, which cells of
// `plan` have to have elements of; and whether the number of taps of the full window, the divisor of an average, fits
// in 64 bits.
bool CheckZeroSize(const poolproof_tensor& input, const Plan& plan, Context& context);
bool CheckWindowSize(const Plan& plan, Context& context);

}  // namespace poolproof::reference
