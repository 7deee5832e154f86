// PyTorch AvgPool1d, AvgPool2d and AvgPool3d.
//
//   out[n, c, o] = sum{ in[n, c, i] : i = o * stride - padding + k, 0 <= k < kernel_size, 0 <= i < size } / divisor
//   divisor = divisor_override, which AvgPool1d does not have; where it is not given, the number of all k, with
//             count_include_pad false of those with i in the input
//   size_out as MaxPool
//
// Whether i past size + padding count is open (avg-overhang).
//
// Document: docstrings of torch.nn and torch.nn.functional, 2.15.
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/torch.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return IsTorch(op, "torch.AvgPool"); }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanTorchPool(TorchPool::kAverage, call, context, plan);
}

}  // namespace

const Operator torch_avg_pool = MakeOperator<Handles, Prepare, kMean>();

}  // namespace poolproof::reference::operators
