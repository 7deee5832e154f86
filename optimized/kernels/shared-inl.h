// How windows that share taps become one each, for one target: what several have is joined once.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_SHARED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_SHARED_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_SHARED_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_SHARED_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Joins the taps of four windows that each begin kShift taps (0: `shift`) behind the one before, all together: of what
// more than one has, less than one time each. next(): the next tap of all, from the first one on; store(j, best): of
// window j. A window has more than three times `shift` taps.
template <class B, int kShift, class Next, class Store>
HWY_INLINE void JoinFour(int64_t taps, int64_t shift, const Next& next, const Store& store) {
  const int64_t some = kShift > 0 ? kShift : shift;
  const auto join = [&](int64_t count) HWY_ATTR {
    B best = next();
    for (int64_t t = 1; t < count; ++t) best.Join(next());
    return best;
  };
  // Those before the taps that all have, these, and those behind.
  B first = join(some), second = join(some), third = join(some);
  B all = join(taps - 3 * some);
  second.Join(third);
  second.Join(all);
  first.Join(second);
  store(0, first);
  B behind = join(some);
  second.Join(behind);
  store(1, second);
  all.Join(behind);
  all.Join(join(some));
  third.Join(all);
  store(2, third);
  all.Join(join(some));
  store(3, all);
}

// The same of two windows that have taps in common.
template <class B, class Next, class Store>
HWY_INLINE void JoinTwo(int64_t taps, int64_t shift, const Next& next, const Store& store) {
  const auto join = [&](int64_t count) HWY_ATTR {
    B best = next();
    for (int64_t t = 1; t < count; ++t) best.Join(next());
    return best;
  };
  B first = join(shift), second = join(taps - shift);
  first.Join(second);
  store(0, first);
  second.Join(join(shift));
  store(1, second);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
