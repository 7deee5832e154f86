// ONNX MaxPool-22.
#include "optimized/core/onnx.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return op == "onnx.MaxPool-22"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseOnnxPool(OnnxPool::kMax, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(onnx_max_pool_22) = {Handles, Parse, OnnxMaxPool};

}  // namespace poolproof::optimized
