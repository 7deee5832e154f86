// Maximum with its position, for one target. See rows.h for the scheme.
//
// Among equal values the first in row-major order counts, so every input row is combined along itself first
// (left to right), and rows are combined afterwards (top to bottom), both with a strict comparison.
// A position is kept in an integer lane as wide as the value: first the distance from the begin of the
// window, then the column, then the position in the plane; it is widened when it is stored.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INDEX_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INDEX_ROWS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INDEX_ROWS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INDEX_ROWS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/index_plane.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// A vector of values and one of positions.
template <class D>
struct Best {
  using DI = hn::RebindToSigned<D>;
  hn::Vec<D> value;
  hn::Vec<DI> at;

  // Takes the other where its value is larger.
  HWY_INLINE void Join(hn::Vec<D> v, hn::Vec<DI> position) {
    const auto larger = hn::Gt(v, value);
    value = hn::IfThenElse(larger, v, value);
    at = hn::IfThenElse(hn::RebindMask(DI(), larger), position, at);
  }
};

// C: how elements become lanes (wide-inl.h). X: int32_t or int64_t, as the index is stored.
template <class C, typename X>
class IndexRows {
 public:
  using T = typename C::Stored;
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;
  using DI = hn::RebindToSigned<D>;
  using I = hn::TFromD<DI>;

  IndexRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch)
      : plan_(plan), buffers_(buffers), begin_(begin), end_(end), shape_(plan),
        in_(buffers.in, plan.InElements(), shape_.in_lanes, scratch),
        work_(plan, shape_, scratch),
        out_(buffers.out, end * plan.OutPlane() * plan.inner, shape_.out_lanes, work_.staged_value),
        index_(buffers.index, end * plan.OutPlane() * plan.inner, shape_.out_lanes,
               work_.staged_index) {
    std::fill_n(work_.row, shape_.length, C::kIdentity);
  }

  HWY_ATTR void Run() {
    for (int64_t plane = begin_; plane < end_; ++plane) Plane(plane);
  }

 private:
  HWY_INLINE void Plane(int64_t plane) {
    const Axis* axis = plan_.axis;
    work_.Forget();
    const int64_t in = plane * plan_.InPlane() * plan_.inner;
    int64_t out = plane * plan_.OutPlane() * plan_.inner;
    base_ = plane * plan_.InPlane() % plan_.index_bound;
    for (int64_t d = 0; d < axis[0].out; ++d) {
      const Span deep = axis[0].SpanAt(d);
      for (int64_t h = 0; h < axis[1].out; ++h) {
        const Span high = axis[1].SpanAt(h);
        if (CollectRows(in, deep, high)) {
          PlainMaxRow(plan_, buffers_, plane, d, h);
        } else {
          Vertical(out_.Begin(out), index_.Begin(out));
          out_.End(out);
          index_.End(out);
          ClearEmpty(out);
        }
        out += shape_.out_lanes;
      }
    }
  }

  // Lists the combined rows of the window, combining those that have not been yet; true if one
  // of them holds NaN.
  HWY_INLINE bool CollectRows(int64_t in, Span deep, Span high) {
    count_ = 0;
    bool nan = false;
    for (int64_t d = 0; d < deep.taps; ++d) {
      const int64_t z = deep.first + d * plan_.axis[0].dilation;
      int64_t y = high.first;
      for (int64_t h = 0; h < high.taps; ++h, y += plan_.axis[1].dilation) {
        const int64_t row = z * plan_.axis[1].in + y;
        const int64_t slot = work_.SlotOf(row);
        if (work_.holds[slot] != row) Combine(row, slot, in_.At(in + row * shape_.in_lanes));
        nan |= work_.nan[slot] != 0;
        work_.list[count_++] = {slot * work_.pitch, row * plan_.axis[2].in % plan_.index_bound};
      }
    }
    return nan;
  }

  HWY_INLINE void Combine(int64_t row, int64_t slot, const T* from) {
    work_.holds[slot] = row;
    work_.nan[slot] = 0;
    if constexpr (C::kHasNan) {
      work_.nan[slot] = HasNan<typename C::Nan>(from, shape_.in_lanes) ? 1 : 0;
      if (work_.nan[slot] != 0) return;
    }
    Spread(from);
    Across(work_.values + slot * work_.pitch, work_.columns + slot * work_.pitch);
  }

  // Scratch row = the input row as lanes.
  HWY_INLINE void Spread(const T* from) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    L* to = work_.row + shape_.left;
    int64_t i = 0;
    for (; i + n <= shape_.in_lanes; i += n) hn::StoreU(C::Load(d, from + i), d, to + i);
    if (i < shape_.in_lanes) {
      const auto inside = hn::FirstN(d, static_cast<size_t>(shape_.in_lanes - i));
      const auto v = hn::IfThenElse(inside, C::Load(d, from + i), hn::Set(d, C::kIdentity));
      hn::StoreU(v, d, to + i);
    }
  }

  HWY_INLINE void Across(L* values, I* columns) {
    if (shape_.horizontal == Horizontal::kCells) return Cells(values, columns);
    int64_t covered = 1;
    while (shape_.taps > 6 * covered) {
      Widen(covered);
      covered *= 4;
    }
    if (covered > 1) {
      Slide<true>(covered, values, columns);
      std::fill_n(work_.row, shape_.left, C::kIdentity);
    } else {
      Slide<false>(covered, values, columns);
    }
  }

  // Each element becomes the maximum of itself and the next `covered` times four taps, and `steps`
  // the distance to it.
  HWY_INLINE void Widen(int64_t covered) {
    const D d;
    const DI di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t by = covered * shape_.step;
    const int64_t end = shape_.left + shape_.in_lanes;
    const int64_t last = shape_.length - n;
    for (int64_t i = 0; i < end; i += n) {
      Best<D> best = {hn::LoadU(d, work_.row + i),
                      covered == 1 ? hn::Zero(di) : hn::LoadU(di, work_.steps + i)};
      for (int64_t t = 1; t < 4; ++t) {
        const int64_t from = std::min(i + t * by, last);
        auto at = hn::Set(di, static_cast<I>(t * by));
        if (covered > 1) at = hn::Add(at, hn::LoadU(di, work_.steps + from));
        best.Join(hn::LoadU(d, work_.row + from), at);
      }
      hn::StoreU(best.value, d, work_.row + i);
      hn::StoreU(best.at, di, work_.steps + i);
    }
    if (covered == 1) std::fill(work_.steps + RoundUp(end, n), work_.steps + shape_.length, I{0});
  }

  // Combines the taps of each window, `covered` of them already in one element.
  template <bool kSteps>
  HWY_INLINE void Slide(int64_t covered, L* values, I* columns) {
    const D d;
    const DI di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const bool phases = shape_.horizontal == Horizontal::kPhases;
    if (phases) SplitPhases(work_.row, shape_, work_.phases);
    if (phases && kSteps) SplitPhases(work_.steps, shape_, work_.step_phases);
    const L* from = phases ? work_.phases : work_.row;
    const I* steps = phases ? work_.step_phases : work_.steps;
    const int64_t last = (shape_.taps - covered) * shape_.step;
    const int64_t by = covered * shape_.step;
    for (int64_t i = 0; i < shape_.out_lanes; i += n) {
      Best<D> best = {hn::LoadU(d, from + i), kSteps ? hn::LoadU(di, steps + i) : hn::Zero(di)};
      for (int64_t at = by; at < last + by; at += by) {
        const int64_t tap = std::min(at, last);
        const int64_t offset = phases ? shape_.PhaseOffset(tap) : tap;
        auto position = hn::Set(di, static_cast<I>(tap));
        if (kSteps) position = hn::Add(position, hn::LoadU(di, steps + offset + i));
        best.Join(hn::LoadU(d, from + offset + i), position);
      }
      auto column = hn::Add(best.at, hn::LoadU(di, work_.begin_columns + i));
      if (shape_.left > 0) {
        // Only a window of nothing but the lowest value can point into the padding.
        const auto first = hn::LoadU(di, work_.first_columns + i);
        column = hn::IfThenElse(hn::Lt(column, hn::Zero(di)), first, column);
      }
      hn::StoreU(best.value, d, values + i);
      hn::StoreU(column, di, columns + i);
    }
  }

  HWY_INLINE void Cells(L* values, I* columns) {
    const D d;
    const DI di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t j = 0; j < plan_.axis[2].out; ++j) {
      const Span span = work_.spans[j];
      const L* from = work_.row + shape_.left + span.first * shape_.inner;
      for (int64_t c = 0; c < shape_.inner; c += n) {
        Best<D> best = {span.taps > 0 ? hn::LoadU(d, from + c) : hn::Set(d, C::kIdentity),
                        hn::Set(di, static_cast<I>(span.first))};
        for (int64_t t = 1; t < span.taps; ++t) {
          const int64_t column = span.first + t * plan_.axis[2].dilation;
          best.Join(hn::LoadU(d, from + t * shape_.step + c), hn::Set(di, static_cast<I>(column)));
        }
        hn::StoreU(best.value, d, values + j * shape_.inner + c);
        hn::StoreU(best.at, di, columns + j * shape_.inner + c);
      }
    }
  }

  // Combines the listed rows into an output row.
  HWY_INLINE void Vertical(T* to, X* index) {
    const D d;
    const DI di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < shape_.out_lanes; i += n) {
      Best<D> best = {hn::Set(d, C::kIdentity), hn::Zero(di)};
      for (int64_t r = 0; r < count_; ++r) {
        const auto [offset, first] = work_.list[r];
        const auto v = hn::LoadU(d, work_.values + offset + i);
        const auto at = hn::Add(hn::LoadU(di, work_.columns + offset + i),
                                hn::Set(di, static_cast<I>(first)));
        if (r == 0) {
          best = {v, at};
        } else {
          best.Join(v, at);
        }
      }
      C::Store(best.value, d, to + i);
      StoreIndex(di, best.at, count_ == 0 ? 0 : base_, index + i);
    }
  }

  // Windows without a column have index 0.
  HWY_INLINE void ClearEmpty(int64_t out) {
    if (!work_.some_empty) return;
    X* index = static_cast<X*>(buffers_.index) + out;
    for (int64_t j = 0; j < plan_.axis[2].out; ++j) {
      if (work_.spans[j].taps > 0) continue;
      std::fill_n(index + j * shape_.inner, shape_.inner, X{0});
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t begin_, end_;
  const RowShape shape_;
  SafeRows<T> in_;
  IndexPlane<T, L, I, X> work_;
  SafeOutput<T> out_;
  SafeOutput<X> index_;
  int64_t count_ = 0;
  int64_t base_ = 0;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
