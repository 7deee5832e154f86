// Reductions of elements to one: maxima or sums, and whether one may have been NaN, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_REDUCERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_REDUCERS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_REDUCERS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_REDUCERS_INL_H_
#endif

#include <cmath>
#include <limits>
#include <type_traits>

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/types.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Sees the elements of which a maximum is taken, a few of them joined at a time, of which Of takes the first, and the
// maximum, and says whether an element may have been NaN, never no where one was. A sum of magnitudes keeps every NaN,
// and gets none of opposite infinities; in keys of halves (HalfCode), NaN lies above +infinity or below -infinity.
template <class F, class D>
struct Watch {
  using V = hn::Vec<D>;
  static constexpr bool kFloats = hwy::IsFloat<hn::TFromD<D>>();
  static constexpr bool kSum = F::kWatches && kFloats, kKeys = F::kWatches && !kFloats, kMeans = F::kSums && kFloats;
  typename F::Stored infinity;
  V low, high;
  explicit HWY_INLINE Watch(const F& f) : infinity(f.infinity), low(hn::Zero(D())), high(hn::Zero(D())) {}
  template <class W>
  static HWY_INLINE W Of(W v) {
    if constexpr (kSum) return hn::Abs(v);
    return v;
  }
  template <class W>
  static HWY_INLINE W Join(W a, W b) {
    if constexpr (kSum) return hn::Add(a, hn::Abs(b));
    if constexpr (kKeys) return hn::Min(a, b);
    return b;
  }
  template <class W>
  HWY_INLINE void See([[maybe_unused]] W joined, [[maybe_unused]] W maximum) {
    if constexpr (kSum) low = hn::Add(low, joined);
    if constexpr (kKeys) low = hn::Min(low, joined), high = hn::Max(high, maximum);
  }
  // A result: whether it is finite, of means.
  HWY_INLINE void SeeResult([[maybe_unused]] V result) {
    if constexpr (kMeans) low = hn::Or(low, hn::Sub(result, result));
  }
  HWY_INLINE bool Suspicious() const {
    const D d;
    if constexpr (kSum || kMeans) return !hn::AllFalse(d, hn::IsNaN(low));
    if constexpr (kKeys) {
      const auto below = hn::Lt(low, hn::Set(d, static_cast<int16_t>(~infinity)));
      return !hn::AllFalse(d, hn::Or(hn::Gt(high, hn::Set(d, infinity)), below));
    }
    return false;
  }
};

// Maxima of elements T that CC makes lanes L of. kPositions: with where they are.
template <typename T, typename L, class CC, bool kPositions>
struct MaxFold {
  using B = std::conditional_t<kPositions, Pair<L, T, std::is_same_v<CC, HalfCode>>, Single<MaxFold>>;
  using Code = CC;
  using Stored = T;
  using Lane = L;
  template <class D>
  using PartTag = D;
  static constexpr bool kSums = false;
  static constexpr bool kWatches = hwy::IsFloat<L>() || std::is_same_v<CC, HalfCode>;
  static constexpr bool kWidens = sizeof(Stored) < sizeof(Lane);

  Stored code = 0;      // of Code
  Stored infinity = 0;  // of halves, its bits; 0 where no element is NaN

  template <class V>
  HWY_INLINE V Enter(V v) const {
    return Code::Enter(v, code);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D, const Stored* p) const {
    return ToLanes<hn::TFromD<D>>(Enter(LoadOnce(hn::Rebind<Stored, D>(), p)));
  }
  // Elements that were entered.
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadEntered(D, const Stored* p) {
    return ToLanes<hn::TFromD<D>>(hn::LoadU(hn::Rebind<Stored, D>(), p));
  }
  // Loads two vectors that follow each other: elements at even places, and those at odd ones.
  template <class D, class V>
  HWY_INLINE void LoadBoth(D d, const Stored* p, V& even, V& odd) const {
    if constexpr (kWidens) {
      // Bytes, two of which are where one lane is, so that to split them needs no shuffle.
      const auto pairs = hn::BitCast(d, Enter(hn::LoadU(hn::Repartition<Stored, D>(), p)));
      even = hn::ShiftRight<8>(hn::ShiftLeft<8>(pairs));
      odd = hn::ShiftRight<8>(pairs);
    } else {
      Split(d, Load(d, p), Load(d, p + hn::Lanes(d)), even, odd);
    }
  }
  template <class D, class V>
  HWY_INLINE void Store(D, V v, Stored* p) const {
    hn::StoreU(Code::Leave(ToElements<Stored>(v), code), hn::Rebind<Stored, D>(), p);
  }
  template <class D, class V>
  static HWY_INLINE V Done(D, V v) {
    return v;
  }
  template <class V>
  HWY_INLINE V Leave(V v, Lane) const {
    return Code::Leave(v, code);
  }
  template <class V>
  static HWY_INLINE V Join(V a, V b) {
    return MaxOf(a, b);
  }
  // Value of windows without taps, before Leave; it is no NaN.
  static Lane None() { return IdentityOfMax<Lane>(); }
  Lane Identity() const {
    if constexpr (std::is_same_v<Code, HalfCode>) return static_cast<Lane>(~infinity);
    return None();
  }
  bool IsNan(Stored x) const {
    if constexpr (hwy::IsFloat<Lane>()) {
      return std::isnan(x);
    } else {
      return kWatches && (x & std::numeric_limits<Stored>::max()) > infinity;
    }
  }
};

struct NoPositions {};
template <typename T, typename P>
using LaneBeside = std::conditional_t<(sizeof(T) < sizeof(P)), P, T>;

// Calls f(fold) with the MaxFold of elements of `type`: unsigned integers become signed ones of the same order. P:
// NoPositions, or the integer that has them, where elements are not larger.
template <typename P, class F>
void WithMaxFold(poolproof_element_type type, const F& f) {
  constexpr bool kPositions = !std::is_same_v<P, NoPositions>;
  ForType(type, [&](auto element) {
    using T = decltype(element);
    if constexpr (std::is_class_v<T>) {
      const int16_t infinity = std::is_same_v<T, F16> ? 0x7C00 : 0x7F80;
      const int16_t lowest = static_cast<int16_t>(~infinity);  // the key of -infinity
      f(MaxFold<int16_t, LaneBeside<int16_t, P>, HalfCode, kPositions>{lowest, infinity});
    } else if constexpr (std::is_floating_point_v<T>) {
      f(MaxFold<T, T, SignCode, kPositions>{0, std::numeric_limits<T>::infinity()});
    } else {
      using S = hwy::MakeSigned<T>;
      f(MaxFold<S, LaneBeside<S, P>, SignCode, kPositions>{std::is_signed_v<T> ? S{0}
                                                                               : std::numeric_limits<S>::lowest()});
    }
  });
}

// Sums of elements that C makes lanes of (means-inl.h).
template <class C>
struct SumFold {
  using B = Single<SumFold>;
  using Stored = typename C::Stored;
  using Lane = typename C::Lane;
  template <class D>
  using PartTag = typename C::template PartTag<D>;
  static constexpr bool kSums = true;
  static constexpr bool kWatches = false;
  Stored infinity = 0;  // nothing is watched

  template <class V>
  static HWY_INLINE V Enter(V v) {
    return v;
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const Stored* p) const {
    return C::LoadPart(d, p);
  }
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadEntered(D d, const Stored* p) {
    return C::FromPart(d, C::LoadPart(PartTag<D>(), p));
  }
  // factor: what they are multiplied with.
  template <class V>
  static HWY_INLINE V Leave(V v, Lane factor) {
    return hn::Mul(v, hn::Set(hn::DFromV<V>(), factor));
  }
  template <class V>
  static HWY_INLINE V Join(V a, V b) {
    return hn::Add(a, b);
  }
  template <class D, class V>
  static HWY_INLINE hn::VFromD<D> Done(D d, V v) {
    return C::FromPart(d, v);
  }
  static Lane None() { return Lane{0}; }
  static Lane Identity() { return Lane{0}; }
  static bool IsNan(Stored) { return false; }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
