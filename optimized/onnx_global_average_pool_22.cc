// ONNX GlobalAveragePool-22.
#include "optimized/core/onnx.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return op == "onnx.GlobalAveragePool-22"; }

Result Parse(const poolproof_call& call, Parsed& parsed) {
  return ParseOnnxGlobalPool(OnnxPool::kAverage, call, parsed);
}

}  // namespace

POOLPROOF_OPERATOR(onnx_global_average_pool_22) = {Handles, Parse, AveragePool};

}  // namespace poolproof::optimized
