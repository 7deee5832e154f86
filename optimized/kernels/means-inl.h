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

#include "optimized/kernels/lanes-inl.h"
#include "optimized/kernels/quotient-inl.h"

// Targets with instructions for f16, which round to nearest even. Elsewhere Highway's conversions do not know of
// infinity, and the bits are moved here.
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

// Truncates lanes within the range of int32_t; what other lanes give does not matter. The DemoteTo of the
// targets without vectors compares with its limits in f32.
template <class DI, class V>
HWY_INLINE hn::VFromD<DI> TruncateToInt(DI di, V v) {
#if !POOLPROOF_HAS_VECTORS
  const hn::DFromV<V> d;
  double from[HWY_LANES(double)];
  int32_t to[HWY_LANES(double)];
  hn::StoreU(v, d, from);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    to[i] = from[i] > -0x1p31 - 1 && from[i] < 0x1p31 ? static_cast<int32_t>(from[i]) : 0;
  }
  return hn::LoadU(di, to);
#else
  return hn::DemoteTo(di, v);
#endif
}

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
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::PromoteTo(du, hn::LoadU(hn::Rebind<uint16_t, D>(), p));
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
    const auto sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
    // The exponent moves into place by a multiplication, which normalises subnormals as well.
    const auto finite = hn::BitCast(du, hn::Mul(hn::BitCast(d, hn::ShiftLeft<13>(magnitude)), hn::Set(d, 0x1p112f)));
    const auto special = hn::VecFromMask(du, hn::Gt(magnitude, hn::Set(du, 0x7BFFu)));
    const auto exponent = hn::And(special, hn::Set(du, 0x7F800000u));
    return hn::BitCast(d, hn::Or(hn::Or(finite, exponent), sign));
#endif
  }
  // |v| < 65520.
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, uint16_t* p) {
#if POOLPROOF_CONVERTS_F16
    (void)d;
    const hn::Rebind<hwy::float16_t, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, reinterpret_cast<hwy::float16_t*>(p));
#else
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(di, v);
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
    const auto sign =
        hn::And(hn::BitCast(di, hn::ShiftRight<16>(hn::BitCast(hn::RebindToUnsigned<D>(), v))), hn::Set(di, 0x8000));
    const auto even = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(di, 1));
    const auto normal = hn::ShiftRight<13>(hn::Add(hn::Sub(magnitude, hn::Set(di, (112 << 23) - 0xFFF)), even));
    // Added to 0.5, a subnormal is rounded into the last bits of the sum.
    const auto shifted = hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5f));
    const auto subnormal = hn::Sub(hn::BitCast(di, shifted), hn::Set(di, 0x3F000000));
    const auto half = hn::IfThenElse(hn::Lt(magnitude, hn::Set(di, 0x38800000)), subnormal, normal);
    const hn::Rebind<uint16_t, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::Or(half, sign)), narrow, p);
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
    const hn::Rebind<int32_t, D> di;
    if constexpr (sizeof(T) < 4) {
      const hn::Rebind<T, D> narrow;
      hn::StoreU(hn::DemoteTo(narrow, TruncateToInt(di, v)), narrow, p);
    } else if constexpr (std::is_signed_v<T>) {
      hn::StoreU(TruncateToInt(di, v), di, p);
    } else {
      const auto centred = TruncateToInt(di, hn::Sub(hn::Trunc(v), hn::Set(d, 0x1p31)));
      hn::StoreU(hn::Xor(centred, hn::Set(di, std::numeric_limits<int32_t>::min())), di, reinterpret_cast<int32_t*>(p));
    }
  }
};

// Whether elements are floats, whose means are rounded; those of integers are divided.
template <class C>
inline constexpr bool kIsFloat =
    hwy::IsFloat<typename C::Stored>() || std::is_same_v<C, F16Mean> || std::is_same_v<C, BF16Mean>;

// A codec that gives lanes at once.
template <class C>
struct ByLanes : C {
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const typename C::Stored* p) {
    return C::FromPart(d, C::LoadPart(typename C::template PartTag<D>(), p));
  }
};

// Whether the sums of all windows of output row (d, h) of a plane fit in an integer of 64 bits. Their high bits are
// summed down each column first, which leaves few sums along the row. columns: room for a row.
template <typename T>
bool SumsFit(const Plan& plan, const T* in, int64_t d, int64_t h, T* columns) {
  const int shift = SumBits(plan) - 8 * static_cast<int>(sizeof(T)) + 1;  // after which sums fit for certain
  const Span deep = plan.axis[0].SpanAt(d), high = plan.axis[1].SpanAt(h);
  const int64_t width = plan.axis[2].in;
  std::fill_n(columns, width, T{0});
  for (int64_t t = 0; t < deep.taps * high.taps; ++t) {
    const T* const row = in + ((deep.first + t / high.taps) * plan.axis[1].in + high.first + t % high.taps) * width;
    for (int64_t i = 0; i < width; ++i) columns[i] = static_cast<T>(columns[i] + (row[i] >> shift));
  }
  const T most = std::numeric_limits<T>::max() >> shift, least = std::numeric_limits<T>::lowest() >> shift;
  bool fit = true;
  for (int64_t w = 0; w < plan.axis[2].out; ++w) {
    const Span wide = plan.axis[2].SpanAt(w);
    // What was shifted out is less than 1 for each tap.
    T sum = 0;
    for (int64_t i = wide.first; i < wide.first + wide.taps; ++i) sum = static_cast<T>(sum + columns[i]);
    fit &= sum >= least && sum <= most - static_cast<T>(deep.taps * high.taps * wide.taps);
  }
  return fit;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
