#include "optimized/kernels/max_kernels.h"

#include <algorithm>

#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

constexpr int64_t kVector = 64;  // bytes of the longest

bool NoneEmpty(const Axis& axis) {
  for (int64_t j = 0; j < axis.out; ++j) {
    if (axis.SpanAt(j).taps == 0) return false;
  }
  return true;
}

// Whether windows are so large that pooling them is work, and rows too short to share it among their lanes.
bool IsLarge(const Axis& width, size_t element_bytes, bool index) {
  if (width.adaptive || width.dilation > 1) return width.in <= 24 && width.kernel >= 9 && (index || element_bytes >= 4);
  // Five taps with index go down in strips where rows are whole vectors.
  if (index) return width.in <= 28 && width.kernel >= (width.stride > 1 || width.in < 16 ? 5 : 6);
  if (element_bytes == 4) return width.in <= 28 && width.kernel >= 5;
  return width.in <= (element_bytes > 4 ? 28 : 20) && width.kernel >= (width.in <= 16 ? 5 : 9);
}

// Whether a maximum with index has fewer windows in a row than lanes, so that most are idle unless there is a lane per
// plane.
bool IsShort(const Plan& plan) {
  const Axis& width = plan.axis[2];
  const int64_t lane = std::max<int64_t>(4, static_cast<int64_t>(BytesOf(plan.type)));
  if (width.adaptive || width.out >= kVector / lane) return false;
  if (!IsLane(plan.type) || width.stride > 2) return width.in <= 32;
  return width.stride == 2 && width.in <= (lane == 4 ? 18 : 14);
}

}  // namespace

bool HasStrips(const Plan& plan) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (d.adaptive || h.adaptive || w.adaptive || plan.inner != 1) return false;
  const bool near = w.stride == 1 || (w.stride == 2 && w.dilation == 1);
  const bool few = (w.kernel == 2 || w.kernel == 3) && near;
  const bool same = h.kernel == w.kernel && h.stride == w.stride && (h.stride == 1 || h.dilation == 1);
  const bool five = w.kernel == 5 && w.stride == 1 && same;
  return ((few && (same || h.kernel == 1)) || five) && NoneEmpty(d) && NoneEmpty(h) && NoneEmpty(w);
}

bool MaxStripsPay(const Plan& plan) {
  constexpr int64_t kLongest = 256, kLongestOfTwo = 160, kLongestOfTwoDeep = 96;  // bytes
  const Axis &h = plan.axis[1], &w = plan.axis[2];
  if (plan.index_type != 0 || !IsLane(plan.type) || w.stride != 1 || h.kernel != w.kernel) return false;
  const int64_t element = static_cast<int64_t>(BytesOf(plan.type));
  const int64_t of_two = plan.IsFlat() ? kLongestOfTwo : kLongestOfTwoDeep;
  const int64_t longest = (w.kernel == 2 ? of_two : kLongest) / element;
  return w.in <= longest && std::min(w.in, w.out) >= kVector / element && HasStrips(plan);
}

bool MaxPairsPay(const Plan& plan) {
  const bool index = plan.index_type != 0, wide = BytesOf(plan.type) > 4;
  const int64_t longest = wide ? (index ? 7 : 6) : (index ? kMaxFlatRow : 24);  // row, in windows
  return HasFlatPairs(plan) && plan.axis[2].out <= longest;
}

bool MaxPlanesPay(const Plan& plan) {
  constexpr int64_t kMaxPlane = 1024;  // a group of planes is to stay in the cache
  const Axis *axis = plan.axis, &width = axis[2];
  if (plan.inner != 1 || plan.outer < 4 || plan.InPlane() > kMaxPlane || plan.OutPlane() > kMaxPlane) return false;
  const bool index = plan.index_type != 0, strided = width.stride > 1 && width.kernel > width.stride;
  const bool narrow = width.in <= 12 || (strided && width.in <= (index ? 13 : 15)) || (index && IsShort(plan));
  if (!index) return narrow || width.adaptive || IsLarge(width, BytesOf(plan.type), false);
  const bool plain = plan.index_bound >= plan.InPlane() && NoneEmpty(axis[0]) && NoneEmpty(axis[1]) && NoneEmpty(width);
  const bool uneven = width.adaptive && width.in % width.out != 0;
  return plain && (uneven || (!width.adaptive && (narrow || IsLarge(width, BytesOf(plan.type), true))));
}

}  // namespace poolproof::optimized
