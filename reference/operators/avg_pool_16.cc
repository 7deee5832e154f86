// OpenVINO AvgPool-16: AvgPool-14 with dilations.
//
// Document: its own page of opset 16; the shape rules of the pooling operators.
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/sliding.h"

namespace poolproof::reference::operators {
namespace {

constexpr SlidingOperator kAvgPool16 = {.average = true, .dilations = true, .ceil_torch = true};

bool Handles(std::string_view op) { return op == "AvgPool-16"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanSliding(kAvgPool16, call, context, plan);
}

}  // namespace

const Operator avg_pool_16 = MakeOperator<Handles, Prepare, kMean>();

}  // namespace poolproof::reference::operators
