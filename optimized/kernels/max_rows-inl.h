// Maximum without index, for one target. See rows.h for the scheme.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_ROWS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_ROWS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_ROWS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/max_codecs-inl.h"
#include "optimized/kernels/max_strip-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Output rows [0, rows), which follow each other at `to`; input row t of output row r begins at
// taps[t] + r * step. 1 <= count <= kUnrolled.
template <class C>
class Pairs {
 public:
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // Returns whether there may be NaN.
  HWY_INLINE bool Band(const L* const* taps, int64_t count, int64_t step, int64_t rows, int64_t lanes, L* to) const {
    bool suspicious = false;
    Unrolled(count, [&](auto n) HWY_ATTR { suspicious = BandOf<n.value>(taps, step, rows, lanes, to); });
    return suspicious;
  }

 private:
  // Whether two neighbours are a lane of a type there is, so that a shift brings them together.
  static constexpr bool kNarrow = POOLPROOF_HAS_VECTORS && sizeof(L) <= 2;
  using Wide = std::conditional_t<sizeof(L) == 1, uint16_t, uint32_t>;

  template <int kCount>
  HWY_NOINLINE bool BandOf(const L* const* taps, int64_t step, int64_t rows, int64_t lanes, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const L* p[kCount];
    for (int t = 0; t < kCount; ++t) p[t] = taps[t];
    typename C::Watch watch;
    for (int64_t r = 0; r < rows; ++r, to += lanes) {
      int64_t i = 0;
      for (; lanes - i > (kNarrow ? n / 2 : 0); i += n) {
        auto low = C::Load(d, p[0] + 2 * i), high = C::Load(d, p[0] + 2 * i + n);
        auto seen = C::Watch::Join(low, high);
        for (int t = 1; t < kCount; ++t) {
          const auto a = C::Load(d, p[t] + 2 * i), b = C::Load(d, p[t] + 2 * i + n);
          seen = C::Watch::Join(seen, C::Watch::Join(a, b));
          low = MaxOf(low, a);
          high = MaxOf(high, b);
        }
        const auto best = JoinNeighbours(low, high);
        watch.Elements(seen);
        watch.Maximum(best);
        C::Store(best, d, to + i);
      }
      if (i < lanes) {
        if constexpr (kNarrow) HalfVector<kCount>(p, i, watch, to);
      }
      for (int t = 0; t < kCount; ++t) p[t] += step;
    }
    return watch.Suspicious();
  }

  static HWY_INLINE V JoinNeighbours(V low, V high) {
    V even, odd;
    if constexpr (kNarrow) {
      Split(D(), JoinEach(low), JoinEach(high), even, odd);
      return even;
    } else {
      Split(D(), low, high, even, odd);
      return MaxOf(even, odd);
    }
  }
  // The maximum of each two neighbours in the place of the first.
  static HWY_INLINE V JoinEach(V v) {
    const hn::Repartition<Wide, D> wide;
    return MaxOf(v, hn::BitCast(D(), hn::ShiftRight<8 * sizeof(L)>(hn::BitCast(wide, v))));
  }
  // The same of a row that ends within the first half of a vector, from its lane i on.
  template <int kCount>
  static HWY_INLINE void HalfVector(const L* const* p, int64_t i, typename C::Watch& watch, L* to) {
    const D d;
    const hn::Half<D> half;
    V best = C::Load(d, p[0] + 2 * i), seen = best;
    for (int t = 1; t < kCount; ++t) {
      const V tap = C::Load(d, p[t] + 2 * i);
      seen = C::Watch::Join(seen, tap);
      best = MaxOf(best, tap);
    }
    best = JoinEach(best);
    watch.Elements(seen);
    watch.Maximum(best);
    const hn::Repartition<Wide, D> wide;
    const hn::Rebind<hwy::MakeUnsigned<L>, decltype(wide)> narrow;
    C::Store(hn::BitCast(half, hn::TruncateTo(narrow, hn::BitCast(wide, best))), half, to + i);
  }
};

template <class C>
class MaxRows {
 public:
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;

  MaxRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        begin_(begin),
        end_(end),
        shape_(plan),
        in_(buffers.in, plan.InElements(), shape_.in_lanes, scratch),
        out_(buffers.out, end * plan.OutPlane() * plan.inner, shape_.out_lanes,
             scratch.Get<L>(kStagingSlot, SafeOutput<L>::StagingLanes(shape_.out_lanes))),
        split_(Strip<C>::IsSplit(shape_) && FewRows(plan)),
        strip_(plan, shape_, split_, scratch),
        stored_(shape_.in_lanes, C::kIdentity),
        rows_(scratch.Get<const L*>(kPointerSlot, MostWindowRows(plan) + 1)) {
    const Axis* axis = plan.axis;
    FillWindows(scratch);
    pairs_ = shape_.IsPairs() && axis[0].pad == 0 && axis[1].pad == 0 && axis[0].SpanAt(axis[0].out - 1).taps > 0 &&
             windows_[axis[1].out - 1].span.taps > 0 && MostWindowRows(plan) <= kUnrolled;
    if constexpr (C::kHasNan) {
      nan_ = scratch.Get<uint8_t>(kWorkSlot, axis[0].in * axis[1].in);
      seen_ = scratch.Get<L>(kFoldSlot, shape_.in_lanes + kReadSlack);
    }
  }

  HWY_ATTR void Run() {
    for (int64_t plane = begin_; plane < end_; ++plane) Plane(plane);
  }

 private:
  // Whether any window, however clipped, has so few rows that there is a loop for them.
  static bool FewRows(const Plan& plan) {
    const int64_t deep = plan.axis[0].kernel, high = plan.axis[1].kernel;
    return MostWindowRows(plan) <= kUnrolled || (deep <= 3 && high <= 3);
  }

  void FillWindows(Scratch& scratch) {
    const Axis* axis = plan_.axis;
    windows_ = scratch.Get<HeightWindow>(kSpanSlot, axis[1].out + axis[2].out);
    columns_ = reinterpret_cast<Span*>(windows_ + axis[1].out);
    FillHeightWindows(axis[1], windows_);
    const bool cells = shape_.horizontal == Horizontal::kCells;
    if (cells) axis[2].FillSpans(columns_);
  }

  HWY_INLINE void Plane(int64_t plane) {
    const Axis* axis = plan_.axis;
    plane_ = plane;
    in_begin_ = plane * plan_.InPlane() * plan_.inner;
    suspicious_ = false;
    int64_t out = plane * plan_.OutPlane() * plan_.inner;
    for (int64_t d = 0; d < axis[0].out; ++d) {
      const Span deep = axis[0].SpanAt(d);
      for (int64_t h = 0; h < axis[1].out;) {
        const int64_t rows = std::min(strip_.most_rows(), axis[1].out - h);
        if (!suspicious_ && !Rows(deep, h, rows, out, false)) Suspect();
        for (int64_t r = 0; suspicious_ && r < rows; ++r) {
          CarefulRow(d, deep, h + r, out + r * shape_.out_lanes);
        }
        h += rows;
        out += rows * shape_.out_lanes;
      }
    }
  }

  // From here on, every row of the plane is looked at.
  void Suspect() {
    suspicious_ = true;
    if constexpr (C::kHasNan) std::fill_n(nan_, plan_.axis[0].in * plan_.axis[1].in, uint8_t{kUnknown});
  }

  // Output rows [h, h + count). False, and they are not right, where there may be NaN, unless they are known
  // to be `clean`.
  HWY_NOINLINE bool Rows(Span deep, int64_t h, int64_t count, int64_t out, bool clean) {
    if (pairs_) return PairRows(deep, h, count, out);
    bool suspicious = false;
    for (int64_t r = 0; r < count;) r += Band(deep, h + r, count - r, r, suspicious);
    if (suspicious && !clean) return false;
    strip_.Prepare(count);
    if (out_.IsDirect(out + (count - 1) * shape_.out_lanes)) {
      strip_.RowsInto(0, count, columns_, out_.Begin(out));
      return true;
    }
    for (int64_t r = 0; r < count; ++r, out += shape_.out_lanes) {
      strip_.RowsInto(r, r + 1, columns_, out_.Begin(out));
      out_.End(out);
    }
    return true;
  }

  // The same where both steps are one.
  HWY_NOINLINE bool PairRows(Span deep, int64_t h, int64_t count, int64_t out) {
    bool suspicious = false;
    const int64_t step = plan_.axis[1].stride * shape_.in_lanes;
    for (int64_t r = 0; r < count;) {
      List(deep, windows_[h + r].span);
      int64_t rows = std::min(count - r, windows_[h + r].run);
      if (!InOnePiece(deep, h + r, rows)) rows = 1;
      if (!out_.IsDirect(out + (rows - 1) * shape_.out_lanes)) rows = 1;
      L* to = out_.Begin(out);
      suspicious |= Pairs<C>().Band(rows_, count_, step, rows, shape_.out_lanes, to);
      out_.End(out + (rows - 1) * shape_.out_lanes);
      r += rows;
      out += rows * shape_.out_lanes;
    }
    return !suspicious;
  }

  // The vertical step of output row `h` and of the next ones whose windows are the same but for their
  // place, `most` at most, from scratch row `r` on; returns how many.
  HWY_INLINE int64_t Band(Span deep, int64_t h, int64_t most, int64_t r, bool& suspicious) {
    L* to = strip_.Data(r);
    const HeightWindow& window = windows_[h];
    int64_t rows = std::min(most, window.run);
    List(deep, window.span);
    if (!InOnePiece(deep, h, rows)) rows = 1;
    const int64_t step = plan_.axis[1].stride * shape_.in_lanes;
    if (split_ && count_ > 0) {
      suspicious |=
          stored_.SplitBand(rows_, count_, step, rows, strip_.EvenColumns(r), strip_.OddColumns(r), strip_.pitch());
    } else if (split_) {
      rows = 1;
      strip_.Clear(r);
    } else if (!IsUnrolled(count_)) {
      rows = 1;
      suspicious |= stored_.Row(rows_, count_, to);
    } else {
      suspicious |= stored_.Band(rows_, count_, step, rows, to, strip_.pitch());
    }
    return rows;
  }

  // Whether pointers into the first of `rows` windows may be counted on into the others.
  HWY_INLINE bool InOnePiece(Span deep, int64_t h, int64_t rows) const {
    const int64_t slice = plan_.axis[1].in * shape_.in_lanes;
    const int64_t first = in_begin_ + deep.first * slice;
    const int64_t last = first + (deep.taps - 1) * plan_.axis[0].dilation * slice;
    return in_.InOnePiece(first + windows_[h].span.first * shape_.in_lanes,
                          last + (windows_[h + rows - 1].end - 1) * shape_.in_lanes);
  }

  HWY_INLINE void List(Span deep, Span high) {
    const int64_t step = plan_.axis[1].dilation * shape_.in_lanes;
    count_ = 0;
    for (int64_t d = 0; d < deep.taps; ++d) {
      int64_t row = (deep.first + d * plan_.axis[0].dilation) * plan_.axis[1].in + high.first;
      row = in_begin_ + row * shape_.in_lanes;
      for (int64_t t = 0; t < high.taps; ++t, row += step) rows_[count_++] = in_.At(row);
    }
  }

  // One output row of a plane that may hold NaN.
  HWY_NOINLINE void CarefulRow(int64_t d, Span deep, int64_t h, int64_t out) {
    if (WindowHasNan(deep, windows_[h].span)) {
      PlainMaxRow(plan_, buffers_, plane_, d, h);
    } else {
      Rows(deep, h, 1, out, true);
    }
  }
  HWY_NOINLINE bool WindowHasNan(Span deep, Span high) {
    if constexpr (C::kHasNan) {
      for (int64_t d = 0; d < deep.taps; ++d) {
        int64_t row = (deep.first + d * plan_.axis[0].dilation) * plan_.axis[1].in + high.first;
        for (int64_t t = 0; t < high.taps; ++t, row += plan_.axis[1].dilation) {
          if (nan_[row] == kUnknown) nan_[row] = RowState(row);
          if (nan_[row] == kNan) return true;
        }
      }
    }
    return false;
  }
  uint8_t RowState(int64_t row) const {
    const L* from = in_.At(in_begin_ + row * shape_.in_lanes);
    return WindowsHaveNan<typename C::Nan>(plan_.axis[2], plan_.inner, from, seen_) ? kNan : kClean;
  }

  enum : uint8_t { kUnknown, kClean, kNan };

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t begin_, end_;
  const RowShape shape_;
  SafeRows<L> in_;
  SafeOutput<L> out_;
  bool pairs_;        // whether both steps are one
  const bool split_;  // whether the strip is split
  Strip<C> strip_;
  const Vertical<C> stored_;
  const L** rows_;  // of a window
  int64_t count_ = 0;
  HeightWindow* windows_;   // per output row
  Span* columns_;           // per output column, for Horizontal::kCells
  uint8_t* nan_ = nullptr;  // per row of a suspicious plane
  L* seen_ = nullptr;       // a row of it, without what no window has
  int64_t plane_ = 0;
  int64_t in_begin_ = 0;     // of the plane
  bool suspicious_ = false;  // the plane may hold NaN
};

// Planes [begin, end). C: how elements become lanes (max_codecs-inl.h).
template <class C>
void RunRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  MaxRows<C>(plan, buffers, begin, end, scratch).Run();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
