// Windows that are pooled in registers, from rows of the tensor to rows of the output, for one target: of pairs that do
// not overlap, and of two or three neighbours, one apart. No step goes through memory.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_DIRECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_DIRECT_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_DIRECT_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_DIRECT_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "optimized/kernels/fold-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Output rows that follow each other.
template <typename L>
struct DirectRows {
  int64_t rows;
  int64_t lanes;            // of an output row
  const L* const* factors;  // of each output row, for means
  L* to;
};

// Elements R::Fold::Stored, which are lanes; R: what becomes of them (max_rows.cc, mean_rows.cc). Whether there may be
// a bad row: an element that may be NaN, or a mean that is not finite.
template <class R, class D>
struct DirectWatch {
  using V = hn::Vec<D>;
  typename R::Fold::template Watch<D> elements;
  V means;
  explicit HWY_INLINE DirectWatch(const R& r) : elements(r.fold.infinity), means(hn::Zero(D())) {}
  HWY_INLINE void See(V joined, V best, V result) {
    elements.See(joined, best);
    if constexpr (R::kFactors) means = hn::Or(means, hn::Sub(result, result));
  }
  HWY_INLINE bool Suspicious() const {
    if constexpr (R::kFactors) return !hn::AllFalse(D(), hn::IsNaN(means));
    return elements.Suspicious();
  }
};

// Windows of two elements, two apart, without padding, over `count` rows that begin at taps[t], `step` further on for
// each output row.
template <class R>
class Pairs {
 public:
  using F = typename R::Fold;
  using L = typename R::L;
  using D = hn::ScalableTag<L>;

  static bool Has(int64_t count) { return count == 1 || count == 2 || count == 4; }
  static bool Pool(const R& r, const DirectRows<L>& out, const void* const* taps, int64_t count, int64_t step) {
    switch (count) {
      case 1: return PoolOf<1>(r, out, taps, step);
      case 2: return PoolOf<2>(r, out, taps, step);
      default: return PoolOf<4>(r, out, taps, step);
    }
  }

 private:
  template <int kCount>
  static HWY_NOINLINE bool PoolOf(const R reducer, const DirectRows<L>& out, const void* const* taps, int64_t step) {
    const D d;
    const hn::Half<D> half;
    const R r = reducer;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = out.lanes, rows = out.rows;
    const int64_t rest = lanes % n, whole = rest <= static_cast<int64_t>(hn::Lanes(half)) ? lanes - rest : lanes;
    const L* p[kCount];
    for (int t = 0; t < kCount; ++t) p[t] = static_cast<const L*>(taps[t]);
    L* to = out.to;
    DirectWatch<R, D> watch(r);
    DirectWatch<R, hn::Half<D>> half_watch(r);
    for (int64_t k = 0; k < rows; ++k, to += lanes) {
      const L* const factors = R::kFactors ? out.factors[k] : nullptr;
      for (int64_t i = 0; i < whole; i += n) Vector<kCount>(d, r, p, i, factors, to, watch);
      if (whole < lanes) Vector<kCount>(half, r, p, whole, factors, to, half_watch);
      for (int t = 0; t < kCount; ++t) p[t] += step;
    }
    return watch.Suspicious() || half_watch.Suspicious();
  }

  template <int kCount, class DD, class Watch>
  static HWY_INLINE void Vector(DD d, const R& r, const L* const* p, int64_t i, const L* factors, L* to, Watch& watch) {
    using Joined = decltype(watch.elements);
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    auto low = r.fold.Load(d, p[0] + 2 * i), high = r.fold.Load(d, p[0] + 2 * i + n);
    auto seen = Joined::Join(Joined::Of(low), high);
    for (int t = 1; t < kCount; ++t) {
      const auto a = r.fold.Load(d, p[t] + 2 * i), b = r.fold.Load(d, p[t] + 2 * i + n);
      seen = Joined::Join(Joined::Join(seen, a), b);
      low = F::Join(low, a);
      high = F::Join(high, b);
    }
    const auto best = JoinNeighbours(d, low, high);
    auto factor = best;
    if constexpr (R::kFactors) factor = hn::LoadU(d, factors + i);
    const auto result = r.Result(best, factor);
    watch.See(seen, best, result);
    hn::StoreU(result, d, to + i);
  }

  // Whether two neighbours are a lane of a type there is, so that a shift brings them together.
  static constexpr bool kNarrow = POOLPROOF_HAS_VECTORS && sizeof(L) <= 2 && !F::kSums;

  template <class DD, class V>
  static HWY_INLINE V JoinNeighbours(DD d, V low, V high) {
    V even, odd;
    if constexpr (kNarrow) {
      Split(d, JoinEach(d, low), JoinEach(d, high), even, odd);
      return even;
    } else {
      Split(d, low, high, even, odd);
      return F::Join(even, odd);
    }
  }
  // The join of each two neighbours in the place of the first.
  template <class DD, class V>
  static HWY_INLINE V JoinEach(DD d, V v) {
    const hn::Repartition<std::conditional_t<sizeof(L) == 1, uint16_t, uint32_t>, DD> wide;
    return F::Join(v, hn::BitCast(d, hn::ShiftRight<8 * sizeof(L)>(hn::BitCast(wide, v))));
  }
};

// Rows of a plane, one below the other, and windows in them whose elements are `apart` of each other.
template <typename L>
struct NearRows {
  const L* from;   // row 0
  int64_t height;  // rows that there are
  int64_t width;   // elements of a row
  int64_t left;    // elements of padding before it
  int64_t apart;
  int64_t first;   // row of the first window's first tap, which may be above row 0
  int64_t stride;  // to that of the next output row, 1 unless windows have one row
};

// Windows of two or three elements: they are joined along the row first, and what every row gives is kept for the
// windows below.
template <class R>
class Near {
 public:
  using F = typename R::Fold;
  using L = typename R::L;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // kernel: elements along the row, high: rows.
  static bool Pool(const R& r, const DirectRows<L>& out, const NearRows<L>& in, int64_t kernel, int64_t high) {
    if (kernel == 2) return high == 1 ? PoolOf<2, 1>(r, out, in) : PoolOf<2, 2>(r, out, in);
    return high == 1 ? PoolOf<3, 1>(r, out, in) : PoolOf<3, 3>(r, out, in);
  }
  // Whether windows are so, at most the first tap of one is before the row, and none begins behind it.
  static bool Has(const Plan& plan, const RowShape& shape) {
    const Axis& high = plan.axis[1];
    const bool few = (shape.taps == 2 || shape.taps == 3) && shape.left <= shape.step &&
                     shape.out_lanes - shape.left <= shape.in_lanes;
    const bool single = high.kernel == 1 && high.pad == 0 && high.Begin(high.out - 1) < high.in;
    const bool below = single || (high.kernel == shape.taps && high.stride == 1 && high.dilation == 1);
    return shape.horizontal == Horizontal::kShift && few && below && !high.adaptive && plan.axis[0].kernel == 1;
  }

 private:
  using Watch = DirectWatch<R, D>;
  using Seen = typename F::template Watch<D>;

  template <int kTaps, int kHigh>
  static HWY_NOINLINE bool PoolOf(const R& r, const DirectRows<L>& out, const NearRows<L>& in) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const auto begins = [&](int64_t i) { return i < in.left; };
    const auto ends = [&](int64_t i) { return i + n - in.left + (kTaps - 1) * in.apart > in.width; };
    Watch watch(r);
    // The last column first: what it writes past the end of a row is the begin of the next one.
    int64_t i = (out.lanes - 1) / n * n;
    for (; i >= 0 && ends(i); i -= n) {
      begins(i) ? EdgeColumn<kTaps, kHigh, true, true>(r, out, in, i, watch)
                : EdgeColumn<kTaps, kHigh, false, true>(r, out, in, i, watch);
    }
    if (kHigh == 1) {
      const int64_t first = std::min((in.left + n - 1) / n * n, i + n);
      WholeRows<kTaps>(r, out, in, first, i + n, watch);
      i = first - n;
    }
    for (; i >= 0 && !begins(i); i -= n) Column<kTaps, kHigh, false, false>(r, out, in, i, watch);
    for (; i >= 0; i -= n) EdgeColumn<kTaps, kHigh, true, false>(r, out, in, i, watch);
    return watch.Suspicious();
  }

  // Outputs [begin, end) of all rows, which have no taps beside their row, of windows of one row.
  template <int kTaps>
  static HWY_NOINLINE void WholeRows(const R& reducer, const DirectRows<L>& out, const NearRows<L>& in, int64_t begin,
                                     int64_t end, Watch& total) {
    const D d;
    const R r = reducer;
    Watch watch = total;  // a copy that stays in registers
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), apart = in.apart;
    for (int64_t k = 0; k < out.rows; ++k) {
      const L* const from = in.from + (in.first + k * in.stride) * in.width - in.left;
      const L* const factors = R::kFactors ? out.factors[k] : nullptr;
      L* const to = out.to + k * out.lanes;
      for (int64_t i = begin; i < end; i += n) {
        const V a = r.fold.Load(d, from + i), b = r.fold.Load(d, from + i + apart);
        V best = F::Join(a, b), seen = Seen::Join(Seen::Of(a), b);
        if constexpr (kTaps == 3) {
          const V c = r.fold.Load(d, from + i + 2 * apart);
          best = F::Join(best, c);
          seen = Seen::Join(seen, c);
        }
        hwy::Prefetch(to + i + kVectorsAhead * n);
        Finish(r, best, seen, R::kFactors ? factors + i : nullptr, to + i, watch);
      }
    }
    total = watch;
  }

  static HWY_INLINE void Finish(const R& r, V best, V seen, const L* factors, L* to, Watch& watch) {
    const D d;
    V factor = best;
    if constexpr (R::kFactors) factor = hn::LoadU(d, factors);
    const V result = r.Result(best, factor);
    watch.See(seen, best, result);
    hn::StoreU(result, d, to);
  }

  // The lanes of tap `t`, for outputs from `i` on, that are inside of the row.
  static HWY_INLINE hn::Mask<D> Inside(const NearRows<L>& in, int64_t i, int64_t t) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), first = in.left - i - t * in.apart;
    const auto before = hn::FirstN(d, static_cast<size_t>(std::clamp<int64_t>(first, 0, n)));
    return hn::AndNot(before, hn::FirstN(d, static_cast<size_t>(std::clamp<int64_t>(first + in.width, 0, n))));
  }
  // Where tap `t` of outputs from `i` on is, or anywhere if none of them is inside of the row.
  static HWY_INLINE int64_t At(const NearRows<L>& in, int64_t i, int64_t t) {
    const int64_t at = i - in.left + t * in.apart;
    return at < in.width ? at : 0;
  }

  template <int kTaps, int kHigh, bool kBegins, bool kEnds>
  static HWY_NOINLINE void EdgeColumn(const R& r, const DirectRows<L>& out, const NearRows<L>& in, int64_t i,
                                      Watch& watch) {
    Column<kTaps, kHigh, kBegins, kEnds>(r, out, in, i, watch);
  }

  // Outputs [i, i + n) of all rows. kBegins: the first taps may lie before the row; kEnds: the others behind it, where
  // elements are read that do not count.
  template <int kTaps, int kHigh, bool kBegins, bool kEnds>
  static HWY_INLINE void Column(const R& reducer, const DirectRows<L>& out, const NearRows<L>& in, int64_t i,
                                Watch& total) {
    const D d;
    const R r = reducer;
    Watch watch = total;  // a copy that stays in registers
    const auto inside0 = Inside(in, i, 0), inside1 = Inside(in, i, 1), inside2 = Inside(in, i, 2);
    const int64_t at0 = At(in, i, 0), at1 = At(in, i, 1), at2 = At(in, i, 2);
    const int64_t width = in.width, height = in.height, lanes = out.lanes, stride = in.stride, rows = out.rows;
    const L* const* const factors = out.factors;
    const L* const from = in.from;
    const V identity = hn::Set(d, r.fold.Identity());
    V seen = hn::Zero(d);
    const auto row_at = [&](int64_t y) HWY_ATTR {
      if (static_cast<uint64_t>(y) >= static_cast<uint64_t>(height)) return identity;
      const L* const row = from + y * width;
      V a = r.fold.Load(d, row + at0), b = r.fold.Load(d, row + at1);
      if (kBegins) a = hn::IfThenElse(inside0, a, identity);
      if (kEnds) b = hn::IfThenElse(inside1, b, identity);
      V best = F::Join(a, b);
      seen = Seen::Join(Seen::Of(a), b);
      if constexpr (kTaps == 3) {
        V c = r.fold.Load(d, row + at2);
        if (kEnds) c = hn::IfThenElse(inside2, c, identity);
        best = F::Join(best, c);
        seen = Seen::Join(seen, c);
      }
      return best;
    };
    int64_t y = in.first;
    V above = identity, pair = identity;  // of the row above, and of both rows above
    if constexpr (kHigh > 1) {
      above = row_at(y++);
      watch.elements.See(seen, above);
    }
    if constexpr (kHigh > 2) {
      const V next = row_at(y++);
      watch.elements.See(seen, next);
      pair = F::Join(above, next);
      above = next;
    }
    // What the same column will need below these rows; where there is one row, further on in it.
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const bool one = rows == 1;
    const int64_t read_ahead = i + (one ? kVectorsAhead * n : rows * stride * width);
    const int64_t write_ahead = one ? kVectorsAhead * n : rows * lanes;
    L* to = out.to + i;
    for (int64_t k = 0; k < rows; ++k, y += stride, to += lanes) {
      hwy::Prefetch(from + y * width + read_ahead);
      hwy::Prefetch(to + write_ahead);
      const V next = row_at(y);
      V best = next;
      if constexpr (kHigh == 2) best = F::Join(above, next);
      if constexpr (kHigh == 3) best = F::Join(pair, next);
      if constexpr (kHigh == 3) pair = F::Join(above, next);
      above = next;
      Finish(r, best, seen, R::kFactors ? factors[k] + i : nullptr, to, watch);
    }
    total = watch;
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
