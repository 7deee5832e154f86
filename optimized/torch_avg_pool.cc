// PyTorch AvgPool1d, AvgPool2d and AvgPool3d.
#include "optimized/core/operator.h"
#include "optimized/core/torch.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return NamesTorch(op, "torch.AvgPool"); }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseTorchPool(TorchPool::kAverage, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(torch_avg_pool) = {Handles, Parse, AveragePool};

}  // namespace poolproof::optimized
