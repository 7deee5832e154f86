// OpenVINO AvgPool-1.
//
//   out[n, c, o] = sum{ in[n, c, i] : i = o * stride - pad_begin + k, 0 <= k < kernel,
//                                     0 <= i < size } / divisor
//   divisor = the number of those i (exclude-pad), or of all i in [-pad_begin, size + pad_end), the
//             padding counting as zeros
//   size_out as MaxPool-8 with dilation 1
//
// Whether i past size + pad_end count is open (avg-overhang, avg-include-without-pads), and so is a
// divisor of 0 (avg-empty-window), how integers round (avg-integer-rounding) and how a sum of floats
// is kept (mean-accumulation, mean-overflow). By default floats are exact but for one rounding.
//
// Document: shape rules of the pooling operators; the attributes are those of AvgPool-1's own page.
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/sliding.h"

namespace poolproof::reference::operators {
namespace {

constexpr SlidingOperator kAvgPool1 = {.average = true};

bool Handles(std::string_view op) { return op == "AvgPool-1"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanSliding(kAvgPool1, call, context, plan);
}

}  // namespace

const Operator avg_pool_1 = MakeOperator<Handles, Prepare, kMean>();

}  // namespace poolproof::reference::operators
