// Maximum without index, row by row, for one target. See rows.h for the scheme.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_ROWS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_ROWS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_ROWS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/lanes-inl.h"
#include "optimized/kernels/max_kernels.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Types whose lanes compare as they are.
template <typename T>
struct Direct {
  using Lane = T;
  using Nan = FloatNan;
  static constexpr bool kHasNan = hwy::IsFloat<T>();
  static constexpr Lane kIdentity = IdentityOfMax<T>();

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const T* p) {
    return hn::LoadU(d, p);
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, T* p) {
    hn::StoreU(v, d, p);
  }
};

// f16 and bf16 as integers of the same order: the bits below the sign are flipped where it is set. A full
// vector of 16-bit maxima is several times cheaper than widening. kInfinity: bits of +infinity.
template <int16_t kInfinity>
struct HalfKey {
  using Lane = int16_t;
  using Nan = HalfNan<kInfinity>;
  static constexpr bool kHasNan = true;

  static constexpr Lane kIdentity = static_cast<Lane>((kInfinity ^ 0x7FFF) | 0x8000);

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const int16_t* p) {
    return FlipBits(d, hn::LoadU(d, p));
  }
  template <class D, class V>
  static HWY_INLINE void Store(V v, D d, int16_t* p) {
    hn::StoreU(FlipBits(d, v), d, p);
  }

 private:
  template <class D, class V>
  static HWY_INLINE V FlipBits(D d, V v) {
    return hn::Xor(v, hn::And(hn::ShiftRight<15>(v), hn::Set(d, int16_t{0x7FFF})));
  }
};

template <class C>
class MaxRows {
 public:
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;

  MaxRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch)
      : plan_(plan), buffers_(buffers), begin_(begin), end_(end), shape_(plan),
        in_(buffers.in, plan.InElements(), shape_.in_lanes, scratch),
        out_(buffers.out, end * plan.OutPlane() * plan.inner, shape_.out_lanes,
             scratch.Get<L>(kStagingSlot, SafeOutput<L>::StagingLanes(shape_.out_lanes))),
        row_(scratch.Get<L>(kRowSlot, shape_.length)),
        phases_(scratch.Get<L>(kPhaseSlot, shape_.horizontal == Horizontal::kPhases
                                               ? shape_.phase_length * shape_.stride : 1)),
        rows_(scratch.Get<const L*>(kPointerSlot, MostRows(plan))),
        nan_(nullptr) {
    if constexpr (C::kHasNan) nan_ = scratch.Get<uint8_t>(kWorkSlot, plan.axis[0].in * plan.axis[1].in);
    spans_ = scratch.Get<Span>(kSpanSlot, shape_.horizontal == Horizontal::kCells ? plan.axis[2].out : 1);
    if (shape_.horizontal == Horizontal::kCells) {
      for (int64_t j = 0; j < plan.axis[2].out; ++j) spans_[j] = plan.axis[2].SpanAt(j);
    }
    std::fill_n(row_, shape_.length, C::kIdentity);
  }

  HWY_ATTR void Run() {
    for (int64_t plane = begin_; plane < end_; ++plane) Plane(plane);
  }

 private:
  static int64_t MostRows(const Plan& plan) {
    return std::min(plan.axis[0].kernel, plan.axis[0].in) *
           std::min(plan.axis[1].kernel, plan.axis[1].in) + 1;
  }

  HWY_INLINE void Plane(int64_t plane) {
    const Axis* axis = plan_.axis;
    if constexpr (C::kHasNan) std::fill_n(nan_, axis[0].in * axis[1].in, uint8_t{kUnknown});
    const int64_t in = plane * plan_.InPlane() * plan_.inner;
    int64_t out = plane * plan_.OutPlane() * plan_.inner;
    for (int64_t d = 0; d < axis[0].out; ++d) {
      const Span deep = axis[0].SpanAt(d);
      for (int64_t h = 0; h < axis[1].out; ++h) {
        const Span high = axis[1].SpanAt(h);
        if (CollectRows(in, deep, high)) {
          PlainMaxRow(plan_, buffers_, plane, d, h);
        } else {
          L* to = out_.Begin(out);
          Vertical();
          Across(to);
          out_.End(out);
        }
        out += shape_.out_lanes;
      }
    }
  }

  // Lists the input rows of the window; true if one of them holds NaN.
  HWY_INLINE bool CollectRows(int64_t in, Span deep, Span high) {
    count_ = 0;
    bool nan = false;
    for (int64_t d = 0; d < deep.taps; ++d) {
      int64_t row = (deep.first + d * plan_.axis[0].dilation) * plan_.axis[1].in + high.first;
      for (int64_t h = 0; h < high.taps; ++h, row += plan_.axis[1].dilation) {
        rows_[count_] = in_.At(in + row * shape_.in_lanes);
        if constexpr (C::kHasNan) {
          if (nan_[row] == kUnknown) nan_[row] = RowState(rows_[count_]);
          nan |= nan_[row] == kNan;
        }
        ++count_;
      }
    }
    return nan;
  }

  HWY_INLINE uint8_t RowState(const L* row) const {
    return HasNan<typename C::Nan>(row, shape_.in_lanes) ? kNan : kClean;
  }

  // Scratch row = maximum of the listed rows.
  HWY_INLINE void Vertical() {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    L* to = row_ + shape_.left;
    int64_t i = 0;
    for (; i + 4 * n <= shape_.in_lanes; i += 4 * n) Vertical4(i, to + i);
    for (; i + n <= shape_.in_lanes; i += n) hn::StoreU(Column(d, i), d, to + i);
    if (i < shape_.in_lanes) {
      const auto inside = hn::FirstN(d, static_cast<size_t>(shape_.in_lanes - i));
      const auto v = Column(d, i);
      hn::StoreU(hn::IfThenElse(inside, v, hn::Set(d, C::kIdentity)), d, to + i);
    }
  }

  // The first row, or the identity if the window has no row.
  HWY_INLINE hn::Vec<D> Edge(D d, int64_t i) const {
    return count_ == 0 ? hn::Set(d, C::kIdentity) : C::Load(d, rows_[0] + i);
  }

  HWY_INLINE hn::Vec<D> Column(D d, int64_t i) const {
    auto v = Edge(d, i);
    for (int64_t r = 1; r < count_; ++r) v = MaxOf(v, C::Load(d, rows_[r] + i));
    return v;
  }

  HWY_INLINE void Vertical4(int64_t i, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    auto v0 = Edge(d, i), v1 = Edge(d, i + n), v2 = Edge(d, i + 2 * n), v3 = Edge(d, i + 3 * n);
    for (int64_t r = 1; r < count_; ++r) {
      const L* row = rows_[r] + i;
      v0 = MaxOf(v0, C::Load(d, row));
      v1 = MaxOf(v1, C::Load(d, row + n));
      v2 = MaxOf(v2, C::Load(d, row + 2 * n));
      v3 = MaxOf(v3, C::Load(d, row + 3 * n));
    }
    hn::StoreU(v0, d, to);
    hn::StoreU(v1, d, to + n);
    hn::StoreU(v2, d, to + 2 * n);
    hn::StoreU(v3, d, to + 3 * n);
  }

  HWY_INLINE void Across(L* to) {
    if (shape_.horizontal == Horizontal::kCells) return Cells(to);
    int64_t covered = 1;
    // Large kernels: each element becomes the maximum of itself and the next taps, four at a time.
    while (shape_.taps > 5 * covered) {
      Widen(covered * shape_.step);
      covered *= 4;
    }
    if (shape_.horizontal == Horizontal::kShift) {
      Shift(covered, to);
    } else if (shape_.stride == 2 && shape_.taps <= 3 && shape_.step == 1) {
      Stride2(to);
    } else {
      SplitPhases(row_, shape_, phases_);
      Phases(covered, to);
    }
    if (covered > 1) std::fill_n(row_, shape_.left, C::kIdentity);
  }

  // row[i] = max(row[i], row[i+by], row[i+2by], row[i+3by]); the identity lies past the end.
  HWY_INLINE void Widen(int64_t by) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t end = shape_.left + shape_.in_lanes;
    for (int64_t i = 0; i < end; i += n) {
      const auto a = MaxOf(At(d, i), At(d, i + by));
      const auto b = MaxOf(At(d, i + 2 * by), At(d, i + 3 * by));
      hn::StoreU(MaxOf(a, b), d, row_ + i);
    }
  }
  HWY_INLINE hn::Vec<D> At(D d, int64_t i) const {
    const int64_t last = shape_.length - static_cast<int64_t>(hn::Lanes(d));
    return hn::LoadU(d, row_ + std::min(i, last));
  }

  HWY_INLINE void Shift(int64_t covered, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t last = (shape_.taps - covered) * shape_.step;
    const int64_t by = covered * shape_.step;
    for (int64_t i = 0; i < shape_.out_lanes; i += n) {
      auto v = hn::LoadU(d, row_ + i);
      for (int64_t at = by; at < last; at += by) v = MaxOf(v, hn::LoadU(d, row_ + i + at));
      C::Store(MaxOf(v, hn::LoadU(d, row_ + i + last)), d, to + i);
    }
  }

  HWY_INLINE void Stride2(L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < shape_.out_lanes; i += n) {
      hn::Vec<D> even, odd;
      Deinterleave(d, row_ + 2 * i, even, odd);
      if (shape_.taps > 1) even = MaxOf(even, odd);
      if (shape_.taps > 2) even = MaxOf(even, LoadEven(d, row_ + 2 * i + 2));
      C::Store(even, d, to + i);
    }
  }

  // Tap at distance o is element o/stride of phase o%stride.
  HWY_INLINE void Phases(int64_t covered, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t last = (shape_.taps - covered) * shape_.step;
    for (int64_t i = 0; i < shape_.out_lanes; i += n) {
      auto v = hn::LoadU(d, Phase(last) + i);
      for (int64_t at = 0; at < last; at += covered * shape_.step) {
        v = MaxOf(v, hn::LoadU(d, Phase(at) + i));
      }
      C::Store(v, d, to + i);
    }
  }
  HWY_INLINE const L* Phase(int64_t at) const {
    return phases_ + shape_.PhaseOffset(at);
  }

  HWY_INLINE void Cells(L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t j = 0; j < plan_.axis[2].out; ++j, to += shape_.inner) {
      const L* from = row_ + shape_.left + spans_[j].first * shape_.inner;
      for (int64_t c = 0; c < shape_.inner; c += n) {
        auto v = hn::Set(d, C::kIdentity);
        for (int64_t t = 0; t < spans_[j].taps; ++t) {
          v = MaxOf(v, hn::LoadU(d, from + t * shape_.step + c));
        }
        C::Store(v, d, to + c);
      }
    }
  }

  enum : uint8_t { kUnknown, kClean, kNan };

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t begin_, end_;
  const RowShape shape_;
  SafeRows<L> in_;
  SafeOutput<L> out_;
  L* row_;
  L* phases_;
  const L** rows_;
  uint8_t* nan_;  // per row of the plane
  Span* spans_;
  int64_t count_ = 0;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
