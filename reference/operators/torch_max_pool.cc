// PyTorch MaxPool1d, MaxPool2d and MaxPool3d.
//
//   out[n, c, o] = max{ in[n, c, i] : i = o * stride - padding + k * dilation, 0 <= k < kernel_size,
//                                     0 <= i < size }
//   index[n, c, o] = position of that element in its plane (torch-index-origin); the output may be left out
//   size_out = round((size + 2 * padding - (kernel_size - 1) * dilation - 1) / stride) + 1, one less where the last
//              window would start behind the input
//
// Document: docstrings of torch.nn and torch.nn.functional, 2.15.
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/torch.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return IsTorch(op, "torch.MaxPool"); }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanTorchPool(TorchPool::kMax, call, context, plan);
}

}  // namespace

const Operator torch_max_pool = MakeOperator<Handles, Prepare, kMaximum>();

}  // namespace poolproof::reference::operators
