// ONNX GlobalMaxPool, version 22: MaxPool with a kernel of the size of the input, values alone.
//
// Document: ONNX operator schemas, GlobalMaxPool, version 22.
#include "reference/onnx.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return op == "onnx.GlobalMaxPool-22"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanOnnxGlobalPool(OnnxPool::kMax, call, context, plan);
}

}  // namespace

const Operator onnx_global_max_pool_22 = MakeOperator<Handles, Prepare, kMaximum>();

}  // namespace poolproof::reference::operators
