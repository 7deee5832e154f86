// How strips (window_strips-inl.h) read elements as lanes, and store lanes as elements, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_STRIP_SOURCES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_STRIP_SOURCES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_STRIP_SOURCES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_STRIP_SOURCES_INL_H_
#endif

#include "optimized/kernels/lane_forms-inl.h"
#include "optimized/kernels/max_codecs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Elements that are lanes.
template <typename L>
struct LaneSource {
  using T = L;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  static HWY_INLINE V Load(const T* p) { return hn::LoadU(D(), p); }
  // Every second element, from the first on,
  static HWY_INLINE V LoadEvery2(const T* p) { return LoadEven(D(), p); }
  // and those between as well.
  static HWY_INLINE void LoadBoth(const T* p, V& even, V& odd) { Deinterleave(D(), p, even, odd); }
  static HWY_INLINE void Store(V v, T* p) { hn::StoreU(v, D(), p); }
  // Whether one of `count` elements is NaN. Whole vectors may be read.
  static bool HoldsNan(const T* p, int64_t count) {
    return optimized::HWY_NAMESPACE::HoldsNan(p, count, std::numeric_limits<T>::infinity());
  }
};

// Elements as large as lanes, which C::Load and C::Store make of each other.
template <class C>
struct RecodedSource {
  using T = typename C::Lane;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  static HWY_INLINE V Load(const T* p) { return C::Load(D(), p); }
  static HWY_INLINE V LoadEvery2(const T* p) {
    V even, odd;
    LoadBoth(p, even, odd);
    return even;
  }
  static HWY_INLINE void LoadBoth(const T* p, V& even, V& odd) {
    Split(D(), Load(p), Load(p + hn::Lanes(D())), even, odd);
  }
  static HWY_INLINE void Store(V v, T* p) { C::Store(v, D(), p); }
  static bool HoldsNan(const T* p, int64_t count) {
    if constexpr (C::kHasNan) return HasNan<typename C::Nan>(p, count);
    return false;
  }
};

// i8 or u8 as lanes of 16 bits. Two neighbours are where one lane is, so to take every second needs no shuffle.
template <typename Byte>
struct ByteSource {
  using T = Byte;
  using D = hn::ScalableTag<int16_t>;
  using V = hn::Vec<D>;

  static HWY_INLINE V Load(const T* p) { return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<T, D>(), p)); }
  static HWY_INLINE V LoadEvery2(const T* p) { return Lower(LoadPairs(p)); }
  static HWY_INLINE void LoadBoth(const T* p, V& even, V& odd) {
    const V pairs = LoadPairs(p);
    even = Lower(pairs);
    odd = Upper(pairs);
  }
  static HWY_INLINE void Store(V v, T* p) {
    const hn::Rebind<T, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, p);
  }
  static bool HoldsNan(const T*, int64_t) { return false; }

 private:
  static HWY_INLINE V LoadPairs(const T* p) { return hn::BitCast(D(), hn::LoadU(hn::Repartition<T, D>(), p)); }
  static HWY_INLINE V Lower(V pairs) {
    if constexpr (std::is_signed_v<T>) return hn::ShiftRight<8>(hn::ShiftLeft<8>(pairs));
    return hn::And(pairs, hn::Set(D(), 0xFF));
  }
  static HWY_INLINE V Upper(V pairs) {
    if constexpr (std::is_signed_v<T>) return hn::ShiftRight<8>(pairs);
    return hn::BitCast(D(), hn::ShiftRight<8>(hn::BitCast(hn::RebindToUnsigned<D>(), pairs)));
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
