#include "optimized/kernels/interleaved.h"

#include <algorithm>
#include <limits>

#include "optimized/kernels/mean_kernels.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

// Elements from the first tap of a window to its last one, at most.
int64_t Reach(const Axis& axis) {
  int64_t reach = 0;
  const bool fits = !__builtin_mul_overflow(axis.kernel - 1, axis.dilation, &reach);
  return fits && reach < axis.in ? reach + 1 : axis.in;
}

// Whether what is kept of a group of planes stays in proportion, and tables have few entries for each of them.
bool Takes(const Plan& plan) {
  constexpr int64_t kCells = 1 << 16, kMostOut = 1 << 20, kMostWindows = 512;
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (plan.inner != 1 || plan.InPlane() > std::numeric_limits<int32_t>::max()) return false;
  if (d.out > kMostOut || h.out > kMostOut || w.out > kMostOut || plan.OutPlane() > kMostOut) return false;
  const int64_t windows = std::min(w.out, kMostWindows);
  return Reach(h) <= kCells / windows && Reach(d) <= kCells / windows / std::min(h.out, kCells);
}

}  // namespace

bool InterleavedTakesMax(const Plan& plan) {
  if (!Takes(plan)) return false;
  if (plan.index_type == 0) return true;
  return plan.index_bound >= plan.InPlane() && NoneEmpty(plan.axis[0]) && NoneEmpty(plan.axis[1]) &&
         NoneEmpty(plan.axis[2]);
}

bool InterleavedTakesMean(const Plan& plan) {
  for (const Axis& axis : plan.axis) {
    if (axis.dilation != 1) return false;
  }
  if (!Takes(plan)) return false;
  if (plan.quotient == Quotient::kNearest) return true;
  switch (BytesOf(plan.type)) {
    case 1: return SumBits(plan) <= 24;
    case 8: return SumBits(plan) <= 64 + kLongTapBits;
    default: return SumBits(plan) <= 53;
  }
}

bool FoldedTakesMax(const Plan& plan) { return plan.index_type == 0 && InterleavedTakesMax(plan); }

bool FoldedTakesMean(const Plan& plan) {
  // Sums of 64-bit integers may overflow, which interleaved looks for.
  return (plan.quotient == Quotient::kNearest || BytesOf(plan.type) < 8) && InterleavedTakesMean(plan);
}

}  // namespace poolproof::optimized
