// MaxPool-14, MaxPool-8 with rounding_type ceil_torch.
#include "optimized/core/openvino.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

constexpr FixedPool kVersion = {.ceil_torch = true, .dilations = true, .indices = true};

bool Handles(std::string_view op) { return op == "MaxPool-14"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseFixedPool(kVersion, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(max_pool_14) = {Handles, Parse, MaxPool};

}  // namespace poolproof::optimized
