#include "optimized/kernels/max_kernels.h"

#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

bool NoneEmpty(const Axis& axis) {
  for (int64_t j = 0; j < axis.out; ++j) {
    if (axis.SpanAt(j).taps == 0) return false;
  }
  return true;
}

}  // namespace

bool MaxPlanesPay(const Plan& plan) {
  constexpr int64_t kMaxPlane = 1024;  // a group of planes is to stay in the cache
  const Axis *axis = plan.axis, &width = axis[2];
  if (plan.inner != 1 || plan.outer < 4 || plan.InPlane() > kMaxPlane || plan.OutPlane() > kMaxPlane) return false;
  const bool index = plan.index_type != 0, strided = width.stride > 1 && width.kernel > width.stride;
  const bool narrow = width.in <= 12 || (strided && width.in <= (index ? 13 : 15));
  const bool large = width.in <= 24 && width.kernel >= 9 && (index || BytesOf(plan.type) >= 4);
  if (!index) return narrow || large || width.adaptive;
  const bool plain = plan.index_bound >= plan.InPlane() && NoneEmpty(axis[0]) && NoneEmpty(axis[1]) && NoneEmpty(width);
  const bool uneven = width.adaptive && width.in % width.out != 0;
  return plain && (uneven || (!width.adaptive && (narrow || large)));
}

}  // namespace poolproof::optimized
