// Mean of each window, row by row, for one target. See rows.h for the scheme; the identity is zero.
//
// Sums are added up, never subtracted, so that the error stays within taps roundings and an infinity touches only its
// own windows. A row with a mean that is not finite is computed again with more range: the sum may have overflowed.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ROWS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ROWS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_ROWS_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/mean_across-inl.h"
#include "optimized/kernels/mean_direct-inl.h"
#include "optimized/kernels/means-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Lanes and what becomes of their sums. kMeans: they are multiplied by the reciprocal of the number of taps.
// Otherwise they are divided as integers.
template <typename L, bool kMeans>
class MeanRows {
 public:
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  MeanRows(const Plan& plan, const Elements<L>& elements, const Buffers& buffers, int64_t begin, int64_t end,
           Scratch& scratch)
      : plan_(plan),
        elements_(elements),
        buffers_(buffers),
        begin_(begin),
        end_(end),
        shape_(plan, !RowsAreSensible(plan)),
        in_(buffers.in, plan.InElements() * elements.bytes, shape_.in_lanes * elements.bytes, scratch),
        out_(buffers.out, end * plan.OutPlane() * plan.inner, shape_.out_lanes,
             scratch.Get<L>(kStagingSlot, SafeOutput<L>::StagingLanes(shape_.out_lanes))),
        pitch_(RoundUp(shape_.left, kMaxLanes) + shape_.length),
        batch_(Batch()),
        row_begin_(scratch.Get<L>(kRowSlot, batch_ * pitch_) + RoundUp(shape_.left, kMaxLanes) - shape_.left),
        phases_(scratch.Get<L>(kPhaseSlot, PhaseLanes())),
        places_(scratch.Get<int64_t>(kPickSlot, shape_.horizontal == Horizontal::kCells ? 1 : shape_.taps)),
        sums_(scratch.Get<L>(kSumSlot, !kMeans ? batch_ * shape_.out_lanes + kMaxLanes : 1)),
        means_(scratch.Get<L>(kMeanSlot, elements.narrow != nullptr ? batch_ * shape_.out_lanes + kMaxLanes : 1)),
        rows_(scratch.Get<const void*>(kPointerSlot, MostWindowRows(plan) + 1)),
        spans_(scratch.Get<Span>(kSpanSlot, plan.axis[0].out + plan.axis[2].out)),
        windows_(scratch.Get<HeightWindow>(kWindowSlot, plan.axis[1].out)),
        factors_(plan, kMeans && shape_.horizontal == Horizontal::kCells, WidthSpans(), scratch),
        direct_(kMeans && WritesTensor() && elements.widen == nullptr ? DirectOf(shape_) : Direct::kNone) {
    const bool padded = shape_.horizontal != Horizontal::kCells;
    for (int64_t k = 0; padded && k < batch_; ++k) std::fill_n(row_begin_ + k * pitch_, shape_.length, L{0});
    const bool phases = shape_.horizontal == Horizontal::kPhases;
    for (int64_t t = 0; padded && t < shape_.taps; ++t) {
      places_[t] = phases ? shape_.PhaseOffset(t * shape_.step) : t * shape_.step;
    }
    FillWindows();
    if (!kMeans || direct_ != Direct::kNear || !HasNearPlanes(plan, sizeof(L))) return;
    plane_factors_ = scratch.Get<const L*>(kListSlot, plan.axis[1].out);
    for (int64_t h = 0; h < plan.axis[1].out; ++h) plane_factors_[h] = factors_.Of(windows_[h].span.taps, 0);
  }

  HWY_ATTR void Run() {
    for (int64_t plane = begin_; plane < end_; ++plane) Plane(plane);
  }

 private:
  static constexpr int64_t kMaxBatch = Factors<L>::kSlots;
  // Rows that go down before they go across.
  int64_t Batch() const {
    constexpr int64_t kBytes = int64_t{16} * 1024;
    const int64_t fit = std::clamp<int64_t>(kBytes / (pitch_ * static_cast<int64_t>(sizeof(L))), 1, kMaxBatch);
    return std::min(fit, plan_.axis[0].out * plan_.axis[1].out);
  }
  int64_t PhaseLanes() const {
    return shape_.horizontal == Horizontal::kPhases ? shape_.phase_length * shape_.stride : 1;
  }

  HWY_INLINE void Plane(int64_t plane) {
    const Axis* axis = plan_.axis;
    const int64_t in = plane * plan_.InPlane() * plan_.inner, rows = axis[0].out * axis[1].out;
    int64_t out = plane * plan_.OutPlane() * plan_.inner;
    if constexpr (kMeans) {
      if (plane_factors_ != nullptr && NearPlane(plane, in, out)) return;
    }
    // Several rows go down before the first goes across: what was just stored is slow to load shifted.
    for (int64_t row = 0; row < rows;) {
      int64_t count = 0;
      if constexpr (kMeans) count = DirectRowsFrom(plane, in, row, out);
      if (count > 0) {
        row += count;
        out += count * shape_.out_lanes;
        continue;
      }
      // Which rows are pooled in registers depends on the plan only, so others go one by one.
      count = direct_ != Direct::kNone ? 1 : std::min(batch_, rows - row);
      // Rows near the end of the output are staged, one by one.
      if (WritesTensor() && !out_.IsDirect(out + (count - 1) * shape_.out_lanes)) count = 1;
      Down(in, row, row + count);
      const uint32_t bad_rows = Means(row, count, out);
      if (kMeans) Redo(plane, row, bad_rows);
      row += count;
      out += count * shape_.out_lanes;
    }
  }

  // Whether means go to the tensor as they are.
  bool WritesTensor() const { return elements_.narrow == nullptr; }

  // Pools rows from `row` on in registers and returns how many; 0 where the first one cannot be.
  HWY_INLINE int64_t DirectRowsFrom(int64_t plane, int64_t in, int64_t row, int64_t out) {
    if (direct_ == Direct::kNone) return 0;
    const Span deep = DepthSpan(row);
    const HeightWindow& high = HeightAt(row);
    const int64_t lanes = shape_.out_lanes, step = plan_.axis[1].stride * shape_.in_lanes;
    const int64_t count = deep.taps * high.span.taps;
    int64_t rows = high.run;
    if (direct_ == Direct::kPairs) {
      if (!PairMeans<L>::Has(count)) return 0;
    } else {
      rows = NearRows(in, deep, high, count);
      if (rows == 0) return 0;
    }
    if (!out_.IsDirect(out + (rows - 1) * lanes)) rows = 1;
    if (!CollectRows(in, deep, high.span, (rows - 1) * step)) rows = 1;
    const DirectRows<L> to = {rows, lanes, step, factors_.Of(count, 0), out_.Begin(out)};
    bool suspicious;
    if (direct_ == Direct::kPairs) {
      suspicious = PairMeans<L>::Pool(to, rows_, count);
    } else {
      suspicious = NearMeans<L>(shape_).Pool(to, static_cast<const L*>(rows_[0]), count);
    }
    out_.End(out);
    if (suspicious) RedoSuspicious(plane, row, rows, out);
    return rows;
  }

  // A whole plane; false where it, or what lies beside it, is not in the tensors.
  HWY_INLINE bool NearPlane(int64_t plane, int64_t in, int64_t out) const {
    const Axis& high = plan_.axis[1];
    const int64_t rows = high.out, lanes = shape_.out_lanes, last = in + (high.in - 1) * shape_.in_lanes;
    if (in < shape_.left || !in_.IsInPlace(last * elements_.bytes) || !out_.IsDirect(out + (rows - 1) * lanes)) {
      return false;
    }
    const DirectRows<L> to = {rows, lanes, 0, nullptr, static_cast<L*>(buffers_.out) + out};
    const L* from = static_cast<const L*>(buffers_.in) + in;
    const NearMeans<L> means(shape_);
    if (means.PoolPlane(to, plane_factors_, from, high.in, high.pad)) RedoSuspicious(plane, 0, rows, out);
    return true;
  }

  // Rows whose windows lie one below the other in the tensor itself, with an element before them.
  int64_t NearRows(int64_t in, Span deep, const HeightWindow& high, int64_t count) const {
    constexpr int64_t kBytes = int64_t{32} * 1024;  // of input at a time, which is read column by column
    const Axis& height = plan_.axis[1];
    if (deep.taps != 1 || count == 0 || count > NearMeans<L>::kMostRows || height.dilation != 1) return 0;
    const int64_t first = in + (deep.first * height.in + high.span.first) * shape_.in_lanes;
    if (first < shape_.left) return 0;
    int64_t rows = std::min(high.run, 1 + kBytes / (shape_.in_lanes * static_cast<int64_t>(sizeof(L))));
    if (count > 1 && height.stride != 1) rows = 1;
    const auto last = [&] { return first + ((rows - 1) * height.stride + count - 1) * shape_.in_lanes; };
    while (rows > 0 && !in_.IsInPlace(last() * elements_.bytes)) --rows;
    return rows;
  }

  HWY_NOINLINE void RedoSuspicious(int64_t plane, int64_t row, int64_t rows, int64_t out) const {
    const L* mean = static_cast<const L*>(buffers_.out) + out;
    for (int64_t r = row; r < row + rows; ++r) {
      bool finite = true;
      for (int64_t i = 0; i < shape_.out_lanes; ++i) finite &= std::isfinite(*mean++);
      if (!finite) Redo(plane, r, 1);
    }
  }

  void Redo(int64_t plane, int64_t row, uint32_t bad_rows) const {
    for (; bad_rows != 0; bad_rows >>= 1, ++row) {
      if ((bad_rows & 1) == 0) continue;
      PlainAverageRow(plan_, buffers_, plane, row / plan_.axis[1].out, row % plan_.axis[1].out);
    }
  }

  void FillWindows() {
    const Axis* axis = plan_.axis;
    axis[0].FillSpans(spans_);
    axis[2].FillSpans(spans_ + axis[0].out);
    FillHeightWindows(axis[1], windows_);
  }
  // Windows of output row `row` of a plane.
  Span DepthSpan(int64_t row) const { return spans_[plan_.axis[0].out == 1 ? 0 : row / plan_.axis[1].out]; }
  const HeightWindow& HeightAt(int64_t row) const {
    return windows_[plan_.axis[0].out == 1 ? row : row % plan_.axis[1].out];
  }
  const Span* WidthSpans() const { return spans_ + plan_.axis[0].out; }

  // Sums of the rows of the windows of output rows [begin, end), in scratch rows.
  HWY_NOINLINE void Down(int64_t in, int64_t begin, int64_t end) {
    const D d;
    const int64_t lanes = shape_.in_lanes, pitch = pitch_;
    L* to = row_begin_ + shape_.left;
    for (int64_t r = begin; r < end;) {
      const Span deep = DepthSpan(r);
      const HeightWindow& high = HeightAt(r);
      int64_t rows = std::min(end - r, high.run);
      const int64_t step = plan_.axis[1].stride * lanes;
      if (!CollectRows(in, deep, high.span, (rows - 1) * step)) rows = 1;
      elements_.sum({rows_, count_, step, rows, lanes, to, pitch});
      // The last vector went past the end of the row.
      for (int64_t end_row = r + rows; r < end_row; ++r, to += pitch) hn::StoreU(hn::Zero(d), d, to + lanes);
    }
  }

  // Lists the rows of a window; returns whether pointers to them may be counted on by `reach` elements.
  HWY_NOINLINE bool CollectRows(int64_t in, Span deep, Span high, int64_t reach) {
    const int64_t row = shape_.in_lanes * elements_.bytes, slice = plan_.axis[1].in * row;
    const int64_t first = in * elements_.bytes + deep.first * slice + high.first * row;
    count_ = 0;
    for (int64_t d = 0; d < deep.taps; ++d) {
      for (int64_t h = 0, at = first + d * slice; h < high.taps; ++h, at += row) rows_[count_++] = in_.At(at);
    }
    const int64_t last = first + (deep.taps - 1) * slice + (high.taps - 1) * row;
    return in_.InOnePiece(first, last + reach * elements_.bytes);
  }

  // Output rows [row, row + count) from the scratch rows. A bit for every row that is not finite.
  HWY_INLINE uint32_t Means(int64_t row, int64_t count, int64_t out) {
    const L* factors[kMaxBatch];
    for (int64_t r = 0; r < count; ++r) {
      factors[r] = factors_.Of(DepthSpan(row + r).taps * HeightAt(row + r).span.taps, r);
    }
    const int64_t lanes = shape_.out_lanes;
    uint8_t* to = static_cast<uint8_t*>(buffers_.out) + out * elements_.bytes;
    L* means = !kMeans ? sums_ : means_;
    if (WritesTensor()) means = out_.Begin(out);
    const uint32_t bad_rows = Across({count, row_begin_, pitch_, factors, means, lanes});
    if (WritesTensor()) {
      out_.End(out);
    } else if (!kMeans) {
      const int64_t room = end_ * plan_.OutPlane() * plan_.inner - out;
      // Its last vector is divided as a whole, and no integer is what a NaN converts to.
      const hn::ScalableTag<L> d;
      hn::StoreU(hn::Zero(d), d, means + count * lanes);
      elements_.divide({count, lanes, means, factors, factors_.rounding(), to, room});
    } else {
      elements_.narrow(means, count * lanes, to);
    }
    return bad_rows;
  }

  HWY_INLINE uint32_t Across(Lines<L> lines) {
    switch (shape_.horizontal) {
      case Horizontal::kCells: return AcrossCells(lines);
      case Horizontal::kShift: return AcrossShift(lines);
      default: return AcrossPhases(lines);
    }
  }

  uint32_t AcrossCells(Lines<L>& lines) {
    lines.row += shape_.left;
    return MeanAcross<L, kMeans>::Cells(lines, WidthSpans(), shape_.inner, shape_.step);
  }

  uint32_t AcrossShift(Lines<L>& lines) {
    switch (shape_.taps) {
      case 1: return MeanAcross<L, kMeans>::template Shift<1>(lines, shape_.step);
      case 2: return MeanAcross<L, kMeans>::template Shift<2>(lines, shape_.step);
      case 3: return MeanAcross<L, kMeans>::template Shift<3>(lines, shape_.step);
      default: break;
    }
    return MeanAcross<L, kMeans>::Slide(lines, places_, shape_.taps);
  }

  uint32_t AcrossPhases(Lines<L>& lines) {
    if (shape_.stride == 2 && shape_.step == 1) {
      if (shape_.taps == 2) return MeanAcross<L, kMeans>::template Stride2<2>(lines);
      if (shape_.taps == 3) return MeanAcross<L, kMeans>::template Stride2<3>(lines);
    }
    if (shape_.stride == 3 && shape_.step == 1 && shape_.taps == 3) {
      return MeanAcross<L, kMeans>::Stride3(lines);
    }
    return EachLine(lines, [&](Lines<L>& line) HWY_ATTR {
      SplitPhases(line.row, shape_, phases_);
      line.row = phases_;
      return MeanAcross<L, kMeans>::Slide(line, places_, shape_.taps);
    });
  }

  template <class F>
  uint32_t EachLine(const Lines<L>& lines, const F& pool) {
    uint32_t bad_rows = 0;
    for (int64_t r = 0; r < lines.count; ++r) {
      Lines<L> line = lines;
      line.count = 1;
      line.row += r * lines.pitch;
      line.factors += r;
      line.to += r * lines.lanes;
      bad_rows |= pool(line) << r;
    }
    return bad_rows;
  }

  const Plan& plan_;
  const Elements<L> elements_;
  const Buffers buffers_;
  const int64_t begin_, end_;
  const RowShape shape_;
  const SafeRows<uint8_t> in_;  // in bytes
  SafeOutput<L> out_;
  const int64_t pitch_, batch_;
  L* const row_begin_;  // scratch rows, aligned where the input begins
  L* const phases_;
  int64_t* const places_;  // of taps in a row, or in phases
  L* const sums_;          // of the windows of a batch of rows, if they are divided
  L* const means_;         // of such a batch, if they are narrowed
  const void** const rows_;
  Span* const spans_;            // along the depth, then along the width
  HeightWindow* const windows_;  // along the height
  Factors<L> factors_;
  const Direct direct_;
  const L** plane_factors_ = nullptr;  // of each output row of a plane that is pooled in one piece
  int64_t count_ = 0;                  // of rows_
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
