// Maximum with index along the width, for one target: from the bed to the field (index_shape.h).
//
// A position is the distance from the begin of the window. Windows are combined left to right with a strict
// comparison, so the first of equal values stays.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INDEX_ACROSS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INDEX_ACROSS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INDEX_ACROSS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INDEX_ACROSS_INL_H_
#endif

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/index_shape.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <class B>
class Across {
 public:
  using L = typename B::L;
  using I = typename B::I;
  using D = typename B::D;
  using DI = typename B::DI;
  using Field = typename B::Field;

  // bed: shape.BedLanes() elements; wide: as many, if shape.covered > 1.
  Across(const IndexShape& shape, const L* bed, Field wide, const IndexTables<I>& tables)
      : shape_(shape), bed_(bed), wide_(wide), multiples_(tables.multiples), columns_(tables.columns) {}

  // Combines `rows` rows of the bed.
  HWY_INLINE void Run(int64_t rows, Field to) const {
    const int64_t count = rows * shape_.out_pitch;
    if (shape_.covered > 1) return RunWide(rows, count, to);
    switch (shape_.stride) {
      case 0: return Unequal(rows, to);
      case 1:
        if (shape_.taps == 3) return Taps<1, 3>(count, to);
        return shape_.taps == 2 ? Taps<1, 2>(count, to) : Taps<1, 0>(count, to);
      case 2:
        if (shape_.step == 1 && shape_.taps == 3) return Pairs<3>(count, to);
        if (shape_.step == 1 && shape_.taps == 2) return Pairs<2>(count, to);
        return Taps<2, 0>(count, to);
      default: return Taps<0, 0>(count, to);
    }
  }

 private:
  static HWY_INLINE hn::Vec<DI> Distance(int64_t distance) { return hn::Set(DI(), static_cast<I>(distance)); }
  static int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

  // kTaps: 0 for any number.
  template <int kStride, int kTaps>
  HWY_NOINLINE void Taps(int64_t count, Field to) const {
    const D d;
    const int64_t n = Lanes(), step = shape_.step;
    const int64_t taps = kTaps > 0 ? kTaps : shape_.taps;
    const int64_t stride = kStride > 0 ? kStride : shape_.stride;
    for (int64_t i = 0; i < count; i += n) {
      const L* p = bed_ + i * stride;
      B best = B::First(LoadStrided<kStride>(d, p, multiples_));
      for (int64_t t = 1; t < taps; ++t) {
        best.JoinTap(LoadStrided<kStride>(d, p + t * step, multiples_), t * step);
      }
      best.Store(to, i);
    }
  }

  // Stride 2 and kTaps neighbours: the first two come from the same loads.
  template <int kTaps>
  HWY_NOINLINE void Pairs(int64_t count, Field to) const {
    const D d;
    const int64_t n = Lanes();
    for (int64_t i = 0; i < count; i += n) {
      hn::Vec<D> even, odd;
      Deinterleave(d, bed_ + 2 * i, even, odd);
      B best = B::First(even);
      best.JoinTap(odd, 1);
      if (kTaps == 3) best.JoinTap(LoadEven(d, bed_ + 2 * i + 2), 2);
      best.Store(to, i);
    }
  }

  // Windows of unequal size: each tap of each window from where it lies.
  HWY_NOINLINE void Unequal(int64_t rows, Field to) const {
    const D d;
    const DI di;
    const int64_t n = Lanes();
    const L* row = bed_;
    for (int64_t r = 0; r < rows; ++r, row += shape_.pitch) {
      for (int64_t i = 0; i < shape_.out; i += n) {
        const I* column = columns_ + i;
        B best = B::First(hn::GatherIndex(d, row, hn::LoadU(di, column)));
        for (int64_t t = 1; t < shape_.taps; ++t) {
          column += shape_.out + kMaxLanes;
          best.JoinTap(hn::GatherIndex(d, row, hn::LoadU(di, column)), t);
        }
        best.Store(to, r * shape_.out_pitch + i);
      }
    }
  }

  HWY_INLINE void RunWide(int64_t rows, int64_t count, Field to) const {
    // The last window reads padding behind its row, which is that before the next one.
    const int64_t end = rows * shape_.pitch + shape_.left;
    WidenBed(end);
    for (int64_t by = 4; by < shape_.covered; by *= 4) WidenField(by * shape_.step, end);
    switch (shape_.stride) {
      case 1: return Windows<1>(count, to);
      case 2: return Windows<2>(count, to);
      default: return Windows<0>(count, to);
    }
  }

  // Each element becomes the maximum of itself and the next three taps.
  HWY_NOINLINE void WidenBed(int64_t end) const {
    const D d;
    const int64_t n = Lanes(), by = shape_.step;
    for (int64_t i = 0; i < end; i += n) {
      B best = B::First(hn::LoadU(d, bed_ + i));
      best.JoinTap(hn::LoadU(d, bed_ + i + by), by);
      best.JoinTap(hn::LoadU(d, bed_ + i + 2 * by), 2 * by);
      best.JoinTap(hn::LoadU(d, bed_ + i + 3 * by), 3 * by);
      best.Store(wide_, i);
    }
  }
  // In place: only elements further on are read.
  HWY_NOINLINE void WidenField(int64_t by, int64_t end) const {
    const int64_t n = Lanes();
    for (int64_t i = 0; i < end; i += n) {
      B best = B::Load(wide_, i);
      for (int64_t t = 1; t < 4; ++t) best.JoinBest(B::Load(wide_, i + t * by), Distance(t * by));
      best.Store(wide_, i);
    }
  }

  // Windows from elements that cover several taps. The last element overlaps the one before.
  template <int kStride>
  HWY_NOINLINE void Windows(int64_t count, Field to) const {
    const int64_t n = Lanes();
    const int64_t by = shape_.covered * shape_.step;
    const int64_t last = (shape_.taps - shape_.covered) * shape_.step;
    const int64_t stride = kStride > 0 ? kStride : shape_.stride;
    for (int64_t i = 0; i < count; i += n) {
      const Field from = wide_.From(i * stride);
      B best = Strided<kStride>(from);
      for (int64_t at = by; at < last; at += by) {
        best.JoinBest(Strided<kStride>(from.From(at)), Distance(at));
      }
      best.JoinBest(Strided<kStride>(from.From(last)), Distance(last));
      best.Store(to, i);
    }
  }
  template <int kStride>
  HWY_INLINE B Strided(Field from) const {
    return {LoadStrided<kStride>(D(), from.value, multiples_), LoadStrided<kStride>(DI(), from.at, multiples_)};
  }

  const IndexShape& shape_;
  const L* bed_;
  const Field wide_;
  const I* multiples_;
  const I* columns_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
