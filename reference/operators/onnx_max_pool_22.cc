// ONNX MaxPool, version 22.
//
//   out[n, c, o] = max{ in[n, c, i] : i = o * stride - pad_begin + k * dilation, 0 <= k < kernel,
//                                     0 <= i < size }
//   index[n, c, o] = position of that element in the whole input, row major or, with storage_order 1, column major
//                    (onnx-column-major); the output may be left out
//   NOTSET:  size_out = round((size + pad_begin + pad_end - eff) / stride) + 1, eff = (kernel - 1) * dilation + 1,
//   without
//            windows that start behind the input (onnx-ignored-windows)
//   VALID:   ceil((size - eff + 1) / stride); SAME_*: ceil(size / stride)
//
// Document: ONNX operator schemas, MaxPool, version 22.
#include "reference/onnx.h"
#include "reference/operator_table.h"
#include "reference/operators.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return op == "onnx.MaxPool-22"; }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanOnnxPool(OnnxPool::kMax, call, context, plan);
}

}  // namespace

const Operator onnx_max_pool_22 = MakeOperator<Handles, Prepare, kMaximum>();

}  // namespace poolproof::reference::operators
