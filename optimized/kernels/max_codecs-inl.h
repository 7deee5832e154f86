// How the elements of each type become lanes of a maximum without index, and how NaN is noticed on the
// way. For one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_CODECS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_CODECS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_CODECS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_CODECS_INL_H_
#endif

#include <type_traits>

#include "optimized/kernels/nan_watches-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

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
