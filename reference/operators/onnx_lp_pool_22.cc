// ONNX LpPool, version 22.
//
//   out[n, c, o] = (sum{ |in[n, c, i]|^p : i = o * stride - pad_begin + k * dilation, 0 <= k < kernel,
//                                          0 <= i < size })^(1/p)
//   size_out as MaxPool; the page lacks the sentence on windows that start behind the input (onnx-lp-past-end)
//
// Document: ONNX operator schemas, LpPool, version 22.
#include "reference/onnx.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return op == "onnx.LpPool-22"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanOnnxPool(OnnxPool::kNorm, call, context, plan);
}

}  // namespace

const Operator onnx_lp_pool_22 = MakeOperator<Handles, Prepare, kNorm>();

}  // namespace poolproof::reference::operators
