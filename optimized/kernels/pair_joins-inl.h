// What flat_pairs-inl.h and pair_picks-inl.h do with the elements of windows, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_PAIR_JOINS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_PAIR_JOINS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_PAIR_JOINS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_PAIR_JOINS_INL_H_
#endif

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/nan_watches-inl.h"
#include "optimized/kernels/plain.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Maxima: what two elements become, and what a window does. Rows of elements of magnitudes above Most(), or NaN, are
// pooled by Plain; Watch tells whether there may be such.
template <typename Lane, bool kIndex>
struct MaxOfPairs {
  using L = Lane;
  using Watch = WatchOf<L>;
  static constexpr bool kHasPosition = kIndex;
  static L Most() { return StoredLanes<L>().most; }
  template <class V>
  static HWY_INLINE V Join(V first, V second) {
    return MaxOf(first, second);
  }
  template <class V>
  static HWY_INLINE V Finish(V best) {
    return best;
  }
  static void Plain(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
    PlainMaxRow(plan, buffers, plane, d, h);
  }
};

// Means.
template <typename Lane>
struct MeanOfPairs {
  using L = Lane;
  using D = hn::ScalableTag<L>;
  static constexpr bool kHasPosition = false;
  static L Most() { return std::numeric_limits<L>::max() / 4; }  // no sum overflows
  struct Watch {
    using VI = hn::Vec<hn::RebindToSigned<D>>;
    VI largest;
    HWY_INLINE Watch() : largest(hn::Zero(hn::RebindToSigned<D>())) {}
    template <class V>
    static HWY_INLINE VI Join(V a, V b) {
      return hn::Max(MagnitudeBits(a), MagnitudeBits(b));
    }
    HWY_INLINE void Elements(VI joined) { largest = hn::Max(largest, joined); }
    HWY_INLINE bool Suspicious() const { return IsNanMagnitude(D(), largest, Most()); }
  };
  template <class V>
  static HWY_INLINE V Join(V first, V second) {
    return hn::Add(first, second);
  }
  // A sum of nothing but negative zeros is zero.
  template <class V>
  static HWY_INLINE V Finish(V sum) {
    const hn::DFromV<V> d;
    return hn::Mul(hn::Add(sum, hn::Zero(d)), hn::Set(d, L{0.25}));
  }
  static void Plain(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
    PlainAverageRow(plan, buffers, plane, d, h);
  }
};

// What some elements of windows become, in vectors of D, and the position of the maximum if P has one. Elements are
// joined in row-major order.
template <class P, class D>
struct Joined {
  using DI = hn::RebindToSigned<D>;
  hn::Vec<D> value;
  hn::Vec<DI> at;

  HWY_INLINE void Join(hn::Vec<D> later, hn::Vec<DI> later_at) {
    if constexpr (P::kHasPosition) at = hn::IfThenElse(hn::RebindMask(DI(), hn::Gt(later, value)), later_at, at);
    value = P::Join(value, later);
  }
  HWY_INLINE void Join(const Joined& later) { Join(later.value, later.at); }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
