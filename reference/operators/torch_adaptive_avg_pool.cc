// PyTorch AdaptiveAvgPool1d, AdaptiveAvgPool2d and AdaptiveAvgPool3d.
//
//   out[n, c, o] = mean{ in[n, c, i] : floor(o * size / size_out) <= i < ceil((o + 1) * size / size_out) }
//
// per spatial axis; size_out is output_size, the second input. No page says which elements a cell has
// (torch-adaptive-cells).
//
// Document: docstrings of torch.nn and torch.nn.functional, 2.15.
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/torch.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return IsTorch(op, "torch.AdaptiveAvgPool"); }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanTorchAdaptive(TorchPool::kAverage, call, context, plan);
}

}  // namespace

const Operator torch_adaptive_avg_pool = MakeOperator<Handles, Prepare, kMean>();

}  // namespace poolproof::reference::operators
