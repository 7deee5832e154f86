// AdaptiveMaxPool-8, maximum over cells that divide the input evenly.
#include "optimized/core/openvino.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

constexpr AdaptivePool kVersion = {.indices = true};

bool Handles(std::string_view op) { return op == "AdaptiveMaxPool-8"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseAdaptivePool(kVersion, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(adaptive_max_pool_8) = {Handles, Parse, MaxPool};

}  // namespace poolproof::optimized
