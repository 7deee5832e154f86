// mli_krn_avepool_{chw|hwc}_{fx8|fx16}, with the generic function and the specializations of chw.
#include "optimized/core/mli.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

bool Handles(std::string_view op) { return IsMliFunction(MliFunction::kAvepool, op); }

Result Parse(const poolproof_call& call, Parsed& parsed) { return ParseMli(MliFunction::kAvepool, call, parsed); }

}  // namespace

POOLPROOF_OPERATOR(mli_avepool) = {Handles, Parse, AveragePool};

}  // namespace poolproof::optimized
