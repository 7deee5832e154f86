// The rows of a window become one, for one target: vectors along the row, each element read once. Of the rows of
// several windows, and of several planes, at a time.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_FOLD_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_FOLD_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_FOLD_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "optimized/kernels/reducers-inl.h"
#include "optimized/kernels/shared-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

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

template <class F, class V>
struct Joined {
  V value;
  HWY_INLINE void Join(const Joined& other) { value = F::Join(value, other.value); }
};

// Rows that share taps, of which each begins `shift` behind the one before, four at a time; the last ones overlap those
// before. Taps are equally far apart.
template <FoldTo kTo, class F>
HWY_NOINLINE uint32_t FoldSharedRows(const F f, const FoldJob<typename F::Lane>& fold, int64_t shift) {
  const hn::ScalableTag<typename F::Lane> d;
  const typename F::template PartTag<decltype(d)> parts;
  using Best = Joined<F, hn::Vec<decltype(parts)>>;
  constexpr int64_t kTogether = 4;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = fold.lanes, apart = fold.step / shift;
  uint32_t planes = 0;
  for (int64_t p = 0; p < fold.planes; ++p) {
    const auto* const plane = static_cast<const typename F::Stored*>(fold.taps[0]) + p * fold.plane;
    Watch<F, decltype(d)> watch(f);
    for (int64_t r = 0; r < fold.rows; r += kTogether) {
      const int64_t row = std::min(r, fold.rows - kTogether);
      auto* const to = fold.to + p * fold.plane_pitch + row * fold.pitch;
      for (int64_t i = 0; i < lanes; i += n) {
        const auto* tap = plane + row * fold.step + i;
        auto seen = hn::Zero(parts), first = seen;
        const auto next = [&]() HWY_ATTR {
          const auto v = f.Load(parts, tap);
          seen = watch.Join(seen, v);
          tap += apart;
          return Best{v};
        };
        const auto store = [&](int64_t k, const Best& best) HWY_ATTR {
          // The first window and the last one have all taps.
          if (k == 0) first = best.value;
          if (k == kTogether - 1) watch.See(seen, F::Join(first, best.value));
          const auto v = F::Done(d, best.value);
          if (kTo == FoldTo::kPadded || i + n <= lanes) return hn::StoreU(v, d, to + k * fold.pitch + i);
          hn::BlendedStore(v, hn::FirstN(d, static_cast<size_t>(lanes - i)), d, to + k * fold.pitch + i);
        };
        if (shift == 1) {
          JoinFour<Best, 1>(fold.count, 1, next, store);
        } else {
          JoinFour<Best, 0>(fold.count, shift, next, store);
        }
      }
      for (int64_t k = 0; kTo == FoldTo::kPadded && k < kTogether; ++k) {
        hn::StoreU(hn::Set(d, f.Identity()), d, to + k * fold.pitch + lanes);
      }
    }
    if (F::kWatches && watch.Suspicious()) planes |= uint32_t{1} << p;
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

// shift: SharedShift of the taps, 0 if they are of several slices.
template <FoldTo kTo, class F>
HWY_INLINE uint32_t FoldRows(const F& f, const FoldJob<typename F::Lane>& fold, [[maybe_unused]] int64_t shift = 0) {
  if (fold.count == 0) return FoldNothing(fold, f.Identity());
  if constexpr (kTo == FoldTo::kDense || (kTo == FoldTo::kPadded && !F::kSums)) {
    if (shift > 0 && fold.rows >= 4 && fold.count > 3 * shift) return FoldSharedRows<kTo>(f, fold, shift);
  }
  return WithTaps(fold.count, [&](auto taps) { return FoldRowsOf<taps(), kTo>(f, fold); });
}
template <class F>
uint32_t FoldRows(const F& f, const FoldJob<typename F::Lane>& fold, FoldTo to, int64_t shift = 0) {
  if (to == FoldTo::kSplit) return FoldRows<FoldTo::kSplit>(f, fold);
  if constexpr (!F::kSums ||
                (hwy::IsFloat<typename F::Lane>() && std::is_same_v<typename F::Lane, typename F::Stored>)) {
    if (to == FoldTo::kPairs) return FoldRows<FoldTo::kPairs>(f, fold);
  }
  return FoldRows<FoldTo::kPadded>(f, fold, shift);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
