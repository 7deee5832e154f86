// AvgPool-16, AvgPool-14 with dilations.
#include "optimized/core/openvino.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

constexpr FixedPool kVersion = {.ceil_torch = true, .dilations = true, .exclude_pad = true};

bool Handles(std::string_view op) { return op == "AvgPool-16"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseFixedPool(kVersion, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(avg_pool_16) = {Handles, Parse, AveragePool};

}  // namespace poolproof::optimized
