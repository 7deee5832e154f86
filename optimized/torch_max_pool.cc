// PyTorch MaxPool1d, MaxPool2d and MaxPool3d.
#include "optimized/core/operator.h"
#include "optimized/core/torch.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return NamesTorch(op, "torch.MaxPool"); }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseTorchPool(TorchPool::kMax, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(torch_max_pool) = {Handles, Parse, MaxPool};

}  // namespace poolproof::optimized
