// Elements as lanes in which sums are taken, for one target. Conversions of f16 and bf16 give the same lanes on
// every target.
//
// Of a class: Stored is the element, Lane the type of the lanes. Few elements are added up as parts, which are
// quicker to load, and only their sum becomes lanes.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEANS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEANS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEANS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEANS_INL_H_
#endif

#include "optimized/kernels/half.h"
#include "optimized/kernels/lanes-inl.h"

// Targets with instructions for f16, which round to nearest even. Elsewhere Highway's conversions do not know of
// infinity, and elements are converted one by one.
#undef POOLPROOF_CONVERTS_F16
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_F16C)
#define POOLPROOF_CONVERTS_F16 1
#else
#define POOLPROOF_CONVERTS_F16 0
#endif

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Of codecs that add up lanes.
struct LanesAsParts {
  template <class D>
  using PartTag = D;
  template <class D, class V>
  static HWY_INLINE V FromPart(D, V v) {
    return v;
  }
};

// f32, f64, and integers of 64 bits as long as their sums have no more.
template <typename T>
struct FloatMean : LanesAsParts {
  using Stored = T;
  using Lane = T;

  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadPart(D d, const T* p) {
    return hn::LoadU(d, p);
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, T* p) {
    hn::StoreU(v, d, p);
  }
};

struct BF16Mean : LanesAsParts {
  using Stored = uint16_t;
  using Lane = float;

  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadPart(D d, const uint16_t* p) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::PromoteTo(du, hn::LoadU(hn::Rebind<uint16_t, D>(), p));
    return hn::BitCast(d, hn::ShiftLeft<16>(bits));
  }
  // `v` is finite.
  template <class D, class V>
  static HWY_INLINE void Store(V v, D, uint16_t* p) {
    const hn::RebindToSigned<D> di;
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, v);
    const auto even = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    const auto rounded = hn::Add(hn::Add(bits, hn::Set(du, 0x7FFFu)), even);
    const hn::Rebind<uint16_t, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(di, hn::ShiftRight<16>(rounded))), narrow, p);
  }
};

struct F16Mean : LanesAsParts {
  using Stored = uint16_t;
  using Lane = float;

  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadPart(D d, const uint16_t* p) {
#if POOLPROOF_CONVERTS_F16
    const hn::Rebind<hwy::float16_t, D> narrow;
    return hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(p)));
#else
    float lanes[HWY_LANES(float)];
    for (size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = ToFloat(F16{p[i]});
    return hn::LoadU(d, lanes);
#endif
  }
  // |v| < 65520.
  template <class D, class V>
  static HWY_INLINE void Store(V v, [[maybe_unused]] D d, uint16_t* p) {
#if POOLPROOF_CONVERTS_F16
    const hn::Rebind<hwy::float16_t, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, reinterpret_cast<hwy::float16_t*>(p));
#else
    float lanes[HWY_LANES(float)];
    hn::StoreU(v, d, lanes);
    for (size_t i = 0; i < hn::Lanes(d); ++i) p[i] = ToF16(lanes[i]).bits;
#endif
  }
};

// Integers of 8 and 16 bits in f32 lanes. Exact as long as sums stay below 2^24, and then the quotient,
// truncated, is the exact one.
template <typename T>
struct SmallMean {
  using Stored = T;
  using Lane = float;
  template <class D>
  using PartTag = hn::Rebind<int32_t, D>;

  template <class DI>
  static HWY_INLINE hn::VFromD<DI> LoadPart(DI di, const T* p) {
    return hn::PromoteTo(di, hn::LoadU(hn::Rebind<T, DI>(), p));
  }
  template <class D, class VI>
  static HWY_INLINE hn::VFromD<D> FromPart(D d, VI v) {
    return hn::ConvertTo(d, v);
  }
  // Truncates.
  template <class D, class V>
  static HWY_INLINE void Store(V v, D, T* p) {
    const hn::Rebind<T, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::ConvertTo(hn::Rebind<int32_t, D>(), v)), narrow, p);
  }
};

// Integers of 8 bits in lanes of 16, which must hold their sums.
template <typename T>
struct ByteMean : LanesAsParts {
  using Stored = T;
  using Lane = int16_t;

  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadPart(D d, const T* p) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), p));
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D, T* p) {
    const hn::Rebind<T, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, p);
  }
};

// Integers of 8 to 32 bits in f64 lanes, which hold sums below 2^53.
template <typename T>
struct WideMean : LanesAsParts {
  using Stored = T;
  using Lane = double;

  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadPart(D d, const T* p) {
    const hn::Rebind<int32_t, D> di;
    if constexpr (sizeof(T) < 4) {
      return hn::PromoteTo(d, hn::PromoteTo(di, hn::LoadU(hn::Rebind<T, D>(), p)));
    } else if constexpr (std::is_signed_v<T>) {
      return hn::PromoteTo(d, hn::LoadU(di, p));
    } else {
      const auto bits = hn::LoadU(di, reinterpret_cast<const int32_t*>(p));
      const auto centred = hn::Xor(bits, hn::Set(di, std::numeric_limits<int32_t>::min()));
      return hn::Add(hn::PromoteTo(d, centred), hn::Set(d, 0x1p31));
    }
  }
  // Truncates.
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, T* p) {
    double lanes[HWY_LANES(double)];
    hn::StoreU(v, d, lanes);
    for (size_t i = 0; i < hn::Lanes(d); ++i) p[i] = static_cast<T>(lanes[i]);
  }
};

// Whether elements are floats, whose means are rounded; those of integers are divided.
template <class C>
inline constexpr bool kIsFloat =
    hwy::IsFloat<typename C::Stored>() || std::is_same_v<C, F16Mean> || std::is_same_v<C, BF16Mean>;

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
