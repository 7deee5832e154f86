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

#include "optimized/kernels/means-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <class C>
class MeanRows {
 public:
  using T = typename C::Stored;
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  MeanRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch)
      : plan_(plan), buffers_(buffers), begin_(begin), end_(end), shape_(plan),
        in_(buffers.in, plan.InElements(), shape_.in_lanes, scratch),
        out_(buffers.out, end * plan.OutPlane() * plan.inner, shape_.out_lanes,
             scratch.Get<T>(kStagingSlot, SafeOutput<T>::StagingLanes(shape_.out_lanes))),
        row_(scratch.Get<L>(kRowSlot, shape_.length)),
        quads_(scratch.Get<L>(kTransposeSlot, shape_.length)),
        phases_(scratch.Get<L>(kPhaseSlot, 2 * PhaseLanes())),
        taps_(scratch.Get<L>(kWorkSlot, shape_.out_lanes + kMaxLanes)),
        rows_(scratch.Get<const T*>(kPointerSlot, MostRows(plan))),
        spans_(scratch.Get<Span>(kSpanSlot, plan.axis[2].out)) {
    std::fill_n(row_, shape_.length, L{0});
    std::fill_n(quads_, shape_.length, L{0});
    for (int64_t j = 0; j < plan.axis[2].out; ++j) {
      spans_[j] = plan.axis[2].SpanAt(j);
      const L taps = static_cast<L>(std::max<int64_t>(1, spans_[j].taps));
      std::fill_n(taps_ + j * plan.inner, plan.inner, taps);
    }
    std::fill_n(taps_ + shape_.out_lanes, kMaxLanes, L{1});
  }

  HWY_ATTR void Run() {
    for (int64_t plane = begin_; plane < end_; ++plane) Plane(plane);
  }

 private:
  int64_t PhaseLanes() const {
    return shape_.horizontal == Horizontal::kPhases ? shape_.phase_length * shape_.stride : 1;
  }
  static int64_t MostRows(const Plan& plan) {
    return std::min(plan.axis[0].kernel, plan.axis[0].in) *
           std::min(plan.axis[1].kernel, plan.axis[1].in) + 1;
  }

  HWY_INLINE void Plane(int64_t plane) {
    const Axis* axis = plan_.axis;
    const int64_t in = plane * plan_.InPlane() * plan_.inner;
    int64_t out = plane * plan_.OutPlane() * plan_.inner;
    for (int64_t d = 0; d < axis[0].out; ++d) {
      const Span deep = axis[0].SpanAt(d);
      for (int64_t h = 0; h < axis[1].out; ++h, out += shape_.out_lanes) {
        CollectRows(in, deep, axis[1].SpanAt(h));
        T* to = out_.Begin(out);
        Vertical();
        if (Across(to)) {
          out_.End(out);
        } else {
          PlainAverageRow(plan_, buffers_, plane, d, h);
        }
      }
    }
  }

  HWY_INLINE void CollectRows(int64_t in, Span deep, Span high) {
    count_ = 0;
    for (int64_t d = 0; d < deep.taps; ++d) {
      int64_t row = (deep.first + d) * plan_.axis[1].in + high.first;
      for (int64_t h = 0; h < high.taps; ++h) {
        rows_[count_++] = in_.At(in + row++ * shape_.in_lanes);
      }
    }
    const bool inside = plan_.divisor == Divisor::kInside;
    divisor_ = static_cast<L>(inside ? std::max<int64_t>(1, count_) : plan_.KernelTaps());
  }

  // Scratch row = sum of the listed rows.
  HWY_INLINE void Vertical() {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    L* to = row_ + shape_.left;
    int64_t i = 0;
    for (; i + 2 * n <= shape_.in_lanes; i += 2 * n) {
      V a = hn::Zero(d), b = hn::Zero(d);
      for (int64_t r = 0; r < count_; ++r) {
        a = hn::Add(a, C::Load(d, rows_[r] + i));
        b = hn::Add(b, C::Load(d, rows_[r] + i + n));
      }
      hn::StoreU(a, d, to + i);
      hn::StoreU(b, d, to + i + n);
    }
    for (; i < shape_.in_lanes; i += n) {
      V sum = hn::Zero(d);
      for (int64_t r = 0; r < count_; ++r) sum = hn::Add(sum, C::Load(d, rows_[r] + i));
      const auto inside = hn::FirstN(d, static_cast<size_t>(shape_.in_lanes - i));
      hn::StoreU(hn::IfThenElseZero(inside, sum), d, to + i);
    }
  }

  // False if a mean is not finite.
  HWY_INLINE bool Across(T* to) {
    if (shape_.horizontal == Horizontal::kCells) return Cells(to);
    const bool quads = shape_.taps >= 8;
    if (quads) SumQuads();
    if (shape_.horizontal == Horizontal::kShift) return Slide(row_, quads_, quads, to);
    SplitPhases(row_, shape_, phases_);
    if (quads) SplitPhases(quads_, shape_, phases_ + PhaseLanes());
    return Slide(phases_, phases_ + PhaseLanes(), quads, to);
  }

  // quads[i] = sum of the four taps from i on.
  HWY_INLINE void SumQuads() {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t end = shape_.left + shape_.in_lanes;
    const int64_t step = shape_.step;
    for (int64_t i = 0; i < end; i += n) {
      const V a = hn::Add(At(d, i), At(d, i + step));
      const V b = hn::Add(At(d, i + 2 * step), At(d, i + 3 * step));
      hn::StoreU(hn::Add(a, b), d, quads_ + i);
    }
  }
  HWY_INLINE V At(D d, int64_t i) const {
    const int64_t last = shape_.length - static_cast<int64_t>(hn::Lanes(d));
    return hn::LoadU(d, row_ + std::min(i, last));
  }

  HWY_INLINE int64_t Place(int64_t at) const {
    return shape_.horizontal == Horizontal::kPhases ? shape_.PhaseOffset(at) : at;
  }

  HWY_INLINE bool Slide(const L* from, const L* quads, bool use_quads, T* to) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t grouped = use_quads ? shape_.taps / 4 * 4 : 0;
    auto bad = hn::MaskFromVec(hn::Zero(d));
    for (int64_t i = 0; i < shape_.out_lanes; i += n) {
      V sum = hn::Zero(d);
      for (int64_t t = 0; t < grouped; t += 4) {
        sum = hn::Add(sum, hn::LoadU(d, quads + Place(t * shape_.step) + i));
      }
      for (int64_t t = grouped; t < shape_.taps; ++t) {
        sum = hn::Add(sum, hn::LoadU(d, from + Place(t * shape_.step) + i));
      }
      bad = hn::Or(bad, Finish(d, sum, i, shape_.out_lanes - i, to + i));
    }
    return hn::AllFalse(d, bad);
  }

  HWY_INLINE bool Cells(T* to) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    auto bad = hn::MaskFromVec(hn::Zero(d));
    for (int64_t j = 0; j < plan_.axis[2].out; ++j) {
      const int64_t cell = j * shape_.inner;
      const L* from = row_ + shape_.left + spans_[j].first * shape_.inner;
      for (int64_t c = 0; c < shape_.inner; c += n) {
        V sum = hn::Zero(d);
        for (int64_t t = 0; t < spans_[j].taps; ++t) {
          sum = hn::Add(sum, hn::LoadU(d, from + t * shape_.step + c));
        }
        bad = hn::Or(bad, Finish(d, sum, cell + c, shape_.inner - c, to + cell + c));
      }
    }
    return hn::AllFalse(d, bad);
  }

  // Divides and stores; returns which of the first `count` lanes are not finite.
  HWY_INLINE hn::Mask<D> Finish(D d, V sum, int64_t i, int64_t count, T* to) const {
    V divisor = hn::Set(d, divisor_);
    if (plan_.divisor == Divisor::kInside) divisor = hn::Mul(divisor, hn::LoadU(d, taps_ + i));
    if constexpr (C::kFloat) {
      const V mean = hn::Div(sum, divisor);
      C::Store(mean, d, to);
      const auto not_finite = hn::IsNaN(hn::Sub(mean, mean));
      if (count >= static_cast<int64_t>(hn::Lanes(d))) return not_finite;
      return hn::And(not_finite, hn::FirstN(d, static_cast<size_t>(count)));
    } else {
      if (plan_.quotient == Quotient::kConvergent) {
        V twice = hn::Add(sum, sum);
        if constexpr (sizeof(L) == 8) {
          twice = hn::Min(hn::Max(twice, hn::Set(d, -0x1p31)), hn::Set(d, 0x1p31 - 1));
        }
        const V truncated = hn::Trunc(hn::Div(twice, divisor));
        C::Store(hn::Round(hn::Mul(truncated, hn::Set(d, L{0.5}))), d, to);
      } else {
        C::Store(hn::Div(sum, divisor), d, to);
      }
      return hn::MaskFromVec(hn::Zero(d));
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t begin_, end_;
  const RowShape shape_;
  SafeRows<T> in_;
  SafeOutput<T> out_;
  L* row_;
  L* quads_;
  L* phases_;
  L* taps_;  // per output element: taps along the width that are inside, at least 1
  const T** rows_;
  Span* spans_;
  int64_t count_ = 0;
  L divisor_ = 1;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
