// Maximum with its position, for one target. See index_shape.h for the scheme.
//
// Among equal values the first in row-major order counts, so every input row is combined along itself first
// (left to right), and rows are combined afterwards (top to bottom), both with a strict comparison.
// A position is kept in an integer lane as wide as the value, counted from the begin of the window; it
// is widened when it is stored.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INDEX_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INDEX_ROWS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INDEX_ROWS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INDEX_ROWS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/index_across-inl.h"
#include "optimized/kernels/index_down-inl.h"
#include "optimized/kernels/plain.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// B: a vector of maxima (index_best-inl.h).
template <class B>
class IndexRows {
 public:
  using L = typename B::L;
  using I = typename B::I;
  using D = typename B::D;
  using DI = typename B::DI;
  using Field = typename B::Field;

  // `form` says how elements become lanes.
  IndexRows(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
            Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        form_(form),
        begin_(begin),
        end_(end),
        shape_(plan, end - begin, sizeof(L)),
        in_(buffers.in, form.IsStored() ? plan.InElements() : 0, shape_.in, scratch),
        widened_(scratch.Get<L>(kGroupSlot, form.IsStored() ? 1 : shape_.chunk * shape_.in + kReadSlack)),
        // What is narrowed afterwards is all staged.
        out_(buffers.out, form.IsStored() ? end * plan.OutPlane() : 0, shape_.out,
             scratch.Get<L>(kStagingSlot, SafeOutput<L>::StagingLanes(shape_.out))),
        is_wide_(plan.index_type == POOLPROOF_I64),
        wide_index_(buffers.index, end * plan.OutPlane(), shape_.out,
                    scratch.Get<int64_t>(kIndexStagingSlot, SafeOutput<int64_t>::StagingLanes(shape_.out))),
        index_(buffers.index, end * plan.OutPlane(), shape_.out,
               scratch.Get<int32_t>(kNarrowIndexStagingSlot, SafeOutput<int32_t>::StagingLanes(shape_.out))),
        bed_(scratch.Get<L>(kRowSlot, shape_.BedLanes())),
        wide_bed_(MakeField(scratch, kPhaseSlot, shape_.covered > 1 ? shape_.BedLanes() : 0)),
        field_(MakeField(scratch, kWorkSlot, shape_.FieldLanes())),
        wide_field_(MakeField(scratch, kTransposeSlot, shape_.down_covered > 1 ? shape_.FieldLanes() : 0)),
        tables_(plan, shape_, scratch.Get<I>(kTableSlot, IndexTables<I>::Lanes(shape_))),
        windows_(scratch.Get<IndexWindow>(kListSlot, plan.axis[0].out * plan.axis[1].out)),
        nan_(scratch.Get<uint8_t>(kFlagSlot, shape_.capacity)),
        across_(shape_, bed_, wide_bed_, tables_),
        down_{.from = field_,
              .begin = tables_.begin,
              .inside = tables_.inside,
              .out = shape_.out,
              .base = 0,
              .in = shape_.in,
              .pitch = shape_.out_pitch,
              .step = 1,
              .last = 0,
              .high = 1,
              .deep_step = shape_.deep_step,
              .deep = 1},
        amend_(tables_.some_empty || plan.index_bound < plan.InPlane()) {
    std::fill_n(bed_, shape_.BedLanes(), IdentityOfMax<L>());
    if (!form.IsStored()) std::fill_n(widened_ + shape_.chunk * shape_.in, kReadSlack, L{0});
    IndexWindow* window = windows_;
    for (int64_t d = 0; d < plan.axis[0].out; ++d) {
      for (int64_t h = 0; h < plan.axis[1].out; ++h) *window++ = IndexWindow(plan, shape_, d, h);
    }
  }

  HWY_ATTR void Run() {
    for (int64_t plane = begin_; plane < end_; ++plane) Plane(plane);
  }

 private:
  static constexpr bool kHasNan = hwy::IsFloat<L>();
  static Field MakeField(Scratch& scratch, ScratchSlot slot, int64_t lanes) {
    return B::MakeField(scratch.Get(slot, static_cast<size_t>(lanes * B::kFieldBytes)), lanes);
  }

  HWY_INLINE void Plane(int64_t plane) {
    const int64_t base = plane * plan_.InPlane() % plan_.index_bound;
    const int64_t first_row = (plane - begin_) * shape_.plane_rows;
    const int64_t out_rows = plan_.axis[0].out * plan_.axis[1].out;
    int64_t out = plane * plan_.OutPlane();
    for (int64_t r = 0; r < out_rows; ++r, out += shape_.out) {
      const IndexWindow& window = windows_[r];
      if (Provide(first_row, window)) {
        Down(first_row, window, base, out_.Begin(out), IndexBegin(out));
        End(out);
        if (amend_ && is_wide_) Amend(static_cast<int64_t*>(buffers_.index) + out);
        if (amend_ && !is_wide_) Amend(static_cast<int32_t*>(buffers_.index) + out);
      } else {
        PlainMaxRow(plan_, buffers_, plane, r / plan_.axis[1].out, r % plan_.axis[1].out);
      }
    }
  }

  HWY_INLINE IndexArray IndexBegin(int64_t out) {
    if (is_wide_) return {wide_index_.Begin(out), true};
    return {index_.Begin(out), false};
  }
  HWY_INLINE void End(int64_t out) {
    if (form_.IsStored()) {
      out_.End(out);
    } else {
      form_.narrow(out_.Begin(out), shape_.out, form_.At(buffers_.out, out));
    }
    is_wide_ ? wide_index_.End(out) : index_.End(out);
  }

  // Sees to it that the field holds the rows of a window. False if there are none, or NaN in one of them.
  HWY_INLINE bool Provide(int64_t first_row, const IndexWindow& window) {
    while (rows_end_ <= first_row + window.last) NextChunk(first_row + window.kept);
    if (last_nan_ < first_row + window.first) return window.last >= window.first;
    return window.last >= window.first && !WindowHoldsNan(first_row + window.first, window);
  }

  bool WindowHoldsNan(int64_t row, const IndexWindow& window) const {
    const int64_t span = window.last - window.first - (window.deep - 1) * shape_.deep_step;
    bool nan = false;
    for (int64_t d = 0; d < window.deep; ++d) {
      const uint8_t* flags = nan_ + (row - rows_begin_ + d * shape_.deep_step);
      for (int64_t h = 0; h <= span; h += shape_.high_step) nan |= flags[h] != 0;
    }
    return nan;
  }

  // Extends the field by a chunk of rows.
  HWY_NOINLINE void NextChunk(int64_t kept) {
    const int64_t rows = std::min(shape_.chunk, shape_.rows - rows_end_);
    if (rows_end_ + rows - rows_begin_ > shape_.capacity) Forget(std::min(kept, rows_end_));
    const int64_t at = rows_end_ - rows_begin_;
    std::fill_n(nan_ + at, rows, uint8_t{0});
    if (FillBed(rows)) FlagNan(rows);
    const Field to = field_.From(at * shape_.out_pitch);
    across_.Run(rows, to);
    rows_end_ += rows;
    if (shape_.down_covered > 1) WidenDown();
  }

  // Drops the rows before `kept`.
  HWY_INLINE void Forget(int64_t kept) {
    const int64_t from = (kept - rows_begin_) * shape_.out_pitch;
    const int64_t count = (rows_end_ - kept) * shape_.out_pitch;
    field_.Move(from, count);
    if (shape_.down_covered > 1) wide_field_.Move(from, count);
    std::copy_n(nan_ + (kept - rows_begin_), rows_end_ - kept, nan_);
    rows_begin_ = kept;
  }

  // Brings the next rows into the bed; true if one of them holds NaN.
  HWY_NOINLINE bool FillBed(int64_t rows) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const auto inside = hn::FirstN(d, static_cast<size_t>(shape_.in % n));
    const auto identity = hn::Set(d, IdentityOfMax<L>());
    const L most = form_.most;
    auto nan = hn::MaskFromVec(hn::Zero(d));
    const int64_t first = begin_ * shape_.plane_rows + rows_end_;
    const int64_t in = shape_.in, pitch = shape_.pitch, whole = in - in % n;
    const bool stored = form_.IsStored();
    if (!stored) form_.widen(form_.At(buffers_.in, first * in), rows * in, widened_);
    L* to = bed_ + shape_.left;
    for (int64_t r = 0; r < rows; ++r, to += pitch) {
      const L* from = stored ? in_.At((first + r) * in) : widened_ + r * in;
      for (int64_t i = 0; i < whole; i += n) {
        const auto v = hn::LoadU(d, from + i);
        if constexpr (kHasNan) nan = hn::Or(nan, IsNanLane(v, most));
        hn::StoreU(v, d, to + i);
      }
      if (whole < in) {
        const auto v = hn::IfThenElse(inside, hn::LoadU(d, from + whole), identity);
        // The identity of halves looks like NaN.
        if constexpr (kHasNan) nan = hn::Or(nan, hn::And(inside, IsNanLane(v, most)));
        hn::StoreU(v, d, to + whole);
      }
    }
    return kHasNan && !hn::AllFalse(d, nan);
  }

  HWY_INLINE void FlagNan(int64_t rows) {
    for (int64_t r = 0; r < rows; ++r) {
      const L* row = bed_ + r * shape_.pitch + shape_.left;
      if (!HoldsNan(row, shape_.in, form_.most)) continue;
      nan_[rows_end_ - rows_begin_ + r] = 1;
      last_nan_ = rows_end_ + r;
    }
  }

  // Extends the field whose rows are maxima of four taps.
  HWY_NOINLINE void WidenDown() {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t by = shape_.high_step;
    const int64_t from = std::max(rows_begin_, wide_end_);
    wide_end_ = std::max(from, rows_end_ - 3 * by);
    const int64_t end = (wide_end_ - rows_begin_) * shape_.out_pitch;
    for (int64_t i = (from - rows_begin_) * shape_.out_pitch; i < end; i += n) {
      B best = B::Load(field_, i);
      for (int64_t t = 1; t < 4; ++t) {
        best.JoinBest(B::Load(field_, i + t * by * shape_.out_pitch),
                      hn::Set(DI(), static_cast<I>(t * by * shape_.in)));
      }
      best.Store(wide_field_, i);
    }
  }

  // Combines the rows of a window into an output row.
  HWY_INLINE void Down(int64_t first_row, const IndexWindow& window, int64_t base, L* to, IndexArray index) {
    const Field& field = window.wide && shape_.down_covered > 1 ? wide_field_ : field_;
    down_.from = field.From((first_row + window.first - rows_begin_) * shape_.out_pitch);
    down_.base = base + window.first * shape_.in;
    down_.step = window.step;
    down_.last = window.last_offset;
    down_.high = window.high;
    down_.deep = window.deep;
    down_.Run(to, index);
  }

  // What the vectors do not do right: windows wholly in the padding have index 0, and an index may be
  // counted within less than a plane.
  template <typename X>
  void Amend(X* index) const {
    for (int64_t j = 0; j < tables_.may_be_empty_before; ++j) {
      if (plan_.axis[2].SpanAt(j).taps == 0) index[j] = 0;
    }
    for (int64_t j = tables_.may_be_empty_from; j < shape_.out; ++j) index[j] = 0;
    if (plan_.index_bound >= plan_.InPlane()) return;
    for (int64_t j = 0; j < shape_.out; ++j) index[j] = static_cast<X>(index[j] % plan_.index_bound);
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const LaneForm<L> form_;
  const int64_t begin_, end_;
  const IndexShape shape_;
  SafeRows<L> in_;
  L* const widened_;  // a chunk of rows whose elements are not stored as lanes
  SafeOutput<L> out_;
  const bool is_wide_;
  SafeOutput<int64_t> wide_index_;  // one of these two
  SafeOutput<int32_t> index_;
  L* const bed_;
  const Field wide_bed_, field_, wide_field_;
  const IndexTables<I> tables_;
  IndexWindow* const windows_;  // per output row of a plane
  uint8_t* const nan_;          // per row of the field
  const Across<B> across_;
  DownRows<B> down_;
  const bool amend_;
  // The field holds the rows from rows_begin_ to rows_end_, and maxima of four to wide_end_.
  int64_t rows_begin_ = 0, rows_end_ = 0, wide_end_ = 0;
  int64_t last_nan_ = -1;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
