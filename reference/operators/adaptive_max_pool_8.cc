// OpenVINO AdaptiveMaxPool-8.
//
//   out[n, c, o] = max{ in[n, c, i] : floor(o * size / size_out) <= i,
//                                     i < ceil((o + 1) * size / size_out) }
//   index[n, c, o] = position of that element in the input flattened over the spatial axes
//
// per spatial axis, in exact integer arithmetic; size_out is the second input. The document speaks
// of elements "in the first output", but they can only be of the input (index-source). No cell is
// empty. NaN, equal maxima, zeros of both signs: max_window.h.
//
// Document: AdaptiveMaxPool-8.
#include "reference/adaptive.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return op == "AdaptiveMaxPool-8"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanAdaptive(/*index=*/true, call, context, plan);
}

}  // namespace

const Operator adaptive_max_pool_8 = MakeOperator<Handles, Prepare, kMaximum>();

}  // namespace poolproof::reference::operators
