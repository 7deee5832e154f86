// OpenVINO MaxPool-8.
//
//   out[n, c, o] = max{ in[n, c, i] : i = o * stride - pad_begin + k * dilation, 0 <= k < kernel,
//                                     0 <= i < size }
//   index[n, c, o] = flat position of that element in the input, modulo the product of the input's
//                    dimensions from `axis` on
//   explicit: size_out = round((size + pad_begin + pad_end - eff) / stride) + 1,
//             eff = (kernel - 1) * dilation + 1
//   valid:    the same without padding (example 5), or ceil((size - eff + 1) / stride) (valid-ceil)
//   same_*:   size_out = size
//
// per spatial axis. Padding counts as minus infinity and has no position. Equal maxima, NaN,
// windows without a tap: max_window.h. An i32 index for more than 2^31 positions: index-overflow.
//
// Document: MaxPool-8, "Attributes", "Outputs", "Mathematical Formulation".
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/sliding.h"

namespace poolproof::reference::operators {
namespace {

constexpr SlidingOperator kMaxPool8 = {.dilations = true, .index = true};

bool Handles(std::string_view op) { return op == "MaxPool-8"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanSliding(kMaxPool8, call, context, plan);
}

}  // namespace

const Operator max_pool_8 = MakeOperator<Handles, Prepare, kMaximum>();

}  // namespace poolproof::reference::operators
