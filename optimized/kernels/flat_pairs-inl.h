// Maxima or means over windows of 2 x 2 or 2 x 2 x 2 elements, two apart, that cover planes (HasFlatPairs in rows.h),
// for one target: first of neighbours, along all rows as if they were one, then of each row and the next, and of
// those of the next slice.
//
// Among equal values the first in row-major order counts.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_FLAT_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_FLAT_PAIRS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_FLAT_PAIRS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_FLAT_PAIRS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/pair_joins-inl.h"
#include "optimized/kernels/pair_picks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// P: MaxOfPairs, or MeanOfPairs for windows of 2 x 2. kDeep: whether windows have a depth.
template <class P, bool kDeep = false>
class FlatPairs {
 public:
  using L = typename P::L;
  using I = hwy::MakeSigned<L>;

  FlatPairs(const Plan& plan, const Buffers& buffers, Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        height_(plan.axis[1].out),
        width_(plan.axis[2].out),
        together_(kElements / (kTaps * width_) / kAligned * kAligned),
        slice_(4 * width_ * height_),
        pairs_(scratch.Get<L>(kRowSlot, kElements / 2 + 2 * kMaxLanes)),
        at_(P::kHasPosition ? scratch.Get<I>(kWorkSlot, kElements / 2 + 2 * kMaxLanes) : nullptr) {}

  HWY_ATTR void Run(int64_t begin, int64_t end) {
#if POOLPROOF_HAS_PICKS
    if (RunPicks(begin, end)) return;
#endif
    const int64_t rows = plan_.axis[0].out * height_;
    for (int64_t row = begin * rows, count; row < end * rows; row += count) {
      count = std::min(together_, end * rows - row);
      if (kDeep) count = std::min(count, height_ - row % height_);
      RowsTogether(row, count);
    }
  }

 private:
  static constexpr int64_t kElements = 4096;            // of rows taken together, which stay in the cache
  static constexpr int64_t kNextSlice = kElements / 4;  // where its pairs begin
  static constexpr int64_t kAhead = 256;                // windows
  static constexpr int64_t kTaps = kDeep ? 8 : 4;
  static constexpr int64_t kAligned = 64 / kTaps;  // rows, so that all of them together begin where a cache line does
  static_assert(kElements >= kTaps * kMaxFlatRow * kAligned);

#if POOLPROOF_HAS_PICKS
  HWY_ATTR bool RunPicks(int64_t begin, int64_t end) {
    if constexpr (kDeep || sizeof(L) != 4) {
      return false;
    } else {
      if (!PairPicks<P>::Pays(plan_)) return false;
      const PairPicks<P> picks(plan_, buffers_, end * height_);
      for (int64_t row = begin * height_, count; row < end * height_; row += count) {
        count = std::min(together_, end * height_ - row);
        if (picks.Run(row, count)) Replace(row, count, static_cast<const L*>(buffers_.in) + Begin(row));
      }
      return true;
    }
  }
#endif

  // Output rows, counted through all planes, of one slice if windows are deep. Each is of two input rows of one slice
  // or two, so of 4 * width_ elements of each.
  HWY_INLINE void RowsTogether(int64_t row, int64_t count) const {
    const L* from = static_cast<const L*>(buffers_.in) + Begin(row);
    bool replace = JoinNeighbours(from, count * 2 * width_, 0);
    if (kDeep) replace |= JoinNeighbours(from + slice_, count * 2 * width_, kNextSlice);
    if (width_ <= 4) {
      JoinPlanes<4>(row, count);
    } else if (width_ <= 8) {
      JoinPlanes<8>(row, count);
    } else {
      JoinPlanes<16>(row, count);
    }
    if (replace) Replace(row, count, from);
  }

  // The first element of the windows of an output row.
  HWY_INLINE int64_t Begin(int64_t row) const { return row * 4 * width_ + (kDeep ? row / height_ * slice_ : 0); }

  // To pairs_ from `to` on. Returns whether an element is of too large a magnitude, or NaN.
  HWY_NOINLINE bool JoinNeighbours(const L* from, int64_t count, int64_t to) const {
    const hn::ScalableTag<L> d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const hn::RebindToSigned<decltype(d)> di;
    typename P::Watch watch;
    [[maybe_unused]] const auto twice = hn::ShiftLeft<1>(hn::Iota(di, 0));
    const auto join = [&](const L* p, int64_t i) HWY_ATTR {
      hn::Vec<decltype(d)> even, odd;
      Deinterleave(d, p, even, odd);
      watch.Elements(P::Watch::Join(even, odd));
      hn::StoreU(P::Join(even, odd), d, pairs_ + to + i);
      if constexpr (P::kHasPosition) {
        const auto at = hn::Add(twice, hn::Set(di, static_cast<I>(2 * i)));
        const auto later = hn::RebindMask(di, hn::Gt(odd, even));
        hn::StoreU(hn::IfThenElse(later, hn::Add(at, hn::Set(di, I{1})), at), di, at_ + to + i);
      }
    };
    const auto vector = [&](int64_t i) HWY_ATTR { join(from + 2 * i, i); };
    const auto part = [&]() HWY_ATTR {
      L some[2 * kMaxLanes] = {};
      std::copy_n(from, 2 * count, some);
      join(some, 0);
    };
    ForVectorsOf(n, count, vector, part);
    return watch.Suspicious();
  }

  // Rows of neighbours, and a row of the output.
  struct Rows {
    const L* values;
    const I* at;
    HWY_INLINE Rows From(int64_t i) const { return {values + i, P::kHasPosition ? at + i : at}; }
  };
  struct Row {
    L* values;
    IndexArray index;
    HWY_INLINE Row From(int64_t i) const { return {values + i, P::kHasPosition ? index.From(i) : index}; }
  };

  // The output rows of one plane after the other. kLanes: no vector has more, since a row is written past its end,
  // where the next one begins.
  template <int64_t kLanes>
  HWY_NOINLINE void JoinPlanes(int64_t row, int64_t count) const {
    const hn::CappedTag<L, kLanes> d;
    const int64_t end = row + count, whole = end - (kLanes + width_ - 1) / width_;
    const int64_t elements = plan_.InPlane(), before = Begin(row), rows = plan_.axis[0].out * height_;
    const IndexArray index = {buffers_.index, plan_.index_type == POOLPROOF_I64};
    int64_t plane = row / rows, first = P::kHasPosition ? plane * elements % plan_.index_bound : 0;
    Rows from = {pairs_, at_};
    Row to = Row{static_cast<L*>(buffers_.out), index}.From(row * width_);
    while (row < end) {
      const int64_t stop = P::kHasPosition ? std::min(end, (plane + 1) * rows) : end;
      const int64_t base = first + before - plane * elements;  // what positions count from
      for (; row < stop; ++row) {
        row < whole ? JoinRow(d, from, base, to) : JoinLastRow(d, from, base, to);
        from = from.From(2 * width_);
        to = to.From(width_);
      }
      ++plane;
      first = first + elements < plan_.index_bound ? first + elements : first + elements - plan_.index_bound;
    }
  }

  template <class D>
  HWY_INLINE void JoinRow(D d, Rows from, int64_t base, Row to) const {
    const hn::RebindToSigned<D> di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t j = 0; j < width_; j += n) {
      auto best = JoinBelow(d, from.From(j));
      if constexpr (kDeep) {
        auto next = JoinBelow(d, from.From(kNextSlice + j));
        if constexpr (P::kHasPosition) next.at = hn::Add(next.at, hn::Set(di, static_cast<I>(slice_)));
        best.Join(next);
      }
      hn::StoreU(P::Finish(best.value), d, to.values + j);
      if constexpr (P::kHasPosition) {
        StoreIndex(di, best.at, base, to.index.From(j), n);
        // Shorter rows would ask for each line several times.
        if constexpr (hn::MaxLanes(D()) > 4) PrefetchOutput(to.values + j, to.index.From(j), kAhead, n);
      }
    }
  }
  // Of two rows of one slice.
  template <class D>
  HWY_INLINE Joined<P, D> JoinBelow(D d, Rows from) const {
    Joined<P, D> best = Load(d, from);
    best.Join(Load(d, from.From(width_)));
    return best;
  }
  template <class D>
  static HWY_INLINE Joined<P, D> Load(D d, Rows from) {
    const hn::RebindToSigned<D> di;
    if constexpr (P::kHasPosition) return {hn::LoadU(d, from.values), hn::LoadU(di, from.at)};
    return {hn::LoadU(d, from.values), hn::Zero(di)};
  }
  template <class D>
  HWY_NOINLINE void JoinLastRow(D d, Rows from, int64_t base, Row to) const {
    constexpr int64_t kMost = kMaxFlatRow + kMaxLanes;
    L values[kMost];
    int64_t indices[P::kHasPosition ? kMost : 1];
    const IndexArray index = {indices, to.index.is_wide};
    JoinRow(d, from, base, {values, index});
    std::copy_n(values, width_, to.values);
    if (P::kHasPosition) std::memcpy(to.index.data, indices, static_cast<size_t>(width_ * (index.is_wide ? 8 : 4)));
  }

  HWY_NOINLINE void Replace(int64_t row, int64_t count, const L* from) const {
    const int64_t depth = plan_.axis[0].out;
    for (int64_t r = row; r < row + count; ++r, from += 4 * width_) {
      bool nan = HoldsNan(from, 4 * width_, P::Most());
      if (kDeep) nan |= HoldsNan(from + slice_, 4 * width_, P::Most());
      if (nan) P::Plain(plan_, buffers_, r / height_ / depth, r / height_ % depth, r % height_);
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t height_, width_;  // of the output
  const int64_t together_;        // output rows
  const int64_t slice_;           // elements
  L* const pairs_;                // of neighbours, as many rows as the input has,
  I* const at_;                   // and where their maxima are, counted from the first element
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
