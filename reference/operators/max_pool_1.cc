// OpenVINO MaxPool-1.
//
//   out[n, c, o] = max{ in[n, c, i] : i = o * stride - pad_begin + k, 0 <= k < kernel,
//                                     0 <= i < size }
//   explicit, valid: size_out = round((size + pad_begin + pad_end - kernel) / stride) + 1
//   same_*:          size_out = size
//
// per spatial axis; valid has no padding. The document's formulas are printed without the
// parentheses (maxpool-1-formula). No dilations, no ceil_torch, no index output. Padding counts as
// minus infinity; windows without a tap, NaN and zeros of both signs are as max_window.h says.
//
// Document: MaxPool-1, "Attributes", "Mathematical Formulation".
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/sliding.h"

namespace poolproof::reference::operators {
namespace {

constexpr SlidingOperator kMaxPool1 = {.maxpool_1 = true};

bool Handles(std::string_view op) { return op == "MaxPool-1"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanSliding(kMaxPool1, call, context, plan);
}

}  // namespace

const Operator max_pool_1 = MakeOperator<Handles, Prepare, kMaximum>();

}  // namespace poolproof::reference::operators
