// PyTorch LPPool1d, LPPool2d and LPPool3d.
#include "optimized/core/operator.h"
#include "optimized/core/torch.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return NamesTorch(op, "torch.LPPool"); }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseTorchPool(TorchPool::kNorm, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(torch_lp_pool) = {Handles, Parse, NormPool};

}  // namespace poolproof::optimized
