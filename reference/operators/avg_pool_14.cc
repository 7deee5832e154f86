// OpenVINO AvgPool-14: AvgPool-1 with rounding_type ceil_torch, which drops a last window that
// would start at or past size + pad_begin.
//
// Document: shape rules of the pooling operators; the attributes are those of AvgPool-14's own
// page.
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/sliding.h"

namespace poolproof::reference::operators {
namespace {

constexpr SlidingOperator kAvgPool14 = {.average = true, .ceil_torch = true};

bool Handles(std::string_view op) { return op == "AvgPool-14"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanSliding(kAvgPool14, call, context, plan);
}

}  // namespace

const Operator avg_pool_14 = MakeOperator<Handles, Prepare, kMean>();

}  // namespace poolproof::reference::operators
