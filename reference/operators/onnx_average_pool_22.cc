// ONNX AveragePool, version 22.
//
//   out[n, c, o] = sum{ in[n, c, i] : i = o * stride - pad_begin + k * dilation, 0 <= k < kernel,
//                                     0 <= i < size } / divisor
//   divisor = the number of those i, with count_include_pad 1 of all i in [-pad_begin, size + pad_end)
//   size_out as MaxPool
//
// Whether i past size + pad_end count is open (avg-overhang), and so is a divisor of 0 (avg-empty-window).
//
// Document: ONNX operator schemas, AveragePool, version 22.
#include "reference/onnx.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return op == "onnx.AveragePool-22"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanOnnxPool(OnnxPool::kAverage, call, context, plan);
}

}  // namespace

const Operator onnx_average_pool_22 = MakeOperator<Handles, Prepare, kMean>();

}  // namespace poolproof::reference::operators
