// ONNX GlobalAveragePool, version 22: AveragePool with a kernel of the size of the input.
//
// Document: ONNX operator schemas, GlobalAveragePool, version 22.
#include "reference/onnx.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return op == "onnx.GlobalAveragePool-22"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanOnnxGlobalPool(OnnxPool::kAverage, call, context, plan);
}

}  // namespace

const Operator onnx_global_average_pool_22 = MakeOperator<Handles, Prepare, kMean>();

}  // namespace poolproof::reference::operators
