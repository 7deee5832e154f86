// Elements as lanes of 16 to 64 bits that hold every value, its order and equality. Kernels that keep a
// position beside the value see only lanes, so that they are compiled once per type of lanes. For one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_LANE_FORMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_LANE_FORMS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_LANE_FORMS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_LANE_FORMS_INL_H_
#endif

#include "optimized/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// i8, u8, i16, u16 in larger lanes L. The way back takes what is below for the lowest.
template <typename T, typename L = int32_t>
struct Promoted {
  using Stored = T;
  using Lane = L;
  static constexpr Lane kMost = 0;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const T* p) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), p));
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D, T* p) {
    const hn::Rebind<T, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, p);
  }
};

// f16 and bf16: the bits below the sign as a number, with the sign. The order is that of the values, both
// zeros are equal, and the way back is exact. The lane -infinity, which is below, is -infinity as well.
template <int16_t kInfinity>
struct HalfOrder {
  using Stored = int16_t;
  using Lane = float;
  static constexpr Lane kMost = static_cast<float>(kInfinity);

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const int16_t* p) {
    const hn::RebindToSigned<D> di;
    const auto bits = hn::PromoteTo(di, hn::LoadU(hn::Rebind<int16_t, D>(), p));
    const auto magnitude = hn::ConvertTo(d, hn::And(bits, hn::Set(di, 0x7FFF)));
    return hn::Or(magnitude, hn::And(hn::BitCast(d, bits), hn::SignBit(d)));
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, int16_t* p) {
    const hn::RebindToSigned<D> di;
    const hn::Rebind<int16_t, D> narrow;
    const auto below = hn::Eq(v, hn::Set(d, IdentityOfMax<float>()));
    const auto magnitude = hn::ConvertTo(di, hn::IfThenElse(below, hn::Set(d, kMost), hn::Abs(v)));
    const auto sign = hn::And(hn::ShiftRight<16>(hn::BitCast(di, v)), hn::Set(di, -0x8000));
    hn::StoreU(hn::DemoteTo(narrow, hn::Or(magnitude, sign)), narrow, p);
  }
};

// Where indices go: int64_t or int32_t.
struct IndexArray {
  void* data;
  bool is_wide;
  HWY_INLINE IndexArray From(int64_t i) const { return {static_cast<char*>(data) + i * (is_wide ? 8 : 4), is_wide}; }
};

#if POOLPROOF_HAS_VECTORS
// Stores `v` + base as indices; only the first `count` lanes matter.
template <class D, class V>
HWY_INLINE void StoreIndex(D d, V v, int64_t base, IndexArray to, [[maybe_unused]] int64_t count) {
  using L = hn::TFromD<D>;
  if constexpr (sizeof(L) == 2) {
    const hn::Repartition<int32_t, D> half;
    const int64_t n = static_cast<int64_t>(hn::Lanes(half));
    StoreIndex(half, hn::PromoteTo(half, hn::LowerHalf(v)), base, to, count);
    StoreIndex(half, hn::PromoteTo(half, hn::UpperHalf(hn::Half<D>(), v)), base, to.From(n), count - n);
  } else if (to.is_wide) {
    int64_t* p = static_cast<int64_t*>(to.data);
    if constexpr (hn::MaxLanes(D()) == 1) {
      *p = hn::GetLane(v) + base;
    } else if constexpr (sizeof(L) == 8) {
      hn::StoreU(hn::Add(v, hn::Set(d, base)), d, p);
    } else if constexpr (hn::MaxLanes(D()) <= hn::MaxLanes(hn::ScalableTag<int64_t>())) {
      const hn::Rebind<int64_t, D> wide;
      hn::StoreU(hn::Add(hn::PromoteTo(wide, v), hn::Set(wide, base)), wide, p);
    } else {
      const hn::Repartition<int64_t, D> wide;
      const int64_t half = static_cast<int64_t>(hn::Lanes(wide));
      const auto offset = hn::Set(wide, base);
      hn::StoreU(hn::Add(hn::PromoteTo(wide, hn::LowerHalf(v)), offset), wide, p);
      if (count <= half) return;
      hn::StoreU(hn::Add(hn::PromoteTo(wide, hn::UpperHalf(hn::Half<D>(), v)), offset), wide, p + half);
    }
  } else {
    int32_t* p = static_cast<int32_t*>(to.data);
    if constexpr (sizeof(L) == 4) {
      hn::StoreU(hn::Add(v, hn::Set(d, static_cast<L>(base))), d, p);
    } else {
      const auto sum = hn::BitCast(hn::RebindToUnsigned<D>(), hn::Add(v, hn::Set(d, base)));
      const hn::Rebind<uint32_t, D> narrow;
      hn::StoreU(hn::TruncateTo(narrow, sum), narrow, reinterpret_cast<uint32_t*>(p));
    }
  }
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
