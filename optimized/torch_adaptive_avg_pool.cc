// PyTorch AdaptiveAvgPool1d, AdaptiveAvgPool2d and AdaptiveAvgPool3d.
#include "optimized/core/operator.h"
#include "optimized/core/torch.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return NamesTorch(op, "torch.AdaptiveAvgPool"); }

Result Parse(const poolproof_call& call, Parsed& parsed) {
  return ParseTorchAdaptivePool(TorchPool::kAverage, call, parsed);
}

}  // namespace

POOLPROOF_OPERATOR(torch_adaptive_avg_pool) = {Handles, Parse, AveragePool};

}  // namespace poolproof::optimized
