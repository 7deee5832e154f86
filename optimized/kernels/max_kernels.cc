#include "optimized/kernels/max_kernels.h"

#include <algorithm>
#include <limits>

#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

// Whether there are loops for such windows.
bool HasLoops(const Axis& high, const Axis& wide) {
  const bool near = wide.stride == 1 || (wide.stride == 2 && wide.dilation == 1);
  const bool few = (wide.kernel == 2 || wide.kernel == 3) && near;
  const bool same =
      high.kernel == wide.kernel && high.stride == wide.stride && (high.stride == 1 || high.dilation == 1);
  const bool five = wide.kernel == 5 && wide.stride == 1 && same;
  return (few && (same || high.kernel == 1)) || five;
}

}  // namespace

bool StripsTake(const Plan& plan) {
  constexpr int64_t kVector = 64;  // bytes of the longest, so that the targets do not differ
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (plan.index_type == 0 || plan.inner != 1 || plan.index_bound < plan.InPlane()) return false;
  if (d.adaptive || h.adaptive || w.adaptive || !HasLoops(h, w)) return false;
  const int64_t lane = std::max<int64_t>(2, static_cast<int64_t>(BytesOf(plan.type)));
  if (std::min(w.in, w.out) < kVector / lane || plan.InPlane() > std::numeric_limits<int32_t>::max()) return false;
  // Positions in lanes of 16 bits count from the begin of a window.
  const int64_t farthest = (h.Reach() + 2) * w.in + w.Reach();
  if (lane == 2 && (!plan.IsFlat() || farthest > std::numeric_limits<int16_t>::max())) return false;
  return NoneEmpty(d) && NoneEmpty(h) && NoneEmpty(w);
}

}  // namespace poolproof::optimized
