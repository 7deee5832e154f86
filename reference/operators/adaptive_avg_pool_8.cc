// OpenVINO AdaptiveAvgPool-8.
//
//   out[n, c, o] = mean{ in[n, c, i] : floor(o * size / size_out) <= i,
//                                      i < ceil((o + 1) * size / size_out) }
//
// per spatial axis, in exact integer arithmetic; size_out is the second input. No cell is empty.
// NaN and infinities go through the sum as IEEE 754 has it.
//
// Document: AdaptiveMaxPool-8 for the cells; the mean is of AdaptiveAvgPool-8's own page.
#include "reference/adaptive.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return op == "AdaptiveAvgPool-8"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanAdaptive(/*index=*/false, call, context, plan);
}

}  // namespace

const Operator adaptive_avg_pool_8 = MakeOperator<Handles, Prepare, kMean>();

}  // namespace poolproof::reference::operators
