// Pooling row by row, for one target. See rows.h for the scheme.
//
// Sums are added up, never subtracted, so that the error stays within taps roundings and an infinity touches only its
// own windows. Rows that vectors may have got wrong, since a maximum may have seen NaN or a sum overflown, are pooled
// once more one element at a time.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_ROWS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_ROWS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_ROWS_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "optimized/kernels/across-inl.h"
#include "optimized/kernels/direct-inl.h"
#include "optimized/kernels/factors-inl.h"
#include "optimized/kernels/fold-inl.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// How elements become one, and what becomes of that: maxima, or sums, which are multiplied by the reciprocals of the
// numbers of taps, or become means as they are stored.
template <class F, bool kMultiplies = false>
struct RowReducer {
  using Fold = F;
  using L = typename F::Lane;
  static constexpr bool kFactors = kMultiplies, kPositions = F::B::kHasPosition;

  Fold fold;
  int64_t bytes = sizeof(typename F::Stored);  // of an element
  // For sums: FoldRows, of elements whose lanes are those of Fold, and what turns rows of results into elements;
  // nullptr if they are elements.
  bool (*down)(const FoldJob<L>& rows, FoldTo to) = nullptr;
  uint32_t (*store)(const Quotients<L>& rows) = nullptr;

  // shift: of maxima, see FoldRows.
  bool FoldDown(const FoldJob<L>& rows, FoldTo to, [[maybe_unused]] int64_t shift = 0) const {
    if constexpr (F::kSums) return down(rows, to);
    return FoldRows(fold, rows, to, shift) != 0;
  }
  template <class V>
  HWY_INLINE V Result(V joined, V factor) const {
    if constexpr (kMultiplies) return hn::Mul(joined, factor);
    if constexpr (F::kSums || kPositions) return joined;  // as it is stored
    return fold.Leave(joined, L{0});
  }
};

// R: RowReducer.
template <class R>
class Rows {
 public:
  using L = typename R::L;
  using T = typename R::Fold::Stored;

  Rows(const Plan& plan, const R& reducer, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch)
      : plan_(plan),
        reducer_(reducer),
        buffers_(buffers),
        scratch_(scratch),
        begin_(begin),
        end_(end),
        shape_(plan, kVector, !RowsAreSensible(plan)),
        spans_(scratch.Get<Span>(kSpanSlot, plan.axis[0].out + plan.axis[2].out)),
        windows_(scratch.Get<HeightWindow>(kWindowSlot, plan.axis[1].out)),
        in_(buffers.in, plan.InElements() * reducer.bytes, shape_.in_lanes * reducer.bytes, scratch),
        out_(buffers.out, end * plan.OutPlane() * plan.inner, shape_.out_lanes,
             scratch.Get<T>(kStagingSlot, SafeOutput<T>::StagingLanes(shape_.out_lanes))),
        pairs_(!R::kPositions && (reducer.store == nullptr) && shape_.IsPairs() && NoneEmpty(plan.axis[0]) &&
               NoneEmpty(plan.axis[1])),
        near_((reducer.store == nullptr) && HasNearWindows(plan)),
        batch_(Batch()),
        rows_(scratch.Get<const void*>(kPointerSlot, MostWindowRows(plan) + 1)),
        factor_rows_(scratch.Get<const L*>(kListSlot, std::max(batch_, plan.axis[1].out))),
        factors_(plan, WidthSpans(), scratch) {
    plan.axis[0].FillSpans(spans_);
    if (R::Fold::kSums || shape_.horizontal == Horizontal::kCells) plan.axis[2].FillSpans(spans_ + plan.axis[0].out);
    FillHeightWindows(plan.axis[1], windows_);
    if (R::kPositions) staged_index_ = scratch.Get<int64_t>(kBlockSlot, SafeOutput<T>::StagingLanes(shape_.out_lanes));
    // Windows near each other have too few rows for more factors than there is room for.
    for (int64_t h = 0; R::kFactors && near_ && h < plan.axis[1].out; ++h) {
      factor_rows_[h] = factors_.Of(windows_[h].span.taps, h);
    }
    if constexpr (!R::kPositions) MakeRows(scratch);
  }

  HWY_ATTR void Run() {
    const int64_t rows = plan_.axis[0].out * plan_.axis[1].out;
    for (int64_t plane = begin_; plane < end_; ++plane) {
      plane_ = plane;
      in_begin_ = plane * plan_.InPlane() * plan_.inner;
      out_begin_ = plane * plan_.OutPlane() * plan_.inner;
      if (R::kPositions && !plan_.IsFlat()) {
        DeepPlane();
        continue;
      }
      for (int64_t row = 0; row < rows;) {
        if (near_) {
          row += NearRowsFrom(row);
        } else if constexpr (!R::kPositions) {
          row += pairs_ ? PairRows(row) : RowsFrom(row, std::min(batch_, rows - row));
        }
      }
    }
  }

 private:
  static constexpr int64_t kVector = 64 / sizeof(L);

  // Rows that are folded before they are combined along themselves: what was just stored is slow to load shifted.
  int64_t Batch() const {
    if (pairs_ || near_) return 1;
    constexpr int64_t kBytes = int64_t{16} * 1024;
    const int64_t lanes = shape_.length + shape_.phase_length * shape_.stride;
    const int64_t fit = std::clamp<int64_t>(kBytes / (lanes * static_cast<int64_t>(sizeof(L))), 1, Factors<L>::kSlots);
    return std::min(fit, plan_.axis[0].out * plan_.axis[1].out);
  }

  void MakeRows(Scratch& scratch) {
    const bool padded = shape_.horizontal != Horizontal::kCells;
    const int64_t lanes = batch_ * shape_.length + kMaxLanes;
    data_ = scratch.Get<L>(kRowSlot, lanes);
    if (padded) std::fill_n(data_, lanes, reducer_.fold.Identity());
    phases_ = scratch.Get<L>(kPhaseSlot, batch_ * shape_.phase_length * shape_.stride);
    places_ = scratch.Get<int64_t>(kPickSlot, padded ? shape_.taps : 1);
    for (int64_t t = 0; padded && t < shape_.taps; ++t) places_[t] = shape_.InPhases(t * shape_.step);
    results_ = scratch.Get<L>(kSumSlot, reducer_.store == nullptr ? 1 : batch_ * shape_.out_lanes + kMaxLanes);
  }

  const Span* WidthSpans() const { return spans_ + plan_.axis[0].out; }
  // Windows of output row `row` of a plane.
  Span DepthSpan(int64_t row) const { return spans_[plan_.axis[0].out == 1 ? 0 : row / plan_.axis[1].out]; }
  const HeightWindow& HeightAt(int64_t row) const {
    return windows_[plan_.axis[0].out == 1 ? row : row % plan_.axis[1].out];
  }
  int64_t Taps(int64_t row) const { return DepthSpan(row).taps * HeightAt(row).span.taps; }
  int64_t OutAt(int64_t row) const { return out_begin_ + row * shape_.out_lanes; }

  // Lists the rows of the window of output row `row`; returns to how many of the `rows` windows from there on, which
  // are alike, pointers to them may be counted on.
  HWY_NOINLINE int64_t Collect(int64_t row, int64_t rows) {
    int64_t first = 0, last = 0;
    taps_ = 0;
    ForWindowRows(plan_, DepthSpan(row), HeightAt(row).span, [&](int64_t at) {
      last = (in_begin_ + at * shape_.in_lanes) * reducer_.bytes;
      if (taps_ == 0) first = last;
      rows_[taps_++] = in_.At(last);
    });
    return in_.Together(first, last, plan_.axis[1].stride * shape_.in_lanes * reducer_.bytes, rows);
  }

  // As many as may be written together.
  HWY_NOINLINE int64_t RowsFrom(int64_t row, int64_t most) {
    const bool tensor = reducer_.store == nullptr;
    const int64_t count = tensor ? out_.Together(OutAt(row), most) : most;
    const bool suspicious = Down(row, count);
    for (int64_t r = 0; R::Fold::kSums && r < count; ++r) factor_rows_[r] = factors_.Of(Taps(row + r), r);
    L* const to = tensor ? out_.Begin(OutAt(row)) : results_;
    uint32_t bad = Along({count, data_, shape_.length, factor_rows_, to, shape_.out_lanes});
    if (tensor) {
      out_.End(OutAt(row));
    } else {
      const int64_t room = end_ * plan_.OutPlane() * plan_.inner - OutAt(row);
      uint8_t* const results = static_cast<uint8_t*>(buffers_.out) + OutAt(row) * reducer_.bytes;
      bad = reducer_.store({count, shape_.out_lanes, results_, factor_rows_, factors_.rounding(), results, room});
    }
    if (suspicious) bad = HaveNan(row, count, shape_.in_lanes);
    Repair(row, bad);
    return count;
  }

  // The rows of the windows of `count` output rows become scratch rows. Whether there may be NaN.
  HWY_INLINE bool Down(int64_t row, int64_t count) {
    const bool split = shape_.horizontal == Horizontal::kSplit;
    bool suspicious = false;
    for (int64_t r = 0, rows; r < count; r += rows) {
      rows = Collect(row + r, std::min(count - r, HeightAt(row + r).run));
      L* const to = data_ + r * shape_.length;
      const int64_t step = plan_.axis[1].stride * shape_.in_lanes;
      FoldJob<L> fold = {rows_, taps_, rows, step, shape_.in_lanes, to + shape_.InRow(shape_.left), shape_.length};
      // Sums have one order, wherever the planes of a thread end.
      const bool shares = !R::Fold::kSums && DepthSpan(row + r).taps == 1;
      const int64_t shift = shares ? SharedShift(taps_, plan_.axis[1].stride, plan_.axis[1].dilation) : 0;
      if (split) fold.odd = to + shape_.InRow(shape_.left + 1);
      suspicious |= reducer_.FoldDown(fold, split ? FoldTo::kSplit : FoldTo::kPadded, shift);
    }
    return suspicious;
  }

  HWY_INLINE uint32_t Along(Lines<L> lines) {
    if (shape_.horizontal == Horizontal::kCells) {
      lines.row += shape_.origin;
      return Across<R>::Cells(reducer_, lines, WidthSpans(), shape_.inner, shape_.step);
    }
    if (shape_.stride == 3 && shape_.taps == 3 && shape_.step == 1) {
      lines.row += shape_.origin;
      return Across<R>::Thirds(reducer_, lines);
    }
    if (shape_.horizontal == Horizontal::kPhases) {
      lines.pitch = shape_.phase_length * shape_.stride;
      for (int64_t r = 0; r < lines.count; ++r) {
        SplitPhases(data_ + r * shape_.length + shape_.origin, shape_, phases_ + r * lines.pitch);
      }
      lines.row = phases_;
    }
    return Across<R>::Taps(reducer_, lines, places_, shape_.taps);
  }

  // Output rows from `row` on whose windows are pairs, in registers. Returns how many.
  HWY_NOINLINE int64_t PairRows(int64_t row) {
    const int64_t rows = Collect(row, out_.Together(OutAt(row), HeightAt(row).run)), lanes = shape_.out_lanes;
    L* const to = reinterpret_cast<L*>(out_.Begin(OutAt(row)));
    FoldJob<L> fold = {rows_, taps_, rows, plan_.axis[1].stride * shape_.in_lanes, lanes, to, lanes};
    if (R::kFactors) fold.factor = factors_.Of(taps_, 0)[0];
    const bool bad = reducer_.FoldDown(fold, FoldTo::kPairs);
    out_.End(OutAt(row));
    if (bad) RepairDirect(row, rows, 2 * lanes);
    return rows;
  }

  // The same where windows are neighbours, of one slice. There is always one.
  HWY_NOINLINE int64_t NearRowsFrom(int64_t row) {
    const Axis& high = plan_.axis[1];
    const int64_t h = row % high.out, at = OutAt(row), slice = plane_ * plan_.axis[0].in + DepthSpan(row).first;
    const int64_t rows = out_.Together(at, high.out - h);
    Results<R> to = {out_.Begin(at), IndexAt(at)};
    const bool staged = R::kPositions && out_.IsStaged(at);
    if (staged) to.index.data = staged_index_;
    const bool bad = NearSlice(slice, h, rows, Base(), to);
    out_.End(at);
    if (staged) {
      const size_t bytes = static_cast<size_t>(shape_.out_lanes) * (to.index.is_wide ? 8 : 4);
      std::memcpy(IndexAt(at).data, staged_index_, bytes);
    }
    if (bad) RepairDirect(row, rows, shape_.in_lanes);
    return rows;
  }

  // A plane of windows of several slices, with positions.
  HWY_INLINE void DeepPlane() {
    if constexpr (R::kPositions && sizeof(T) >= 4) {
      const int64_t slice = plan_.axis[1].out;
      const auto pool = [&](int64_t z, auto field) {
        const IndexArray positions = {field.at, sizeof(*field.at) == 8};
        return NearSlice(plane_ * plan_.axis[0].in + z, 0, slice, 0, {field.value, positions});
      };
      const auto repair = [&](int64_t d) {
        for (int64_t h = 0; h < slice; ++h) Repair(d * slice + h, 1);
      };
      Slices<typename R::Fold> slices(plan_, scratch_);
      slices.Run(reducer_.fold, Base(), static_cast<T*>(buffers_.out) + out_begin_, IndexAt(out_begin_), pool, repair);
    }
  }

  // Output rows [h, h + rows) of a slice, counted through all planes, whose element 0 has index `base`. Whether there
  // may be a bad one.
  HWY_INLINE bool NearSlice(int64_t slice, int64_t h, int64_t rows, int64_t base, const Results<R>& to) {
    // Rows of input at a time, which is read column by column.
    constexpr int64_t kBytes = R::kPositions ? std::max<int64_t>(8192, 2048 * sizeof(L)) : int64_t{32} * 1024;
    const Axis& high = plan_.axis[1];
    const int64_t stride = high.out == 1 ? 1 : high.stride, pitch = shape_.out_lanes;
    const int64_t band = std::max<int64_t>(4, kBytes / (shape_.in_lanes * static_cast<int64_t>(sizeof(L)) * stride));
    const int64_t lanes = shape_.in_lanes, phases = high.kernel > 1 && high.stride == 1 ? high.dilation : 1;
    bool bad = false;
    for (int64_t r = 0; r < rows; r += band) {
      const int64_t some = std::min(band, rows - r), first = std::max<int64_t>(0, high.Begin(h + r));
      const int64_t end = std::min(high.in, high.Begin(h + r + some - 1) + high.Reach() + 1);
      const T* const from = Read((slice * high.in + first) * lanes, (end - first) * lanes) - first * lanes;
      for (int64_t q = 0; q < std::min(phases, some); ++q) {
        const NearRows<R> in = {.from = from,
                                .height = high.in,
                                .width = lanes,
                                .left = shape_.left,
                                .apart = shape_.step,
                                .below = high.dilation,
                                .first = high.Begin(h + r + q),
                                .stride = high.stride * phases,
                                .base = base,
                                .rows = (some - q + phases - 1) / phases,
                                .lanes = pitch,
                                .factors = factor_rows_ + h + r + q,
                                .every = phases,
                                .to = to.From((r + q) * pitch),
                                .pitch = pitch * phases};
        bad |= Near<R>::Pool(reducer_, in, shape_.taps, high.kernel, shape_.stride);
      }
    }
    return bad;
  }

  // `count` elements from element `at` on. Some before and behind them may be read.
  HWY_NOINLINE const T* Read(int64_t at, int64_t count) {
    const int64_t before = shape_.left, after = shape_.taps * shape_.step + 2 * kMaxLanes;
    const T* const in = static_cast<const T*>(buffers_.in);
    if (at >= before && at + count + after <= plan_.InElements()) return in + at;
    T* const copy = scratch_.Get<T>(kFlatSlot, before + count + after);
    std::fill_n(copy, before, T{});
    std::copy_n(in + at, count, copy + before);
    std::fill_n(copy + before + count, after, T{});
    return copy + before;
  }

  // The index of the first element of a plane, and where those of output elements go.
  int64_t Base() const { return R::kPositions ? in_begin_ % plan_.index_bound : 0; }
  IndexArray IndexAt(int64_t out) const {
    const IndexArray index = {buffers_.index, plan_.index_type == POOLPROOF_I64};
    return R::kPositions ? index.From(out) : index;
  }

  void RepairDirect(int64_t row, int64_t rows, int64_t columns) const {
    for (int64_t r = 0; r < rows; ++r) {
      Repair(row + r, R::kFactors ? NotFinite(row + r) : HaveNan(row + r, 1, columns));
    }
  }
  uint32_t NotFinite(int64_t row) const {
    const L* const results = static_cast<const L*>(buffers_.out) + OutAt(row);
    return std::all_of(results, results + shape_.out_lanes, [](L x) { return std::isfinite(x); }) ? 0 : 1;
  }
  // Those of `count` output rows from `row` on whose windows' rows have NaN in their first columns: a bit for each.
  // Everything else that a vector may have seen depends on its length.
  HWY_NOINLINE uint32_t HaveNan(int64_t row, int64_t count, int64_t columns) const {
    const T* const plane = static_cast<const T*>(buffers_.in) + in_begin_;
    uint32_t bad = 0;
    for (int64_t r = 0; r < count; ++r) {
      const Span deep = DepthSpan(row + r), high = HeightAt(row + r).span;
      bad |= static_cast<uint32_t>(WindowHasNan(reducer_.fold, plan_, deep, high, plane, columns)) << r;
    }
    return bad;
  }
  // The output rows from `row` on that have a bit.
  void Repair(int64_t row, uint32_t bad) const {
    constexpr auto kPlain = R::Fold::kSums ? PlainAverageRow : PlainMaxRow;
    for (; bad != 0; bad >>= 1, ++row) {
      if ((bad & 1) == 0) continue;
      kPlain(plan_, buffers_, plane_, row / plan_.axis[1].out, row % plan_.axis[1].out);
    }
  }

  const Plan& plan_;
  const R reducer_;
  const Buffers buffers_;
  Scratch& scratch_;
  const int64_t begin_, end_;
  const RowShape shape_;
  Span* const spans_;            // along the depth, then along the width
  HeightWindow* const windows_;  // along the height
  const SafeRows<uint8_t> in_;   // in bytes
  SafeOutput<T> out_;
  const bool pairs_, near_;  // whether windows are those of direct-inl.h
  const int64_t batch_;      // scratch rows
  const void** const rows_;  // of a window
  const L** const factor_rows_;
  Factors<L> factors_;
  void* staged_index_ = nullptr;
  L *data_ = nullptr, *phases_ = nullptr;
  int64_t* places_ = nullptr;  // of taps, in a scratch row or in phases
  L* results_ = nullptr;       // of a batch, if they are not stored as they are
  int64_t taps_ = 0;           // of rows_
  int64_t plane_ = 0, in_begin_ = 0, out_begin_ = 0;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
