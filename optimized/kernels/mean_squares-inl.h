// Means over 3 x 3 elements around each element of planes of a few vectors, for one target: a plane is in registers,
// and the taps beside its elements are picked from two vectors.
//
// Sums are added up down first, as in mean_picks-inl.h.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_SQUARES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_SQUARES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_SQUARES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_SQUARES_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/pick_groups-inl.h"
#include "optimized/kernels/quotient-inl.h"

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// L: of 32 bits. kVectors: of a plane.
template <typename L, int kVectors>
class MeanSquares {
 public:
  using Groups = PickGroups<L, 1, false>;

  MeanSquares(const Plan& plan, Scratch& scratch) : count_(plan.InPlane()), width_(plan.axis[2].in) {
    const Axis &height = plan.axis[1], &width = plan.axis[2];
    Span* const widths = scratch.Get<Span>(kListSlot, width_);
    width.FillSpans(widths);
    Factors<L> factors(plan, true, widths, scratch);
    std::fill_n(factors_, kVectors * kLanes, L{0});
    std::fill_n(right_, kVectors * kLanes, -1);
    std::fill_n(left_, kVectors * kLanes, -1);
    for (int64_t h = 0; h < height.out; ++h) {
      const int64_t begin = h * width_;
      std::copy_n(factors.Of(height.SpanAt(h).taps, 0), width_, factors_ + begin);
      right_[begin] = left_[begin + width_ - 1] = 0;
    }
  }

  static bool Fits(const Plan& plan) {
    return plan.inner == 1 && plan.IsFlat() && IsAround(plan.axis[1], 3) && IsAround(plan.axis[2], 3) &&
           plan.axis[2].in <= kLanes && (plan.InPlane() + kLanes - 1) / kLanes == kVectors;
  }

  // Pools planes that follow each other. Returns whether all means are finite.
  HWY_NOINLINE bool Pool(int64_t planes, const L* from, L* to) const {
    const D d;
    const VI above = hn::Iota(DI(), static_cast<int32_t>(kLanes - width_)), before = hn::Iota(DI(), kLanes - 1);
    const VI below = hn::Iota(DI(), static_cast<int32_t>(width_)), after = hn::Iota(DI(), 1);
    constexpr int64_t kWhole = (kVectors - 1) * kLanes;
    const auto inside = hn::FirstN(d, static_cast<size_t>(count_ - kWhole));
    const V zero = hn::Zero(d);
    V bad = zero;
    for (; planes > 0; --planes, from += count_, to += count_) {
      // Without elements around them.
      V plane[kVectors + 2], down[kVectors + 2];
      plane[0] = plane[kVectors + 1] = down[0] = down[kVectors + 1] = zero;
      for (int i = 1; i < kVectors; ++i) plane[i] = hn::LoadU(d, from + (i - 1) * kLanes);
      plane[kVectors] = hn::MaskedLoad(inside, d, from + kWhole);
      for (int i = 1; i <= kVectors; ++i) {
        const V upper = hn::Add(PickLanes(plane[i - 1], plane[i], above), plane[i]);
        down[i] = hn::Add(upper, PickLanes(plane[i], plane[i + 1], below));
        hwy::Prefetch(from + (i - 1) * kLanes + Groups::kElements);
      }
      for (int i = 1; i <= kVectors; ++i) {
        const int64_t at = (i - 1) * kLanes;
        const V left = hn::And(PickLanes(down[i - 1], down[i], before), Bits(right_ + at));
        const V right = hn::And(PickLanes(down[i], down[i + 1], after), Bits(left_ + at));
        // A sum of nothing but negative zeros is zero.
        const V sum = hn::Add(hn::Add(hn::Add(zero, left), down[i]), right);
        const V mean = hn::Mul(sum, hn::Load(d, factors_ + at));
        bad = hn::Or(bad, hn::Sub(mean, mean));
        i < kVectors ? hn::StoreU(mean, d, to + at) : hn::BlendedStore(mean, inside, d, to + at);
        hwy::Prefetch(to + at + kAhead);
      }
    }
    return hn::AllFalse(d, hn::IsNaN(bad));
  }

 private:
  using D = hn::ScalableTag<L>;
  using DI = hn::RebindToSigned<D>;
  using V = hn::Vec<D>;
  using VI = hn::Vec<DI>;
  static constexpr int64_t kLanes = RowTap::kLanes;
  static constexpr int64_t kAhead = 512;  // elements

  static HWY_INLINE V Bits(const int32_t* p) { return hn::BitCast(D(), hn::Load(DI(), p)); }

  const int64_t count_, width_;  // elements of a plane and of a row
  alignas(64) L factors_[kVectors * kLanes];
  // All bits of the elements that have one to the left of them, and one to the right.
  alignas(64) int32_t right_[kVectors * kLanes];
  alignas(64) int32_t left_[kVectors * kLanes];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
