// AvgPool-1, mean over a window.
#include "optimized/core/openvino.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

constexpr FixedPool kVersion = {.exclude_pad = true};

bool Handles(std::string_view op) { return op == "AvgPool-1"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseFixedPool(kVersion, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(avg_pool_1) = {Handles, Parse, AveragePool};

}  // namespace poolproof::optimized
