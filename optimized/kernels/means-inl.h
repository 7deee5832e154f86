// Elements as lanes in which sums are taken, and from sums to means, for one target. Conversions of f16 and bf16 give
// the same lanes on every target.
//
// Types of such a class: Stored is the element, Lane the type of the lanes. Few elements are added up as parts, which
// are quicker to load, and only their sum becomes lanes.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEANS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEANS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEANS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEANS_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "optimized/kernels/half.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/lanes-inl.h"
#include "optimized/kernels/rows.h"

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

// Traits of codecs that add up lanes.
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
  // Truncates. Lanes past the end of a row may be of any size: they become some integer, which nobody reads.
  template <class D, class V>
  static HWY_INLINE void Store(V v, [[maybe_unused]] D d, T* p) {
    const hn::Rebind<int32_t, D> di;
    if constexpr (sizeof(T) < 4) {
      const hn::Rebind<T, D> narrow;
      hn::StoreU(hn::DemoteTo(narrow, hn::DemoteTo(di, v)), narrow, p);
    } else if constexpr (std::is_signed_v<T>) {
      // Without Trunc emulated lanes take anything below -(2^31 - 1) for -2^31.
      hn::StoreU(hn::DemoteTo(di, hn::Trunc(v)), di, p);
    } else {
      const auto centred = hn::DemoteTo(di, hn::Sub(hn::Trunc(v), hn::Set(d, 0x1p31)));
      const auto bits = hn::Xor(centred, hn::Set(di, std::numeric_limits<int32_t>::min()));
      hn::StoreU(bits, di, reinterpret_cast<int32_t*>(p));
    }
  }
};

// Whether elements are floats, whose means are rounded; those of integers are divided.
template <class C>
inline constexpr bool kIsFloat =
    hwy::IsFloat<typename C::Stored>() || std::is_same_v<C, F16Mean> || std::is_same_v<C, BF16Mean>;

// How integers are divided.
struct Rounding {
  bool divide;      // by the number of taps; else multiplied by its reciprocal
  bool convergent;  // MLI's
};

// The quotient of lanes that hold sums, not yet truncated unless it is rounded in another way.
//
// Reciprocals are rounded once, the product once more. Of integers x with |x| < 2^21 (f64 lanes: 2^50) that
// gives the exact quotient, truncated: (|x| + 1/2) / n is at least 1/2n away from any integer, and the two
// roundings move it by less. Larger ones are divided.
template <bool kDivide, bool kConvergent, class D, class V>
HWY_INLINE V QuotientOf(D d, V sum, V factor) {
  using L = hn::TFromD<D>;
  V x = sum;
  if constexpr (kConvergent) {
    x = hn::Add(x, x);
    if constexpr (sizeof(L) == 8) x = hn::Min(hn::Max(x, hn::Set(d, -0x1p31)), hn::Set(d, 0x1p31 - 1));
  }
  V mean;
  if constexpr (kDivide) {
    mean = hn::Div(x, factor);
  } else {
    mean = hn::Mul(hn::Add(x, hn::CopySignToAbs(hn::Set(d, L{0.5}), x)), factor);
  }
  return kConvergent ? hn::Round(hn::Mul(hn::Trunc(mean), hn::Set(d, L{0.5}))) : mean;
}

// The same in lanes of 16 bits, truncated, for plans that HasShortSums. The factor is m = floor((2^16 - 1) / n):
// (|x| + 1) * m / 2^16, truncated, is the quotient |x| / n, truncated. The product is below (|x| + 1) / n, hence
// no larger; it is no less as long as the quotient q has q * n^2 + n <= 2^16.
template <bool kConvergent, class D, class V>
HWY_INLINE V ShortQuotientOf(D d, V sum, V factor) {
  const hn::RebindToUnsigned<D> du;
  V x = sum;
  if constexpr (kConvergent) x = hn::Add(x, x);
  const auto above = hn::BitCast(du, hn::Add(hn::Abs(x), hn::Set(d, int16_t{1})));
  const auto quotient = hn::BitCast(d, hn::MulHigh(above, hn::BitCast(du, factor)));
  const V sign = hn::ShiftRight<15>(x);
  const V mean = hn::Sub(hn::Xor(quotient, sign), sign);
  if constexpr (!kConvergent) return mean;
  // Half of it, to the even one where it is odd.
  return hn::ShiftRight<1>(hn::Add(mean, hn::And(hn::ShiftRight<1>(mean), hn::Set(d, int16_t{1}))));
}

// The bits of an integer below 2^32 as a number: in the last place of 2^52, it is 2^52 plus that integer.
template <class D, class VU>
HWY_INLINE hn::VFromD<D> NumberOf(D d, VU bits) {
  const auto base = hn::Set(d, 0x1p52);
  return hn::Sub(hn::BitCast(d, hn::Or(bits, hn::BitCast(hn::RebindToUnsigned<D>(), base))), base);
}

// sum / count, truncated, of integers of 64 bits: divided like two digits of 32 bits on paper, in f64 lanes. Exact for
// counts up to 2^kLongTapBits: then the digits' dividends x stay below 2^50, and of those floor((x + 1/2) * (1 /
// count)) is the exact quotient, see QuotientOf.
template <class DL, class VL>
HWY_INLINE VL LongQuotientOf(DL dl, VL sum, VL taps) {
  using L = hn::TFromD<DL>;
  const hn::RebindToFloat<DL> d;
  const hn::RebindToUnsigned<DL> du;
  using V = hn::Vec<decltype(d)>;
  constexpr bool kSigned = std::is_signed_v<L>;
  const auto bits = hn::Add(hn::BitCast(du, sum), hn::Set(du, kSigned ? uint64_t{1} << 63 : 0));
  const V count = NumberOf(d, hn::BitCast(du, taps)), half = hn::Set(d, 0.5);
  const V reciprocal = hn::Div(hn::Set(d, 1.0), count);
  const V high = hn::Sub(NumberOf(d, hn::ShiftRight<32>(bits)), hn::Set(d, kSigned ? 0x1p31 : 0));
  const V low = NumberOf(d, hn::And(bits, hn::Set(du, 0xFFFFFFFFu)));
  const V first = hn::Floor(hn::Mul(hn::Add(high, half), reciprocal));
  const V rest = hn::Add(hn::Mul(hn::Sub(high, hn::Mul(first, count)), hn::Set(d, 0x1p32)), low);
  const V second = hn::Floor(hn::Mul(hn::Add(rest, half), reciprocal));
  // As integers: added to 1.5 * 2^52, a small integer is in the last bits of the sum.
  const V magic = hn::Set(d, 0x1.8p52);
  const auto integer = [&](V v) HWY_ATTR {
    return hn::BitCast(dl, hn::Sub(hn::BitCast(du, hn::Add(v, magic)), hn::BitCast(du, magic)));
  };
  const VL floor = hn::Add(hn::ShiftLeft<32>(integer(first)), integer(second));
  if constexpr (!kSigned) return floor;
  // One more where it is negative and there is a remainder.
  const auto inexact = hn::Gt(hn::Sub(rest, hn::Mul(second, count)), hn::Zero(d));
  return hn::Add(floor, hn::And(integer(hn::IfThenElseZero(inexact, hn::Set(d, 1.0))),
                                hn::BitCast(dl, hn::ShiftRight<63>(hn::BitCast(du, floor)))));
}

// The mean of elements of C.
template <class C, bool kDivide, bool kConvergent, class D, class V>
HWY_INLINE V MeanOf(D d, V sum, V factor) {
  using L = hn::TFromD<D>;
  if constexpr (kIsFloat<C>) {
    // A sum of nothing but negative zeros is zero.
    return hn::Mul(hn::Add(sum, hn::Zero(d)), factor);
  } else if constexpr (sizeof(L) == 8 && !hwy::IsFloat<L>()) {
    return LongQuotientOf(d, sum, factor);
  } else if constexpr (sizeof(L) == 2) {
    return ShortQuotientOf<kConvergent>(d, sum, factor);
  } else {
    return QuotientOf<kDivide, kConvergent>(d, sum, factor);
  }
}

// Factor or divisor of a sum of this number of taps.
template <typename L>
L FactorOf(int64_t taps, Rounding rounding) {
  if constexpr (sizeof(L) == 2) {
    return static_cast<L>(65535 / taps);
  } else {
    // No float holds a given divisor of more than 24 bits.
    return rounding.divide ? static_cast<L>(taps) : static_cast<L>(1 / static_cast<double>(taps));
  }
}

// Reciprocals are good for sums of up to this many bits.
template <typename L>
inline constexpr int kExactBits = sizeof(L) == 8 ? 50 : 21;

template <typename L>
Rounding RoundingOf(const Plan& plan) {
  return {plan.quotient != Quotient::kNearest && SumBits(plan) > kExactBits<L>, plan.quotient == Quotient::kConvergent};
}

// Calls f(divide, convergent) with the two as constants, of elements of C.
template <class C, class F>
HWY_INLINE void WithRounding(Rounding rounding, const F& f) {
  using T = typename C::Stored;
  constexpr std::true_type kYes;
  constexpr std::false_type kNo;
  if constexpr (std::is_signed_v<T> && (hwy::IsFloat<T>() || sizeof(T) <= 2)) {
    if (rounding.convergent) return rounding.divide ? f(kYes, kYes) : f(kNo, kYes);
  }
  return rounding.divide ? f(kYes, kNo) : f(kNo, kNo);
}

// Rows of sums that become rows of means: `count` dense ones of `lanes` each, and room for a vector.
template <typename L>
struct Quotients {
  int64_t count, lanes;
  L* sums;
  const L* const* factors;  // of each row
  Rounding rounding;
  void* to;
  int64_t room;  // elements from `to` on that may be written, in the end by others
};

template <bool kDivide, bool kConvergent, class C, typename L = typename C::Lane>
HWY_NOINLINE uint32_t StoreMeansBy(const Quotients<L>& rows) {
  using T = typename C::Stored;
  const hn::ScalableTag<L> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = rows.lanes, padded = RoundUp(lanes, n);
  const L* sums = rows.sums;
  T* to = static_cast<T*>(rows.to);
  T last[kMaxLanes];
  // The last vector is divided as a whole, and no integer is what a NaN converts to.
  hn::StoreU(hn::Zero(d), d, rows.sums + rows.count * lanes);
  uint32_t bad_rows = 0;
  for (int64_t r = 0; r < rows.count; ++r, sums += lanes, to += lanes) {
    const L* factors = rows.factors[r];
    // Past the end of a row is the begin of the next one.
    const bool whole = r * lanes + padded <= rows.room;
    auto bad = hn::Zero(d);
    for (int64_t i = 0; i < lanes; i += n) {
      T* p = whole || i + n <= lanes ? to + i : last;
      const auto sum = hn::LoadU(d, sums + i), factor = hn::LoadU(d, factors + i);
      const auto mean = MeanOf<C, kDivide, kConvergent>(d, sum, factor);
      if constexpr (kIsFloat<C>) bad = hn::Or(bad, NotFinite(d, mean, lanes - i));
      C::Store(mean, d, p);
      if (p == last) std::memcpy(to + i, last, static_cast<size_t>(lanes - i) * sizeof(T));
    }
    if constexpr (kIsFloat<C>) bad_rows |= static_cast<uint32_t>(!hn::AllFalse(d, hn::IsNaN(bad))) << r;
  }
  return bad_rows;
}

// Returns a bit for each row with a mean that is not finite.
template <class C, typename L = typename C::Lane>
uint32_t StoreMeans(const Quotients<L>& rows) {
  uint32_t bad_rows = 0;
  WithRounding<C>(rows.rounding,
                  [&](auto divide, auto convergent) { bad_rows = StoreMeansBy<divide(), convergent(), C>(rows); });
  return bad_rows;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
