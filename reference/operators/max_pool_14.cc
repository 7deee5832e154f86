// OpenVINO MaxPool-14: MaxPool-8 with a third rounding.
//
//   ceil_torch: size_out = ceil((size + pad_begin + pad_end - eff) / stride) + 1, less 1 where
//               (size_out - 1) * stride >= size + pad_begin
//
// so that no last window starts in the end padding (ceil-torch-once: less 1 may not be enough;
// ceil-torch-auto-pad: with valid as well; the formula of same_* knows no rounding). All else as
// MaxPool-8.
//
// Document: shape rules of the pooling operators.
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/sliding.h"

namespace poolproof::reference::operators {
namespace {

constexpr SlidingOperator kMaxPool14 = {.dilations = true, .index = true, .ceil_torch = true};

bool Handles(std::string_view op) { return op == "MaxPool-14"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanSliding(kMaxPool14, call, context, plan);
}

}  // namespace

const Operator max_pool_14 = MakeOperator<Handles, Prepare, kMaximum>();

}  // namespace poolproof::reference::operators
