// Mean of each window, row by row, for one target. See rows.h for the scheme; the identity is zero.
//
// Sums are added up, never subtracted, so that the error stays within taps roundings and an infinity
// touches only its own windows. A row with a mean that is not finite is computed again with more
// range: the sum may have overflowed where the mean does not.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ROWS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ROWS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_ROWS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/block_sums-inl.h"
#include "optimized/kernels/mean_across-inl.h"
#include "optimized/kernels/mean_kernels.h"
#include "optimized/kernels/means-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Rows and outputs in memory of ours, with room for whole vectors.
template <typename T>
struct OwnRows {
  OwnRows(const void* in, int64_t, int64_t, Scratch&) : rows(static_cast<const T*>(in)) {}
  const T* At(int64_t offset) const { return rows + offset; }
  const T* rows;
};
template <typename T>
struct OwnOutput {
  OwnOutput(void* out, int64_t, int64_t, T*) : rows(static_cast<T*>(out)) {}
  bool IsDirect(int64_t) const { return true; }
  T* Begin(int64_t offset) { return rows + offset; }
  void End(int64_t) {}
  T* rows;
};

// kOwn: input and output are memory of ours, and rows that are not finite are left to the caller.
template <class C, bool kOwn>
class MeanRows {
 public:
  using T = typename C::Stored;
  using Out = typename C::Out;
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  MeanRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch)
      : plan_(plan), buffers_(buffers), begin_(begin), end_(end),
        shape_(plan, kOwn || !RowsAreSensible(plan)),
        in_(buffers.in, plan.InElements(), shape_.in_lanes, scratch),
        out_(buffers.out, end * plan.OutPlane() * plan.inner, shape_.out_lanes,
             scratch.Get<Out>(kStagingSlot, SafeOutput<Out>::StagingLanes(shape_.out_lanes))),
        pitch_(RoundUp(shape_.left, kMaxLanes) + shape_.length), batch_(BatchOf(pitch_)),
        row_begin_(scratch.Get<L>(kRowSlot, batch_ * pitch_) + RoundUp(shape_.left, kMaxLanes) - shape_.left),
        quads_(scratch.Get<L>(kTransposeSlot, UsesQuads() ? shape_.length : 1)),
        cells_(scratch.Get<L>(kCellSlot, kOwn ? (plan.axis[2].in + 1) * kMaxLanes : 1)),
        phases_(scratch.Get<L>(kPhaseSlot, 2 * PhaseLanes())),
        rows_(scratch.Get<const T*>(kPointerSlot, MostRows(plan))),
        spans_(scratch.Get<Span>(kSpanSlot, plan.axis[0].out + plan.axis[1].out + plan.axis[2].out)),
        factors_(plan, shape_.horizontal == Horizontal::kCells, WidthSpans(), scratch),
        blocks_(plan.axis[1], shape_.in_lanes, scratch),
        use_blocks_(BlocksPay(plan.axis[1]) && plan.axis[0].in == 1) {
    for (int64_t k = 0; k < batch_; ++k) std::fill_n(row_begin_ + k * pitch_, shape_.length, L{0});
    if (UsesQuads()) std::fill_n(quads_, shape_.length, L{0});
    Span* span = spans_;
    for (const Axis& axis : plan.axis) {
      for (int64_t j = 0; j < axis.out; ++j) *span++ = axis.SpanAt(j);
    }
  }

  // False if kOwn and a mean is not finite.
  HWY_ATTR bool Run() {
    bool finite = true;
    for (int64_t plane = begin_; plane < end_; ++plane) finite &= Plane(plane);
    return finite;
  }

 private:
  static constexpr int64_t kMaxBatch = Factors<C>::kSlots;
  static int64_t BatchOf(int64_t pitch) {
    constexpr int64_t kBytes = 16 * 1024;
    return std::clamp<int64_t>(kBytes / (pitch * static_cast<int64_t>(sizeof(L))), 1, kMaxBatch);
  }
  bool UsesQuads() const { return shape_.horizontal != Horizontal::kCells && shape_.taps >= 8; }
  int64_t PhaseLanes() const {
    return shape_.horizontal == Horizontal::kPhases ? shape_.phase_length * shape_.stride : 1;
  }
  static int64_t MostRows(const Plan& plan) {
    return std::min(plan.axis[0].kernel, plan.axis[0].in) *
           std::min(plan.axis[1].kernel, plan.axis[1].in) + 1;
  }

  HWY_INLINE bool Plane(int64_t plane) {
    const Axis* axis = plan_.axis;
    const int64_t in = plane * plan_.InPlane() * plan_.inner;
    int64_t out = plane * plan_.OutPlane() * plan_.inner;
    const int64_t rows = axis[0].out * axis[1].out;
    bool finite = true;
    // Several rows go down before the first goes across: what was just stored is slow to load shifted.
    for (int64_t row = 0; row < rows;) {
      // Rows near the end of the output are staged, one by one.
      int64_t count = std::min(batch_, rows - row);
      if (!out_.IsDirect(out + (count - 1) * shape_.out_lanes)) count = 1;
      Down(in, row, row + count);
      const uint32_t bad_rows = Across(row, count, out_.Begin(out));
      finite &= bad_rows == 0;
      out_.End(out);
      if constexpr (!kOwn) Redo(plane, row, bad_rows);
      row += count;
      out += count * shape_.out_lanes;
    }
    return finite;
  }

  void Redo(int64_t plane, int64_t row, uint32_t bad_rows) const {
    for (; bad_rows != 0; bad_rows >>= 1, ++row) {
      if ((bad_rows & 1) == 0) continue;
      PlainAverageRow(plan_, buffers_, plane, row / plan_.axis[1].out, row % plan_.axis[1].out);
    }
  }

  // Windows of output row `row` of a plane.
  Span DepthSpan(int64_t row) const {
    return plan_.axis[0].out == 1 ? spans_[0] : spans_[row / plan_.axis[1].out];
  }
  Span HeightSpan(int64_t row) const {
    return spans_[plan_.axis[0].out + (plan_.axis[0].out == 1 ? row : row % plan_.axis[1].out)];
  }
  const Span* WidthSpans() const { return spans_ + plan_.axis[0].out + plan_.axis[1].out; }

  // Scratch rows = sums of the rows of the windows of output rows [begin, end).
  HWY_NOINLINE void Down(int64_t in, int64_t begin, int64_t end) {
    const D d;
    const int64_t lanes = shape_.in_lanes, pitch = pitch_;
    L* to = row_begin_ + shape_.left;
    for (int64_t r = begin; r < end; ++r, to += pitch) {
      const Span deep = DepthSpan(r), high = HeightSpan(r);
      // Every output along the depth begins again with the first rows.
      if (use_blocks_ && r % plan_.axis[1].out == 0) blocks_.Start();
      if (use_blocks_ && high.taps > 0 && deep.taps > 0) {
        const auto row_at = [&](int64_t i) { return in_.At(in + i * lanes); };
        blocks_.Sum(high.first, high.first + high.taps - 1, row_at, to);
      } else if (deep.taps == 1 && high.taps <= 3 && high.taps > 0) {
        const int64_t first = in + (deep.first * plan_.axis[1].in + high.first) * lanes;
        const T* a = in_.At(first);
        const T* b = high.taps > 1 ? in_.At(first + lanes) : a;
        const T* c = high.taps > 2 ? in_.At(first + 2 * lanes) : a;
        if (high.taps == 1) SumRows<1>(a, b, c, lanes, to);
        if (high.taps == 2) SumRows<2>(a, b, c, lanes, to);
        if (high.taps == 3) SumRows<3>(a, b, c, lanes, to);
      } else {
        CollectRows(in, deep, high);
        SumManyRows(rows_, count_, lanes, to);
      }
      // The last vector went past the end of the row.
      hn::StoreU(hn::Zero(d), d, to + lanes);
    }
  }

  HWY_NOINLINE void CollectRows(int64_t in, Span deep, Span high) {
    count_ = 0;
    for (int64_t d = 0; d < deep.taps; ++d) {
      int64_t row = (deep.first + d) * plan_.axis[1].in + high.first;
      for (int64_t h = 0; h < high.taps; ++h) {
        rows_[count_++] = in_.At(in + row++ * shape_.in_lanes);
      }
    }
  }

  template <int kRows>
  static HWY_INLINE void SumRows(const T* a, const T* b, const T* c, int64_t lanes, L* to) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < lanes; i += n) {
      V sum = C::Load(d, a + i);
      if (kRows > 1) sum = hn::Add(sum, C::Load(d, b + i));
      if (kRows > 2) sum = hn::Add(sum, C::Load(d, c + i));
      hn::StoreU(sum, d, to + i);
    }
  }
  static HWY_NOINLINE void SumManyRows(const T* const* rows, int64_t count, int64_t lanes, L* to) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + n < lanes; i += 2 * n) {
      V a = hn::Zero(d), b = hn::Zero(d);
      for (int64_t r = 0; r < count; ++r) {
        a = hn::Add(a, C::Load(d, rows[r] + i));
        b = hn::Add(b, C::Load(d, rows[r] + i + n));
      }
      hn::StoreU(a, d, to + i);
      hn::StoreU(b, d, to + i + n);
    }
    if (i < lanes) {
      V sum = hn::Zero(d);
      for (int64_t r = 0; r < count; ++r) sum = hn::Add(sum, C::Load(d, rows[r] + i));
      hn::StoreU(sum, d, to + i);
    }
  }

  // Output rows [row, row + count) from the scratch rows. A bit for every row that is not finite.
  HWY_INLINE uint32_t Across(int64_t row, int64_t count, Out* to) {
    const L* factors[kMaxBatch];
    for (int64_t r = 0; r < count; ++r) {
      factors[r] = factors_.Of(DepthSpan(row + r).taps * HeightSpan(row + r).taps, r);
    }
    Lines<C> lines = {count, row_begin_, pitch_, factors, to, shape_.out_lanes, factors_.rounding()};
    switch (shape_.horizontal) {
      case Horizontal::kCells: return AcrossCells(lines);
      case Horizontal::kShift: return AcrossShift(lines);
      default: return AcrossPhases(lines);
    }
  }

  uint32_t AcrossCells(Lines<C>& lines) const {
    lines.row += shape_.left;
    if constexpr (kOwn) {
      if (BlocksPay(plan_.axis[2])) {
        return MeanAcross<C>::CellBlocks(lines, plan_.axis[2], WidthSpans(), shape_.inner, cells_);
      }
    }
    return MeanAcross<C>::Cells(lines, WidthSpans(), shape_.inner, shape_.step);
  }

  uint32_t AcrossShift(Lines<C>& lines) {
    switch (shape_.taps) {
      case 1: return MeanAcross<C>::template Shift<1>(lines, shape_.step);
      case 2: return MeanAcross<C>::template Shift<2>(lines, shape_.step);
      case 3: return MeanAcross<C>::template Shift<3>(lines, shape_.step);
      default: break;
    }
    return EachLine(lines, [&](Lines<C>& line) {
      if (UsesQuads()) SumQuads(line.row);
      return MeanAcross<C>::Slide(line, UsesQuads() ? quads_ : nullptr, shape_);
    });
  }

  uint32_t AcrossPhases(Lines<C>& lines) {
    if (shape_.stride == 2 && shape_.step == 1) {
      if (shape_.taps == 2) return MeanAcross<C>::template Stride2<2>(lines);
      if (shape_.taps == 3) return MeanAcross<C>::template Stride2<3>(lines);
    }
    return EachLine(lines, [&](Lines<C>& line) {
      SplitPhases(line.row, shape_, phases_);
      if (UsesQuads()) {
        SumQuads(line.row);
        SplitPhases(quads_, shape_, phases_ + PhaseLanes());
      }
      line.row = phases_;
      return MeanAcross<C>::Slide(line, UsesQuads() ? phases_ + PhaseLanes() : nullptr, shape_);
    });
  }

  template <class F>
  uint32_t EachLine(const Lines<C>& lines, const F& pool) {
    uint32_t bad_rows = 0;
    for (int64_t r = 0; r < lines.count; ++r) {
      Lines<C> line = lines;
      line.count = 1;
      line.row += r * lines.pitch;
      line.factors += r;
      line.to += r * lines.lanes;
      bad_rows |= pool(line) << r;
    }
    return bad_rows;
  }

  // quads[i] = sum of the four taps from i on.
  HWY_NOINLINE void SumQuads(const L* row) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), last = shape_.length - n;
    const int64_t end = shape_.left + shape_.in_lanes;
    const int64_t step = shape_.step;
    const auto at = [&](int64_t i) HWY_ATTR { return hn::LoadU(d, row + std::min(i, last)); };
    for (int64_t i = 0; i < end; i += n) {
      const V a = hn::Add(at(i), at(i + step));
      const V b = hn::Add(at(i + 2 * step), at(i + 3 * step));
      hn::StoreU(hn::Add(a, b), d, quads_ + i);
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t begin_, end_;
  const RowShape shape_;
  std::conditional_t<kOwn, OwnRows<T>, SafeRows<T>> in_;
  std::conditional_t<kOwn, OwnOutput<Out>, SafeOutput<Out>> out_;
  const int64_t pitch_, batch_;
  L* const row_begin_;  // scratch rows, aligned where the input begins
  L* quads_;
  L* cells_;
  L* phases_;
  const T** rows_;
  Span* spans_;
  Factors<C> factors_;
  RowBlocks<C> blocks_;
  const bool use_blocks_;
  int64_t count_ = 0;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
