// ONNX LpPool-22.
#include "optimized/core/onnx.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return op == "onnx.LpPool-22"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseOnnxPool(OnnxPool::kNorm, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(onnx_lp_pool_22) = {Handles, Parse, NormPool};

}  // namespace poolproof::optimized
