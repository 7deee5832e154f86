// PyTorch LPPool1d, LPPool2d and LPPool3d.
//
//   out[n, c, o] = (sum{ in[n, c, i]^p : i = o * stride + k, 0 <= k < kernel_size, i < size })^(1/p), p = norm_type
//   size_out as MaxPool without padding
//
// The root of a sum below 0 is open (torch-lp-negative); PyTorch scales the sum of a window that passes the end
// (torch-lp-overhang).
//
// Document: docstrings of torch.nn and torch.nn.functional, 2.15.
#include "reference/operator_table.h"
#include "reference/operators.h"
#include "reference/torch.h"

namespace poolproof::reference::operators {
namespace {

bool Handles(std::string_view op) { return IsTorch(op, "torch.LPPool"); }
bool Prepare(const poolproof_call& call, Context& context, Plan* plan) {
  return PlanTorchPool(TorchPool::kLp, call, context, plan);
}

}  // namespace

const Operator torch_lp_pool = MakeOperator<Handles, Prepare, kNorm>();

}  // namespace poolproof::reference::operators
