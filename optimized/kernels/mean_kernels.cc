#include "optimized/kernels/mean_kernels.h"

#include <algorithm>
#include <bit>

#include "optimized/kernels/rows.h"

namespace poolproof::optimized {

bool HasPairs(const Plan& plan) {
  const Axis& width = plan.axis[2];
  return (plan.type == POOLPROOF_F32 || plan.type == POOLPROOF_F64) && plan.inner == 1 && !width.adaptive &&
         width.kernel == 2 && width.stride == 2 && width.dilation == 1 && width.pad == 0 && width.out > 4 &&
         2 * width.out <= width.in;
}

int SumBits(const Plan& plan) {
  int64_t taps = 1;
  for (const Axis& axis : plan.axis) taps *= std::min(axis.kernel, axis.in);
  return static_cast<int>(8 * BytesOf(plan.type)) + (plan.quotient == Quotient::kConvergent ? 1 : 0) +
         static_cast<int>(std::bit_width(static_cast<uint64_t>(taps - 1)));
}

bool HasShortSums(const Plan& plan) {
  if (BytesOf(plan.type) != 1) return false;
  // The largest quotient; MLI's are of doubled sums.
  const int64_t most = plan.type == POOLPROOF_U8 ? 255 : plan.quotient == Quotient::kConvergent ? 256 : 128;
  const int64_t taps = plan.KernelTaps();
  return taps <= 16 && most * taps * taps + taps <= 65536;
}

}  // namespace poolproof::optimized
