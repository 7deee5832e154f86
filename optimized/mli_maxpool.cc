// mli_krn_maxpool_{chw|hwc}_{fx8|fx16}, with the generic function and the specializations of chw.
#include "optimized/core/mli.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return IsMliFunction(MliFunction::kMaxpool, op); }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseMli(MliFunction::kMaxpool, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(mli_maxpool) = {Handles, Parse, MaxPool};

}  // namespace poolproof::optimized
