// ONNX GlobalMaxPool-22.
#include "optimized/core/onnx.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return op == "onnx.GlobalMaxPool-22"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseOnnxGlobalPool(OnnxPool::kMax, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(onnx_global_max_pool_22) = {Handles, Parse, MaxPool};

}  // namespace poolproof::optimized
