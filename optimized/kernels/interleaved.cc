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

// Every number below divides layers that `bench --random=600 --seed=51` pools quicker with --kernel=interleaved from
// those that it pools quicker with --kernel=rows: to choose so takes 1.05 times as long for maxima, and 1.07 times for
// means, as always to choose the quicker of the two.

// The longest rows, by stride, 1, 2 or more, and by kernel, up to 2, up to 4 or more: longer ones fill the vectors of
// the other kernel, and windows that overlap less cost it more.
using RowTable = int64_t[3][3];
constexpr RowTable kRowsOfMax = {{14, 16, 24}, {13, 34, 48}, {0, 52, 96}};
constexpr RowTable kRowsOfMean = {{16, 20, 56}, {16, 32, 64}, {0, 64, 128}};

int64_t LongestRow(const RowTable& table, const Axis& width) {
  const int64_t stride = std::min<int64_t>(width.stride, 3), kernel = width.kernel;
  return table[stride - 1][kernel <= 2 ? 0 : kernel <= 4 ? 1 : 2];
}

// How many lanes are of use.
bool FillsLanes(const Plan& plan) {
  const int64_t group = 64 / std::max<int64_t>(4, static_cast<int64_t>(BytesOf(plan.type)));
  return plan.outer >= 8 && 10 * plan.outer >= 6 * ((plan.outer + group - 1) / group * group);
}

// Whether windows are large along three axes; then the other kernel goes down for long.
bool IsDeep(const Plan& plan) { return !plan.IsFlat() && plan.KernelTaps() >= 64; }
constexpr int64_t kLongestDeep = 64;

// Whether there is nothing but one element at a time in the other kernel.
bool IsScattered(const Plan& plan) {
  constexpr int64_t kLeastPlanes = 4, kMostStride = 4;
  return plan.outer >= kLeastPlanes && (plan.axis[2].adaptive || plan.axis[2].stride > kMostStride);
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
  constexpr int64_t kLarge = 9;  // kernel
  const Axis& width = plan.axis[2];
  if (plan.index_type != 0) return true;  // nothing else is left but one element at a time
  if (IsScattered(plan)) return true;
  if (!FillsLanes(plan)) return false;
  if (IsDeep(plan)) return width.in <= kLongestDeep;
  int64_t longest = LongestRow(kRowsOfMax, width);
  // Narrow elements are widened here alone, and wide ones take two groups for as many planes.
  const size_t bytes = BytesOf(plan.type);
  if (bytes < 4 && width.kernel < kLarge) longest /= 2;
  if (bytes > 4) longest = width.kernel > 2 ? longest * 3 / 4 : longest / 2;
  if (width.stride > 3) longest = longest * 4 / 3;
  return width.in <= longest;
}

bool InterleavedPaysForMean(const Plan& plan) {
  constexpr int64_t kTallest = 16;  // rows of a window
  const Axis &height = plan.axis[1], &width = plan.axis[2];
  // With few windows, going down first leaves little to be done across.
  if (IsScattered(plan)) return height.in <= kTallest * height.out;
  if (!FillsLanes(plan)) return false;
  if (IsDeep(plan)) return width.in <= kLongestDeep;
  const int64_t longest = LongestRow(kRowsOfMean, width);
  return width.in <= (BytesOf(plan.type) > 4 && width.kernel <= 2 ? longest / 2 : longest);
}

}  // namespace poolproof::optimized
