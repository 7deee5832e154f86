// PyTorch AdaptiveMaxPool1d, AdaptiveMaxPool2d and AdaptiveMaxPool3d.
#include "optimized/core/operator.h"
#include "optimized/core/torch.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return NamesTorch(op, "torch.AdaptiveMaxPool"); }

Result Parse(const poolproof_call& call, Parsed& parsed) {
  return ParseTorchAdaptivePool(TorchPool::kMax, call, parsed);
}

}  // namespace

POOLPROOF_OPERATOR(torch_adaptive_max_pool) = {Handles, Parse, MaxPool};

}  // namespace poolproof::optimized
