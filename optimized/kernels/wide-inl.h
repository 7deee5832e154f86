// Elements as lanes of 32 or 64 bits that hold every value, its order and equality: for kernels that
// keep a position beside the value. For one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_WIDE_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_WIDE_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_WIDE_INL_H_
#endif

#include "optimized/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// f32, f64, i32, i64.
template <typename T>
struct Same {
  using Stored = T;
  using Lane = T;
  static constexpr bool kHasNan = hwy::IsFloat<T>();
  static constexpr bool kStoredAsLane = true;
  static constexpr Lane kIdentity = IdentityOfMax<T>();
  static bool IsNanLane(Lane x) { return x != x; }

  template <class V>
  static HWY_INLINE auto IsNaN(V v) {
    return hn::IsNaN(v);
  }

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const T* p) {
    return hn::LoadU(d, p);
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, T* p) {
    hn::StoreU(v, d, p);
  }
};

// u32, u64: the sign bit flipped gives signed integers of the same order.
template <typename T>
struct Unsigned {
  using Stored = hwy::MakeSigned<T>;
  using Lane = hwy::MakeSigned<T>;
  static constexpr bool kHasNan = false;
  static constexpr bool kStoredAsLane = false;
  static constexpr Lane kIdentity = std::numeric_limits<Lane>::lowest();

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Lane* p) {
    return hn::Xor(hn::LoadU(d, p), hn::Set(d, kIdentity));
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, Lane* p) {
    hn::StoreU(hn::Xor(v, hn::Set(d, kIdentity)), d, p);
  }
};

// i8, u8, i16, u16 in 32-bit lanes.
template <typename T>
struct Promoted {
  using Stored = T;
  using Lane = int32_t;
  static constexpr bool kHasNan = false;
  static constexpr bool kStoredAsLane = false;
  static constexpr Lane kIdentity = std::numeric_limits<T>::lowest();

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
// zeros are equal, and the way back is exact.
template <int16_t kInfinity>
struct HalfOrder {
  using Stored = int16_t;
  using Lane = float;
  static constexpr bool kHasNan = true;
  static constexpr bool kStoredAsLane = false;
  static constexpr Lane kIdentity = -static_cast<float>(kInfinity);
  static bool IsNanLane(Lane x) { return x > -kIdentity || x < kIdentity; }

  template <class V>
  static HWY_INLINE auto IsNaN(V v) {
    return hn::Gt(hn::Abs(v), hn::Set(hn::DFromV<V>(), -kIdentity));
  }

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const int16_t* p) {
    const hn::RebindToSigned<D> di;
    const auto bits = hn::PromoteTo(di, hn::LoadU(hn::Rebind<int16_t, D>(), p));
    const auto magnitude = hn::ConvertTo(d, hn::And(bits, hn::Set(di, 0x7FFF)));
    return hn::Or(magnitude, hn::And(hn::BitCast(d, bits), hn::SignBit(d)));
  }
  // Lanes past the end may hold anything, which not every target converts.
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, int16_t* p) {
    const hn::RebindToSigned<D> di;
    const hn::Rebind<int16_t, D> narrow;
    const auto known = hn::Le(hn::Abs(v), hn::Set(d, 32767.0f));
    const auto magnitude = hn::ConvertTo(di, hn::IfThenElseZero(known, hn::Abs(v)));
    const auto sign = hn::And(hn::ShiftRight<16>(hn::BitCast(di, v)), hn::Set(di, -0x8000));
    hn::StoreU(hn::DemoteTo(narrow, hn::Or(magnitude, sign)), narrow, p);
  }
};

// Stores `v` + base as T, int32_t or int64_t; only the first `count` lanes matter. V has lanes of 32 or
// 64 bits.
template <class D, class V, typename T>
HWY_INLINE void StoreIndex(D d, V v, int64_t base, T* p, [[maybe_unused]] int64_t count) {
  using L = hn::TFromD<D>;
  if constexpr (sizeof(T) == sizeof(L)) {
    hn::StoreU(hn::Add(v, hn::Set(d, static_cast<L>(base))), d, p);
  } else if constexpr (sizeof(T) < sizeof(L)) {
    const auto sum = hn::BitCast(hn::RebindToUnsigned<D>(), hn::Add(v, hn::Set(d, base)));
    const hn::Rebind<uint32_t, D> narrow;
    hn::StoreU(hn::TruncateTo(narrow, sum), narrow, reinterpret_cast<uint32_t*>(p));
  } else {
#if HWY_TARGET == HWY_SCALAR
    *p = hn::GetLane(v) + base;
#else
    const hn::Repartition<int64_t, D> wide;
    const int64_t half = static_cast<int64_t>(hn::Lanes(wide));
    const auto offset = hn::Set(wide, base);
    hn::StoreU(hn::Add(hn::PromoteTo(wide, hn::LowerHalf(v)), offset), wide, p);
    if (count <= half) return;
    hn::StoreU(hn::Add(hn::PromoteTo(wide, hn::UpperHalf(hn::Half<D>(), v)), offset), wide, p + half);
#endif
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
