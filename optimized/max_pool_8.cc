// MaxPool-8, maximum over a window with dilation, and its position.
#include "optimized/core/openvino.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

constexpr FixedPool kVersion = {.dilations = true, .indices = true};

bool Handles(std::string_view op) { return op == "MaxPool-8"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseFixedPool(kVersion, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(max_pool_8) = {Handles, Parse, MaxPool};

}  // namespace poolproof::optimized
