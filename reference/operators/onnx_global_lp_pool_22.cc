// ONNX GlobalLpPool, version 22: LpPool with a kernel of the size of the input.
//
// Document: ONNX operator schemas, GlobalLpPool, version 22.
#include "reference/onnx.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return op == "onnx.GlobalLpPool-22"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanOnnxGlobalPool(OnnxPool::kNorm, call, context, plan);
}

}  // namespace

const Operator onnx_global_lp_pool_22 = MakeOperator<Handles, Prepare, kNorm>();

}  // namespace poolproof::reference::operators
