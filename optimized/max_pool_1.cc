// MaxPool-1, maximum over a window.
#include "optimized/core/openvino.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

constexpr FixedPool kVersion = {};

bool Handles(std::string_view op) { return op == "MaxPool-1"; }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseFixedPool(kVersion, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(max_pool_1) = {Handles, Parse, MaxPool};

}  // namespace poolproof::optimized
