// Small planes whose rows are short, for one target: the rows of a window are joined below each other, and each tap of
// all windows of a row is picked from two vectors at once.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_COLUMN_PICKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_COLUMN_PICKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_COLUMN_PICKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_COLUMN_PICKS_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "optimized/kernels/pick_groups-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/quotient-inl.h"
#include "optimized/kernels/unrolled.h"

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Means of lanes of 32 bits, with the additions of mean_planes-inl.h in the same order. kPlanes:
// those of the taps.
template <typename L, int kPlanes>
class ColumnPicks {
 public:
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;
  using Groups = PickGroups<L, kPlanes>;

  ColumnPicks(const Plan& plan, const RowTaps& taps, Scratch& scratch)
      : plan_(plan), in_plane_(plan.InPlane()), out_plane_(plan.OutPlane()), taps_(taps),
        spans_(scratch.Get<Span>(kSpanSlot, plan.axis[1].out + plan.axis[2].out)),
        factors_(plan, true, spans_ + plan.axis[1].out, scratch) {
    plan.axis[1].FillSpans(spans_);
    plan.axis[2].FillSpans(spans_ + plan.axis[1].out);
  }

  HWY_ATTR void Run(const Groups& groups, int64_t begin, int64_t end) {
    bool finite = true;
    const auto pool = [&](int64_t, int64_t planes, const L* from, L* to) HWY_ATTR {
      Unrolled(taps_.count, [&](auto taps) HWY_ATTR { finite = Planes<taps()>(planes, from, to); });
    };
    // Rows with means that are not finite, once more with more range.
    const auto amend = [&](int64_t plane, int64_t planes, const L*, const L* means) {
      const int64_t height = plan_.axis[1].out, width = plan_.axis[2].out;
      for (int64_t r = 0; !finite && r < planes * height; ++r, means += width) {
        const bool row = std::all_of(means, means + width, [](L mean) { return std::isfinite(mean); });
        if (!row) PlainAverageRow(plan_, groups.buffers, plane + r / height, 0, r % height);
      }
    };
    groups.Run(begin, end, pool, amend);
  }

 private:
  using Parts = PickParts<D, kPlanes>;
  using Vectors = PickVectors<D, kPlanes>;

  // Returns whether all means are finite.
  template <int kTaps>
  HWY_NOINLINE bool Planes(int64_t planes, const L* from, L* to) {
    bool finite = true;
    for (int64_t p = 0; p < planes; p += kPlanes) {
      const bool alone = p + kPlanes > planes;  // without a second plane
      const Parts parts(plan_.axis[2].out, alone, out_plane_);
      const L* const second = Vectors::SecondOf(from, in_plane_, alone);
      finite &= taps_.further < kTaps ? Plane<kTaps, true>(from, second, parts, to)
                                      : Plane<kTaps, false>(from, second, parts, to);
      from += kPlanes * in_plane_;
      to += kPlanes * out_plane_;
    }
    return finite;
  }

  template <int kTaps, bool kFurther>
  HWY_NOINLINE bool Plane(const L* from, const L* from_second, const Parts parts, L* to) {
    const D d;
    const Axis& height = plan_.axis[1];
    const int64_t width = plan_.axis[2].in, windows = plan_.axis[2].out;
    const int64_t apart = (height.adaptive ? 1 : height.dilation) * width;
    const int64_t further = taps_.further;
    const int64_t begin = taps_.taps[0].begin, begin_further = kFurther ? taps_.taps[further].begin : 0;
    const Vectors vectors(width);
    hn::Vec<hn::RebindToSigned<D>> lanes[kTaps];
    hn::Mask<D> inside[kTaps];
    for (int t = 0; t < kTaps; ++t) {
      lanes[t] = hn::Load(hn::RebindToSigned<D>(), taps_.taps[t].lane);
      inside[t] = {taps_.taps[t].inside};
    }
    V bad = hn::Zero(d);
    const Span* span = spans_;
    for (const Span* const end = span + height.out; span < end; ++span, to += windows) {
      const L* first = from + span->first * width;
      const L* second = from_second + span->first * width;
      V a, b, c, e;
      vectors.Load(first, second, begin, a, b);
      if (kFurther) vectors.Load(first, second, begin_further, c, e);
      hwy::Prefetch(first + Groups::kElements);
      hwy::Prefetch(second + Groups::kElements);
      for (int64_t t = span->taps; --t > 0;) {
        first += apart;
        second += apart;
        V a2, b2;
        vectors.Load(first, second, begin, a2, b2);
        a = hn::Add(a, a2);
        b = hn::Add(b, b2);
        hwy::Prefetch(first + Groups::kElements);
        hwy::Prefetch(second + Groups::kElements);
        if (!kFurther) continue;
        vectors.Load(first, second, begin_further, a2, b2);
        c = hn::Add(c, a2);
        e = hn::Add(e, b2);
      }
      V sum = hn::Zero(d);
      for (int t = 0; t < kTaps; ++t) {
        if (kFurther && t == further) {
          a = c;
          b = e;
        }
        sum = hn::Add(sum, hn::IfThenElseZero(inside[t], PickLanes(a, b, lanes[t])));
      }
      const V mean = hn::Mul(sum, FactorsOf(span->taps));
      bad = hn::Or(bad, hn::Sub(mean, mean));
      parts.Store(mean, mean, to);
    }
    return hn::AllFalse(d, hn::IsNaN(bad));
  }

  HWY_INLINE V FactorsOf(int64_t rows) {
    const D d;
    const L* factors = factors_.Of(rows, 0);
    if constexpr (kPlanes == 1) return hn::LoadU(d, factors);
    const auto half = hn::LoadU(hn::Half<D>(), factors);
    return hn::Combine(d, half, half);
  }

  const Plan& plan_;
  const int64_t in_plane_, out_plane_;
  const RowTaps& taps_;
  Span* const spans_;  // of the windows down, and across
  Factors<L> factors_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
