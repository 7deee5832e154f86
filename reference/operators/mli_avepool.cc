// embARC MLI 1.x mli_krn_avepool_{chw|hwc}_{fx8|fx16} and the specializations of chw.
//
//   out[c, y, x] = the mean of in[c, y * stride_height - padding_top + i,
//                                 x * stride_width - padding_left + j],
//                  0 <= i < kernel_height, 0 <= j < kernel_width, inside the input
//
// Padded values do not take part, nor do they count in the divisor. How the quotient is rounded is
// left open (mli-average-rounding): mli_mean.h. frac_bits go from input to output. What happens
// where the contract is broken: mli.h.
//
// Document: MLI pooling group, "Average-Pooling".
#include "reference/mli.h"
#include "reference/mli_mean.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

constexpr Computation kMliMean = {ComputeMliMeans, JudgeMliMean, RoundingOfMliMeans};

bool Handles(std::string_view op) { return ParseMliName("avepool", op).has_value(); }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanMli(*ParseMliName("avepool", call.op), call, context, plan);
}

}  // namespace

const Operator mli_avepool = MakeOperator<Handles, Prepare, kMliMean>();

}  // namespace poolproof::reference::operators
