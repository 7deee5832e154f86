// How the elements of each type become lanes of a maximum without index, and how NaN is noticed on the
// way. For one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_CODECS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_CODECS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_CODECS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_CODECS_INL_H_
#endif

#include <type_traits>

#include "optimized/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Sees the elements of which a maximum is taken, a few of them joined at a time, and the maximum, and says
// whether an element may have been NaN: never no where one was. This one is for types without NaN.
struct NoWatch {
  template <class V>
  static HWY_INLINE V Join(V, V b) {
    return b;
  }
  template <class V>
  HWY_INLINE void Elements(V) {}
  template <class V>
  HWY_INLINE void Maximum(V) {}
  HWY_INLINE bool Suspicious() const { return false; }
};

// A sum keeps every NaN it meets. Opposite infinities make one as well.
template <class D>
struct SumWatch {
  hn::Vec<D> sum;
  HWY_INLINE SumWatch() : sum(hn::Zero(D())) {}
  template <class V>
  static HWY_INLINE V Join(V a, V b) {
    return hn::Add(a, b);
  }
  template <class V>
  HWY_INLINE void Elements(V joined) {
    sum = hn::Add(sum, joined);
  }
  template <class V>
  HWY_INLINE void Maximum(V) {}
  HWY_INLINE bool Suspicious() const { return !hn::AllFalse(D(), hn::IsNaN(sum)); }
};

// In keys of halves, NaN lies above +infinity or below -infinity.
template <class D, int16_t kInfinity, int16_t kLowest>
struct KeyWatch {
  hn::Vec<D> low, high;
  HWY_INLINE KeyWatch() : low(hn::Zero(D())), high(hn::Zero(D())) {}
  template <class V>
  static HWY_INLINE V Join(V a, V b) {
    return hn::Min(a, b);
  }
  template <class V>
  HWY_INLINE void Elements(V joined) {
    low = hn::Min(low, joined);
  }
  template <class V>
  HWY_INLINE void Maximum(V key) {
    high = hn::Max(high, key);
  }
  HWY_INLINE bool Suspicious() const {
    const D d;
    return !hn::AllFalse(d, hn::Or(hn::Gt(high, hn::Set(d, kInfinity)), hn::Lt(low, hn::Set(d, kLowest))));
  }
};

// Of lanes that compare as they are.
template <typename L>
using WatchOf = std::conditional_t<hwy::IsFloat<L>(), SumWatch<hn::ScalableTag<L>>, NoWatch>;

// Types whose lanes compare as they are.
template <typename T>
struct Direct {
  using Lane = T;
  using Nan = FloatNan;
  using Watch = WatchOf<T>;
  static constexpr bool kHasNan = hwy::IsFloat<T>();
  static constexpr Lane kIdentity = IdentityOfMax<T>();

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const T* p) {
    return hn::LoadU(d, p);
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, T* p) {
    hn::StoreU(v, d, p);
  }
};

// f16 and bf16 as integers of the same order. A full vector of 16-bit maxima is several times cheaper than widening.
// kInfinity: bits of +infinity.
template <int16_t kInfinity>
struct HalfKey {
  using Lane = int16_t;
  using Nan = HalfNan<kInfinity>;
  static constexpr bool kHasNan = true;
  static constexpr Lane kIdentity = static_cast<Lane>((kInfinity ^ 0x7FFF) | 0x8000);
  using Watch = KeyWatch<hn::ScalableTag<int16_t>, kInfinity, kIdentity>;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const int16_t* p) {
    return FlipHalf(hn::LoadU(d, p));
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, int16_t* p) {
    hn::StoreU(FlipHalf(v), d, p);
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
