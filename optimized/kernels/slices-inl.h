// Maxima with index of windows that have a depth, where those of slices are pooled in registers (direct-inl.h): each
// slice of the input is pooled like a plane, once, and what a few of them gave becomes a slice of the output. For one
// target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_SLICES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_SLICES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_SLICES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_SLICES_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// F: a MaxFold of elements that are as large as lanes. Positions are in the slice.
template <class F>
class Slices {
 public:
  using B = typename F::B;
  using L = typename B::L;
  using I = typename B::I;
  using DI = typename B::DI;
  using Field = typename B::Field;

  Slices(const Plan& plan, Scratch& scratch)
      : plan_(plan),
        slice_out_(plan.axis[1].out * plan.axis[2].out),
        kept_(std::min(plan.axis[0].in, plan.axis[0].Reach() + 1)),
        held_(scratch.Get<Held>(kFlagSlot, kept_)),
        taps_(scratch.Get<Field>(kGroupSlot, kept_)) {
    const int64_t lanes = kept_ * slice_out_ + kMaxLanes;
    slices_ = B::MakeField(scratch.Get(kWorkSlot, static_cast<size_t>(lanes * B::kFieldBytes)), lanes);
  }

  // Pools all slices of a plane to `to` and `index`, whose element 0 has index `base`. pool(z, field): slice z of the
  // plane, whether it may have NaN. repair(d): slice d of the output may be of NaN.
  template <class Pool, class Repair>
  HWY_NOINLINE void Run(const F& fold, int64_t base, L* to, IndexArray index, const Pool& pool, const Repair& repair) {
    const Axis& depth = plan_.axis[0];
    std::fill_n(held_, kept_, Held{-1, false});
    for (int64_t d = 0; d < depth.out; ++d) {
      const Span span = depth.SpanAt(d);
      bool nan = false;
      for (int64_t t = 0; t < span.taps; ++t) {
        const int64_t z = span.first + t * depth.dilation;
        Held& held = held_[z % kept_];
        taps_[t] = slices_.From(z % kept_ * slice_out_);
        if (held.slice != z) held = {z, pool(z, taps_[t])};
        nan |= held.nan;
      }
      const int64_t slice = plan_.axis[1].in * plan_.axis[2].in;
      Combine(fold, span.taps, depth.dilation * slice, base + span.first * slice, to + d * slice_out_,
              index.From(d * slice_out_));
      if (nan) repair(d);
    }
  }

 private:
  struct Held {
    int64_t slice;
    bool nan;  // whether it may have one
  };

  // Values are elements.
  static HWY_INLINE B Load(const F& fold, Field field, int64_t i) {
    return B::At(fold.Load(typename B::D(), field.value + i), hn::LoadU(DI(), field.at + i));
  }

  // The windows of `taps` slices, `step` elements apart, become those of an output slice.
  HWY_NOINLINE void Combine(const F& fold, int64_t taps, int64_t step, int64_t base, L* to, IndexArray index) const {
    const typename B::D d;
    const DI di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t j = 0; j < slice_out_; j += n) {
      const int64_t i = std::min(j, slice_out_ - n);  // the last vector overlaps the one before
      B best = Load(fold, taps_[0], i);
      for (int64_t t = 1; t < taps; ++t) best.JoinBest(Load(fold, taps_[t], i), t * step);
      fold.Store(d, best.value, to + i);
      PrefetchOutput(to + i + kVectorsAhead * n, index.From(i + kVectorsAhead * n), n);
      StoreIndex(di, best.at, base, index.From(i), n);
    }
  }

  const Plan& plan_;
  const int64_t slice_out_;  // elements of a slice of the output
  // Pooled slices of a plane, slice z at z % kept_.
  const int64_t kept_;
  Held* const held_;
  Field* const taps_;
  Field slices_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
