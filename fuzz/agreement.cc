#include "fuzz/agreement.h"

#include <algorithm>

namespace poolproof::fuzz {

bool SameDescription(const poolproof_tensor& a, const poolproof_tensor& b) {
  return a.element_type == b.element_type && a.rank == b.rank &&
         std::equal(a.dims, a.dims + std::clamp(a.rank, 0, POOLPROOF_MAX_RANK), b.dims) && a.frac_bits == b.frac_bits;
}

bool SameOutputs(const poolproof_call& a, const poolproof_call& b) {
  return std::equal(a.outputs, a.outputs + a.output_count, b.outputs, b.outputs + b.output_count,
                    [](const poolproof_tensor* x, const poolproof_tensor* y) {
                      return SameDescription(*x, *y) && x->size_bytes == y->size_bytes;
                    });
}

}  // namespace poolproof::fuzz
