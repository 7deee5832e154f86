// The rows of a window become one, for one target: vectors along the row, each element read once. Of the rows of
// several windows, and of several planes, at a time.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_FOLD_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_FOLD_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_FOLD_INL_H_
#endif

#include <algorithm>
#include <cmath>
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
  // Of two vectors that follow each other, elements at even places and those at odd ones.
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
  // Of windows without taps, before Leave; and what is no NaN.
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

// Whether the rows of a window have a NaN among their `columns` elements, from `plane` on. Without a way out before the
// end of a row, since so it takes whole vectors.
template <class F>
HWY_NOINLINE bool WindowHasNan(const F& f, const Plan& plan, Span deep, Span high, const typename F::Stored* plane,
                               int64_t columns) {
  const int64_t pitch = plan.axis[2].in * plan.inner;
  bool nan = false;
  ForWindowRows(plan, deep, high, [&](int64_t row) HWY_ATTR {
    for (int64_t i = 0; i < columns; ++i) nan |= f.IsNan(plane[row * pitch + i]);
  });
  return nan;
}

// Rows to be folded: to[p * plane_pitch + r * pitch + i] is the join over t < count of element p * plane + r * step + i
// of taps[t], for p < planes, r < rows and i < lanes. Whole vectors are read and written, the rows in order.
template <typename L>
struct FoldJob {
  const void* const* taps;
  int64_t count;
  int64_t rows, step;
  int64_t lanes;
  L* to;
  int64_t pitch;
  L* odd = nullptr;  // where elements at odd places go, if they are apart
  L factor = 0;      // of FoldTo::kPairs
  int64_t planes = 1, plane = 0, plane_pitch = 0;
};

// A vector: element `from` of each tap and those behind it. kTaps: 0 for any number, which then is `count`.
template <int kTaps, class F, class D, class W>
HWY_INLINE hn::Vec<D> FoldVector(const F& f, D d, const void* const* taps, int64_t count, int64_t from, W& watch) {
  const typename F::template PartTag<D> parts;
  const auto load = [&](int64_t t)
                        HWY_ATTR { return f.Load(parts, static_cast<const typename F::Stored*>(taps[t]) + from); };
  auto best = load(0);
  auto seen = watch.Of(best);
  int64_t t = 1;
  if constexpr (kTaps == 0) {
    // Two at a time, since each waits for what it was before.
    auto other = load(1);
    seen = watch.Join(seen, other);
    for (t = 2; t + 1 < count; t += 2) {
      const auto next = load(t), after = load(t + 1);
      seen = watch.Join(watch.Join(seen, next), after);
      best = F::Join(best, next);
      other = F::Join(other, after);
    }
    best = F::Join(best, other);
  }
  for (const int64_t end = kTaps > 0 ? kTaps : count; t < end; ++t) {
    const auto next = load(t);
    seen = watch.Join(seen, next);
    best = F::Join(best, next);
  }
  watch.See(seen, best);
  return F::Done(d, best);
}

// Where rows go.
enum class FoldTo : uint8_t {
  kDense,   // nothing is kept of what is behind a row
  kPadded,  // behind each row is a vector of the identity
  kSplit,   // the same, with elements at even places and those at odd ones apart
  kPairs,   // as results: each joins two neighbours, so twice as many lanes are read
};

// Stores a vector of lanes, or of results, at `to`.
template <int kTaps, FoldTo kTo, class F, class D, class W>
HWY_INLINE void FoldPiece(const F& f, D d, const FoldJob<hn::TFromD<D>>& fold, const void* const* taps, int64_t from,
                          hn::TFromD<D>* to, W& watch) {
  auto low = FoldVector<kTaps>(f, d, taps, fold.count, from, watch);
  if constexpr (kTo == FoldTo::kPairs) {
    auto high = FoldVector<kTaps>(f, d, taps, fold.count, from + static_cast<int64_t>(hn::Lanes(d)), watch);
    Split(d, low, high, low, high);
    low = f.Leave(F::Join(low, high), fold.factor);
    watch.SeeResult(low);
  }
  hn::StoreU(low, d, to);
}

// A row, of which elements at odd places go to `odd`.
template <int kTaps, class F, class D, class W>
HWY_INLINE void FoldSplit(const F& f, D d, const FoldJob<hn::TFromD<D>>& fold, const void* const* taps, int64_t from,
                          hn::TFromD<D>* to, hn::TFromD<D>* odd, W& watch) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const auto identity = hn::Set(d, f.Identity());
  for (int64_t i = 0; i < fold.lanes; i += 2 * n) {
    const auto low = FoldVector<kTaps>(f, d, taps, fold.count, from + i, watch);
    auto high = low;
    if (i + n < fold.lanes) high = FoldVector<kTaps>(f, d, taps, fold.count, from + i + n, watch);
    auto first = low, second = low;
    Split(d, low, high, first, second);
    hn::StoreU(first, d, to + i / 2);
    hn::StoreU(second, d, odd + i / 2);
  }
  hn::StoreU(identity, d, to + (fold.lanes + 1) / 2);
  hn::StoreU(identity, d, odd + fold.lanes / 2);
}

// A bit for each plane that may have a NaN, if F watches, or a mean that is not finite.
template <int kTaps, FoldTo kTo, class F>
HWY_NOINLINE uint32_t FoldRowsOf(const F f, const FoldJob<typename F::Lane>& all) {
  using L = typename F::Lane;
  const hn::ScalableTag<L> d;
  const hn::Half<decltype(d)> half;  // for what is left of a row, where that is enough
  FoldJob<L> fold = all;
  if (kTo == FoldTo::kDense && fold.step == fold.lanes && fold.pitch == fold.lanes) {
    // Rows that follow each other in both places are one.
    fold.lanes *= fold.rows;
    fold.rows = 1;
  }
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = fold.lanes, whole = lanes / n * n;
  const bool rest = whole < lanes, few = rest && lanes - whole <= static_cast<int64_t>(hn::Lanes(half));
  // Stores of vectors may change what is in memory, also pointers, as far as the compiler knows.
  const void* known[std::max(kTaps, 1)];
  for (int t = 0; t < kTaps; ++t) known[t] = fold.taps[t];
  const void* const* const taps = kTaps > 0 ? known : fold.taps;
  uint32_t planes = 0;
  for (int64_t p = 0; p < fold.planes; ++p) {
    L *to = fold.to + p * fold.plane_pitch, *odd = fold.odd;
    int64_t from = p * fold.plane;
    Watch<F, decltype(d)> watch(f);
    Watch<F, decltype(half)> few_watch(f);
    for (int64_t r = 0; r < fold.rows; ++r, to += fold.pitch, from += fold.step) {
      if constexpr (kTo == FoldTo::kSplit) {
        FoldSplit<kTaps>(f, d, fold, taps, from, to, odd + r * fold.pitch, watch);
        continue;
      }
      const int64_t last = from + (kTo == FoldTo::kPairs ? 2 * whole : whole);
      for (int64_t i = 0; i < whole; i += n) {
        FoldPiece<kTaps, kTo>(f, d, fold, taps, from + (kTo == FoldTo::kPairs ? 2 * i : i), to + i, watch);
      }
      if (few) FoldPiece<kTaps, kTo>(f, half, fold, taps, last, to + whole, few_watch);
      if (rest && !few) FoldPiece<kTaps, kTo>(f, d, fold, taps, last, to + whole, watch);
      if constexpr (kTo == FoldTo::kPadded) hn::StoreU(hn::Set(d, f.Identity()), d, to + lanes);
    }
    if ((F::kWatches || kTo == FoldTo::kPairs) && (watch.Suspicious() || few_watch.Suspicious()))
      planes |= uint32_t{1} << p;
  }
  return planes;
}

// Where windows have no rows.
template <typename L>
HWY_NOINLINE uint32_t FoldNothing(const FoldJob<L>& fold, L identity) {
  for (int64_t p = 0; p < fold.planes; ++p) {
    for (int64_t r = 0; r < fold.rows; ++r) {
      const int64_t at = p * fold.plane_pitch + r * fold.pitch, odds = fold.odd == nullptr ? 0 : fold.lanes / 2;
      std::fill_n(fold.to + at, fold.lanes - odds, identity);
      if (odds > 0) std::fill_n(fold.odd + at, odds, identity);
    }
  }
  return 0;
}

template <FoldTo kTo, class F>
HWY_INLINE uint32_t FoldRows(const F& f, const FoldJob<typename F::Lane>& fold) {
  if (fold.count == 0) return FoldNothing(fold, f.Identity());
  return WithTaps(fold.count, [&](auto taps) { return FoldRowsOf<taps(), kTo>(f, fold); });
}
template <class F>
uint32_t FoldRows(const F& f, const FoldJob<typename F::Lane>& fold, FoldTo to) {
  if (to == FoldTo::kSplit) return FoldRows<FoldTo::kSplit>(f, fold);
  if constexpr (!F::kSums ||
                (hwy::IsFloat<typename F::Lane>() && std::is_same_v<typename F::Lane, typename F::Stored>)) {
    if (to == FoldTo::kPairs) return FoldRows<FoldTo::kPairs>(f, fold);
  }
  return FoldRows<FoldTo::kPadded>(f, fold);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
