// AdaptiveAvgPool-8, mean over cells that divide the input evenly.
#include "optimized/core/openvino.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

constexpr AdaptivePool kVersion = {.indices = false};

bool Handles(std::string_view op) { return op == "AdaptiveAvgPool-8"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseAdaptivePool(kVersion, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(adaptive_avg_pool_8) = {Handles, Parse, AveragePool};

}  // namespace poolproof::optimized
