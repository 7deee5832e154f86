// embARC MLI 1.x mli_krn_maxpool_{chw|hwc}_{fx8|fx16} and the specializations of chw.
//
//   out[c, y, x] = max{ in[c, y * stride_height - padding_top + i,
//                          x * stride_width - padding_left + j] :
//                       0 <= i < kernel_height, 0 <= j < kernel_width, inside the input }
//
// Fixed-point numbers order as the integers that hold them; frac_bits go from input to output.
// Points in padding do not exist, so an all-negative window never gives 0. No window is empty. What
// happens where the contract is broken: mli.h.
//
// Document: MLI pooling group, "MAX-Pooling".
#include "reference/mli.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return ParseMliName("maxpool", op).has_value(); }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanMli(*ParseMliName("maxpool", call.op), call, context, plan);
}

}  // namespace

const Operator mli_maxpool = MakeOperator<Handles, Prepare, kMaximum>();

}  // namespace poolproof::reference::operators
