// Windows of neighbours that are pooled in registers, from rows of the tensor to rows of the output, with positions or
// without, for one target. No step goes through memory.
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

// Where results go: values, and their positions, if they have any.
template <class R>
struct Results {
  typename R::Fold::Stored* values;
  IndexArray index;
  HWY_INLINE Results From(int64_t i) const { return {values + i, R::kPositions ? index.From(i) : index}; }
};

// Rows of a plane, one below the other, and windows in them whose elements are `apart` of each other, and whose rows
// are `below`.
template <class R>
struct NearRows {
  const typename R::Fold::Stored* from;  // row 0
  int64_t height, width;                 // rows that there are, and elements of each
  int64_t left;                          // elements of padding before it
  int64_t apart, below;
  int64_t first;                        // row of the first window's first tap, which may be above row 0
  int64_t stride;                       // to that of the next output row
  int64_t base;                         // the position of element 0 of row 0
  int64_t rows, lanes;                  // output rows, and elements of each
  const typename R::L* const* factors;  // of output rows, for means
  int64_t every;                        // of these, from one output row to the next
  Results<R> to;
  int64_t pitch;  // elements from one output row to the next
};

// Windows of two, three or, with positions, five elements, one or two apart: they are joined along the row first, and
// what every row gives is kept for the windows below. Elements before and behind a row are read, and whole vectors.
template <class R>
class Near {
 public:
  using F = typename R::Fold;
  using T = typename F::Stored;
  using L = typename R::L;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // kernel: elements along the row, high: rows; stride: between windows along the row.
  static bool Pool(const R& r, const NearRows<R>& in, int64_t kernel, int64_t high, int64_t stride) {
    if constexpr (R::kPositions) {
      if (kernel == 5) return PoolOf<1, 5, 5>(r, in);
      if (stride == 2 && kernel == 2) return high == 1 ? PoolOf<2, 2, 1>(r, in) : PoolOf<2, 2, 2>(r, in);
      if (stride == 2) return high == 1 ? PoolOf<2, 3, 1>(r, in) : PoolOf<2, 3, 3>(r, in);
    }
    if (kernel == 2) return high == 1 ? PoolOf<1, 2, 1>(r, in) : PoolOf<1, 2, 2>(r, in);
    return high == 1 ? PoolOf<1, 3, 1>(r, in) : PoolOf<1, 3, 3>(r, in);
  }

 private:
  using Best = typename F::B;
  using Watches = Watch<F, D>;

  template <int kStride, int kTaps, int kHigh>
  static HWY_NOINLINE bool PoolOf(const R& r, const NearRows<R>& in) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), reach = (kTaps - 1) * in.apart;
    // The first vectors watch what the others leave out (RowOf).
    const auto inside = [&](int64_t i) {
      const int64_t first = i * kStride - in.left;
      return i * kStride >= reach && first >= 0 && first + (n - 1) * kStride + reach < in.width;
    };
    Watches watch(r.fold);
    const int64_t last = in.lanes - n;
    const auto column = [&](int64_t i) {
      inside(i) ? Column<kStride, kTaps, kHigh, false>(r, in, i, watch)
                : Column<kStride, kTaps, kHigh, true>(r, in, i, watch);
    };
    for (int64_t i = 0; i < last; i += n) {
      int64_t end = i;
      while (kHigh == 1 && end < last && inside(end)) end += n;
      if constexpr (kHigh == 1) {
        if (end > i) WholeRows<kStride, kTaps>(r, in, i, end, watch);
      }
      i = end;
      if (i < last) column(i);
    }
    // The last vector overlaps the one before. Of rows that are shorter it is written past their end, where the next
    // one begins.
    column(std::max<int64_t>(0, last));
    return watch.Suspicious();
  }

  // Outputs [begin, end) of all rows, which have no taps beside their row, of windows of one row.
  template <int kStride, int kTaps>
  static HWY_NOINLINE void WholeRows(const R& reducer, const NearRows<R>& in, int64_t begin, int64_t end,
                                     Watches& total) {
    const R r = reducer;
    Watches watch = total;  // a copy that stays in registers
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), apart = in.apart;
    const auto keep = [](int, V v) HWY_ATTR { return v; };
    for (int64_t k = 0; k < in.rows; ++k) {
      const int64_t at = (in.first + k * in.stride) * in.width - in.left;
      const Results<R> to = in.to.From(k * in.pitch);
      const L* const factors = R::kFactors ? in.factors[k * in.every] : nullptr;
      for (int64_t i = begin; i < end; i += n) {
        const int64_t from = at + i * kStride;
        const Best best = RowOf<kStride, kTaps, false>(r, in.from + from, apart, keep, watch);
        Prefetch(to.From(i + kVectorsAhead * n));
        Finish<kStride>(r, best, R::kFactors ? factors + i : nullptr, in.base + from, to.From(i), n, watch);
      }
    }
    total = watch;
  }

  // The taps of a row from `p` on. keep(t, v): tap t without what is not inside of the row. kAll: whether all of them
  // are watched; otherwise those that are no taps of windows before.
  template <int kStride, int kTaps, bool kAll, class Keep>
  static HWY_INLINE Best RowOf(const R& r, const T* p, int64_t apart, const Keep& keep, Watches& watch) {
    const D d;
    constexpr int kFirstNew = kTaps - kStride;
    V first, second;
    if constexpr (kStride == 1) {
      first = r.fold.Load(d, p);
      second = r.fold.Load(d, p + apart);
    } else {
      r.fold.LoadBoth(d, p, first, second);
    }
    first = keep(0, first);
    Best best = Best::First(first);
    V seen = Watches::Of(first);
    const auto join = [&](int t, V v) HWY_ATTR {
      v = keep(t, v);
      best.JoinTap(v, t * apart);
      if (!kAll && t <= kFirstNew) seen = Watches::Of(v);
      if (kAll || t > kFirstNew) seen = Watches::Join(seen, v);
    };
    const auto load = [&](int t) HWY_ATTR {
      if constexpr (kStride == 1) {
        return r.fold.Load(d, p + t * apart);
      } else {
        V even, odd;
        r.fold.LoadBoth(d, p + t, even, odd);
        return even;
      }
    };
    join(1, second);
    if constexpr (kTaps >= 3) join(2, load(2));
    if constexpr (kTaps >= 5) join(3, load(3)), join(4, load(4));
    watch.See(seen, best.value);
    return best;
  }

  static HWY_INLINE void Prefetch(const Results<R>& to) {
    if constexpr (R::kPositions) {
      PrefetchOutput(to.values, to.index, static_cast<int64_t>(hn::Lanes(D())));
    } else {
      hwy::Prefetch(to.values);
    }
  }

  // Stores what windows gave, of which `count` count. position: where the first of them begins.
  template <int kStride>
  static HWY_INLINE void Finish(const R& r, const Best& best, const L* factors, int64_t position, const Results<R>& to,
                                int64_t count, Watches& watch) {
    const D d;
    V factor = best.value;
    if constexpr (R::kFactors) factor = hn::LoadU(d, factors);
    const V result = r.Result(best.value, factor);
    watch.SeeResult(result);
    if constexpr (R::kPositions) {
      r.fold.Store(d, result, to.values);
    } else {
      hn::StoreU(result, d, to.values);
    }
    if constexpr (R::kPositions) {
      const typename Best::DI di;
      auto columns = hn::Iota(di, 0);
      if constexpr (kStride == 2) columns = hn::Add(columns, columns);
      StoreIndex(di, hn::Add(best.at, columns), position, to.index, count);
    }
  }

  // Distances, for windows from column `begin` on, from where they begin to their first taps that are not before the
  // row.
  template <int kStride, int kTaps>
  static HWY_INLINE auto PaddingBefore([[maybe_unused]] const NearRows<R>& in, [[maybe_unused]] int64_t begin) {
    if constexpr (R::kPositions) {
      const typename Best::DI di;
      auto padding = hn::Zero(di);
      for (int t = 0; t + 1 < kTaps; ++t) {
        const auto before = hn::RebindMask(di, Before<kStride>(begin + t * in.apart));
        padding = hn::Add(padding, hn::IfThenElseZero(before, Best::Distance(in.apart)));
      }
      return padding;
    } else {
      return 0;
    }
  }

  // The lanes of which the tap `at` further on than the first window is before the row, or not behind it.
  template <int kStride>
  static HWY_INLINE hn::Mask<D> Before(int64_t at) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    return hn::FirstN(d, static_cast<size_t>(std::clamp<int64_t>((kStride - 1 - at) / kStride, 0, n)));
  }

  // Outputs [i, i + n) of all rows. kEdge: taps may lie beside the row.
  template <int kStride, int kTaps, int kHigh, bool kEdge>
  static HWY_NOINLINE void Column(const R& reducer, const NearRows<R>& in, int64_t i, Watches& total) {
    const R r = reducer;
    Watches watch = total;  // a copy that stays in registers
    const int64_t begin = i * kStride - in.left, apart = in.apart, width = in.width;
    const V identity = hn::Set(D(), r.fold.Identity());
    const auto inside = [&](int t) HWY_ATTR {
      return hn::AndNot(Before<kStride>(begin + t * apart), Before<kStride>(begin + t * apart - width));
    };
    const auto inside0 = inside(0), inside1 = inside(1), inside2 = inside(2), inside3 = inside(3), inside4 = inside(4);
    const auto keep = [&](int t, V v) HWY_ATTR {
      const auto mask = t == 0 ? inside0 : t == 1 ? inside1 : t == 2 ? inside2 : t == 3 ? inside3 : inside4;
      return kEdge ? hn::IfThenElse(mask, v, identity) : v;
    };
    Walk<kStride, kTaps, kHigh, kEdge>(r, in, i, keep, watch);
    total = watch;
  }

  template <int kStride, int kTaps, int kHigh, bool kEdge, class Keep>
  static HWY_INLINE void Walk(const R& r, const NearRows<R>& rows, int64_t i, const Keep& keep, Watches& watch) {
    const NearRows<R> in = rows;
    const int64_t begin = i * kStride - in.left, n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t width = in.width, size = in.height * width, step = in.below * width;
    // Prefetches what the same column will need below these rows; where there is one row, further on in it.
    const bool one = in.rows == 1;
    const int64_t read_ahead = one ? kVectorsAhead * n : in.rows * in.stride * width;
    const int64_t write_ahead = one ? kVectorsAhead * n : in.rows * in.pitch;
    const T* const from = in.from + begin;
    const auto row_at = [&](int64_t at) HWY_ATTR {
      if (static_cast<uint64_t>(at) >= static_cast<uint64_t>(size)) {
        return Best::First(hn::Set(D(), r.fold.Identity()));
      }
      hwy::Prefetch(from + at + read_ahead);
      if (kStride == 2) hwy::Prefetch(from + at + read_ahead + n);
      return RowOf<kStride, kTaps, kEdge>(r, from + at, in.apart, keep, watch);
    };
    int64_t k = 0;
    [[maybe_unused]] const auto padding = PaddingBefore<kStride, kEdge ? kTaps : 0>(in, begin);
    const auto finish = [&](Best best, int64_t at) HWY_ATTR {
      if constexpr (R::kPositions) {
        // Where a window has nothing but the lowest value, its first tap may be padding: then the next ones are taken.
        auto first = padding;
        if (at < 0) first = hn::Add(first, Best::Distance((step - 1 - at) / step * step));
        if (kEdge || kHigh > 1) best.at = hn::Max(best.at, first);
      }
      const Results<R> to = in.to.From(k * in.pitch + i);
      const L* const factors = R::kFactors ? in.factors[k * in.every] + i : nullptr;
      Prefetch(to.From(write_ahead));
      Finish<kStride>(r, best, factors, in.base + begin + at, to, kEdge ? in.lanes : n, watch);
      ++k;
    };
    Down<kStride, kHigh>(in, in.rows, row_at, finish);
  }

  // row_at(at): what the row that begins at element `at` gives; finish(best, at): the next output row, whose windows
  // begin in that row.
  template <int kStride, int kHigh, class Row, class Out>
  static HWY_INLINE void Down(const NearRows<R>& in, int64_t rows, const Row& row_at, const Out& finish) {
    constexpr int kKept = std::max(0, kHigh - kStride);  // rows that windows share with those above
    const int64_t step = in.below * in.width, next = in.stride * in.width;
    int64_t at = in.first * in.width;
    Best kept[kHigh];
#pragma GCC unroll 4
    for (int t = 0; t < kKept; ++t) kept[t] = row_at(at + t * step);
    for (int64_t k = 0; k < rows; ++k, at += next) {
#pragma GCC unroll 4
      for (int t = kKept; t < kHigh; ++t) kept[t] = row_at(at + t * step);
      Best best = kept[0];
#pragma GCC unroll 4
      for (int t = 1; t < kHigh; ++t) best.JoinBest(kept[t], t * step);
      finish(best, at);
#pragma GCC unroll 4
      for (int t = 0; t < kKept; ++t) kept[t] = kept[t + kHigh - kKept];
    }
  }
};

// Maxima with index of windows that have a depth: each slice of the input is pooled like a plane, once, and what a few
// of them gave becomes a slice of the output. F: a MaxFold of elements that are as large as lanes. Positions are in the
// slice.
template <class F>
class Slices {
 public:
  using B = typename F::B;
  using L = typename B::L;
  using I = typename B::I;
  using DI = typename B::DI;
  using Field = typename B::Field;

  Slices(const Plan& plan, Scratch& scratch)
      : plan_(plan),
        slice_out_(plan.axis[1].out * plan.axis[2].out),
        kept_(std::min(plan.axis[0].in, plan.axis[0].Reach() + 1)),
        held_(scratch.Get<Held>(kFlagSlot, kept_)),
        taps_(scratch.Get<Field>(kGroupSlot, kept_)) {
    const int64_t lanes = kept_ * slice_out_ + kMaxLanes;
    slices_ = B::MakeField(scratch.Get(kWorkSlot, static_cast<size_t>(lanes * B::kFieldBytes)), lanes);
  }

  // Pools all slices of a plane to `to` and `index`, whose element 0 has index `base`. pool(z, field): slice z of the
  // plane, whether it may have NaN. repair(d): slice d of the output may be of NaN.
  template <class Pool, class Repair>
  HWY_NOINLINE void Run(const F& fold, int64_t base, L* to, IndexArray index, const Pool& pool, const Repair& repair) {
    const Axis& depth = plan_.axis[0];
    std::fill_n(held_, kept_, Held{-1, false});
    for (int64_t d = 0; d < depth.out; ++d) {
      const Span span = depth.SpanAt(d);
      bool nan = false;
      for (int64_t t = 0; t < span.taps; ++t) {
        const int64_t z = span.first + t * depth.dilation;
        Held& held = held_[z % kept_];
        taps_[t] = slices_.From(z % kept_ * slice_out_);
        if (held.slice != z) held = {z, pool(z, taps_[t])};
        nan |= held.nan;
      }
      const int64_t slice = plan_.axis[1].in * plan_.axis[2].in;
      Combine(fold, span.taps, depth.dilation * slice, base + span.first * slice, to + d * slice_out_,
              index.From(d * slice_out_));
      if (nan) repair(d);
    }
  }

 private:
  struct Held {
    int64_t slice;
    bool nan;  // whether it may have one
  };

  // Values are elements.
  static HWY_INLINE B Load(const F& fold, Field field, int64_t i) {
    return B::At(fold.Load(typename B::D(), field.value + i), hn::LoadU(DI(), field.at + i));
  }

  // The windows of `taps` slices, `step` elements apart, become those of an output slice.
  HWY_NOINLINE void Combine(const F& fold, int64_t taps, int64_t step, int64_t base, L* to, IndexArray index) const {
    const typename B::D d;
    const DI di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t j = 0; j < slice_out_; j += n) {
      const int64_t i = std::min(j, slice_out_ - n);  // the last vector overlaps the one before
      B best = Load(fold, taps_[0], i);
      for (int64_t t = 1; t < taps; ++t) best.JoinBest(Load(fold, taps_[t], i), t * step);
      fold.Store(d, best.value, to + i);
      PrefetchOutput(to + i + kVectorsAhead * n, index.From(i + kVectorsAhead * n), n);
      StoreIndex(di, best.at, base, index.From(i), n);
    }
  }

  const Plan& plan_;
  const int64_t slice_out_;  // elements of a slice of the output
  // Pooled slices of a plane, slice z at z % kept_.
  const int64_t kept_;
  Held* const held_;
  Field* const taps_;
  Field slices_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
