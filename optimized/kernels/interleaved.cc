#include "optimized/kernels/interleaved.h"

#include <algorithm>
#include <limits>

#include "optimized/kernels/max_kernels.h"
#include "optimized/kernels/mean_kernels.h"

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

bool NoneEmpty(const Axis& axis) {
  for (int64_t j = 0; j < axis.out; ++j) {
    if (axis.SpanAt(j).taps == 0) return false;
  }
  return true;
}

// Every number below divides layers that `bench --random=300 --seed=31 --filter=adaptive`, `--random=160 --seed=32
// --filter=max+i64`, `--random=200 --seed=33 --filter="avg "` and `--random=160 --seed=34 --filter="max f"` pool
// quicker with --kernel=interleaved from those that they pool quicker with --kernel=rows.

// Planes too large for the other kernels that have a lane per plane.
constexpr int64_t kLarge = 1024;

// How many lanes are of use.
bool FillsLanes(const Plan& plan) {
  const int64_t group = 64 / std::max<int64_t>(4, static_cast<int64_t>(BytesOf(plan.type)));
  return plan.outer >= 8 && 10 * plan.outer >= 7 * ((plan.outer + group - 1) / group * group);
}

bool IsFloat(poolproof_element_type type) {
  return type == POOLPROOF_F64 || type == POOLPROOF_F32 || type == POOLPROOF_F16 || type == POOLPROOF_BF16;
}

// Whether rows are short and windows deep, so that other kernels go down for few elements at a time.
bool IsDeep(const Plan& plan) {
  const Axis& width = plan.axis[2];
  return !plan.IsFlat() && plan.InPlane() > kLarge && width.in <= 16 && (width.stride >= 3 || plan.KernelTaps() >= 24);
}

bool PaysForIndex(const Plan& plan) {
  constexpr int64_t kLongWindow = 16;
  const Axis& width = plan.axis[2];
  const bool large = plan.InPlane() > kLarge;
  if (width.adaptive) {
    return plan.outer >= 4 && width.in > 8 && (large || width.kernel >= kLongWindow || !MaxPlanesPay(plan));
  }
  if (!large || plan.outer < 8) return false;
  if (!plan.IsFlat() && width.in <= 16) return true;
  if (width.stride >= 3) return width.in > 24 || width.kernel >= 5;
  return width.kernel >= 6 && plan.axis[1].in > 1;
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
  return BytesOf(plan.type) < 8 && SumBits(plan) <= 53;
}

bool InterleavedPaysForMax(const Plan& plan) {
  constexpr int64_t kLeast = 600;
  if (plan.index_type != 0) return PaysForIndex(plan);
  if (!FillsLanes(plan)) return false;
  if (IsDeep(plan)) return true;
  const Axis& width = plan.axis[2];
  return BytesOf(plan.type) == 4 && !width.adaptive && width.stride >= 3 && width.kernel >= 5 &&
         plan.InPlane() >= kLeast;
}

bool InterleavedPaysForMean(const Plan& plan) {
  constexpr int64_t kLeast = 600;
  if (!IsFloat(plan.type) || !FillsLanes(plan)) return false;
  const Axis &height = plan.axis[1], &width = plan.axis[2];
  const bool one_row = plan.IsFlat() && height.in == 1;
  if (width.adaptive) {
    // With few windows, going down first leaves little to be done across.
    return plan.IsFlat() && (one_row || (plan.InPlane() > kLarge && height.in <= 10 * height.out));
  }
  if (width.kernel < 5) return false;
  if (one_row) return width.stride >= 3;
  return width.stride >= 2 ? plan.InPlane() >= kLeast : plan.InPlane() > kLarge && width.kernel <= 6;
}

}  // namespace poolproof::optimized
