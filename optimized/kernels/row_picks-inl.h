// Maxima of small planes whose rows are short, for one target: each tap of all windows of a row is picked from two
// vectors at once, and the rows of maxima are joined below each other.
//
// Among equal values the first in row-major order counts.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_ROW_PICKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_ROW_PICKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_ROW_PICKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_ROW_PICKS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/pick_groups-inl.h"
#include "optimized/kernels/unrolled.h"

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// B: a vector of maxima (index_best-inl.h) of 32-bit lanes. kPlanes: those of the taps.
template <class B, int kPlanes>
class RowPicks {
 public:
  using L = typename B::L;
  using D = typename B::D;
  using DI = typename B::DI;
  using Field = typename B::Field;
  using Groups = PickGroups<L, kPlanes, true>;

  RowPicks(const Plan& plan, const RowTaps& taps, Scratch& scratch)
      : plan_(plan),
        in_plane_(plan.InPlane()),
        out_plane_(plan.OutPlane()),
        windows_(plan.axis[2].out),
        taps_(taps),
        spans_(scratch.Get<Span>(kSpanSlot, plan.axis[1].out)),
        rows_(B::MakeField(scratch.Get<char>(kWorkSlot, plan.axis[1].in * kLanes * B::kFieldBytes),
                           plan.axis[1].in * kLanes)) {
    plan.axis[1].FillSpans(spans_);
  }

  HWY_ATTR void Run(const Groups& groups, int64_t begin, int64_t end) {
    PoolMaxGroups(groups, begin, end, [&](int64_t plane, int64_t planes, const L* from, L* to) HWY_ATTR {
      IndexArray index{groups.buffers.index, plan_.index_type == POOLPROOF_I64};
      if (B::kHasPosition) index = index.From(plane * out_plane_);
      Unrolled(taps_.count, [&](auto taps) HWY_ATTR { Planes<taps()>(plane, planes, from, to, index); });
    });
  }

 private:
  static constexpr int64_t kLanes = RowTap::kLanes;
  using Parts = PickParts<D, kPlanes>;
  using Vectors = PickVectors<D, kPlanes>;

  template <int kTaps>
  HWY_NOINLINE void Planes(int64_t plane, int64_t planes, const L* from, L* to, IndexArray index) const {
    int64_t base = B::kHasPosition ? plane * in_plane_ % plan_.index_bound : 0;  // of the indices of a plane
    for (int64_t p = 0; p < planes; p += kPlanes) {
      const bool alone = p + kPlanes > planes;  // without a second plane
      const int64_t next = kPlanes == 2 ? NextBase(base) : base;
      const auto first = hn::Set(hn::Half<DI>(), static_cast<int32_t>(base));
      const auto second = hn::Set(hn::Half<DI>(), static_cast<int32_t>(next));
      Across<kTaps>(from, Vectors::SecondOf(from, in_plane_, alone), hn::Combine(DI(), second, first));
      Down(alone, to, index);
      base = NextBase(next);
      from += kPlanes * in_plane_;
      to += kPlanes * out_plane_;
      if (B::kHasPosition) index = index.From(kPlanes * out_plane_);
    }
  }

  int64_t NextBase(int64_t base) const {
    if (!B::kHasPosition) return 0;
    base += in_plane_;
    return base < plan_.index_bound ? base : base - plan_.index_bound;
  }

  // The windows of each row for itself. first, second: where the vectors of the first row are; index: of its begin.
  template <int kTaps>
  HWY_NOINLINE void Across(const L* first, const L* second, [[maybe_unused]] hn::Vec<DI> index) const {
    const D d;
    const int64_t width = plan_.axis[2].in;
    const Vectors vectors(width);
    hn::Vec<DI> lanes[kTaps], positions[kTaps];
    int64_t begin[kTaps];
    bool further[kTaps];  // whether the vectors are not those of the tap before
    for (int t = 0; t < kTaps; ++t) {
      const RowTap& tap = taps_.taps[t];
      lanes[t] = hn::Load(DI(), tap.lane);
      positions[t] = hn::Load(DI(), tap.position);
      begin[t] = tap.begin;
      further[t] = t == 0 || begin[t] != begin[t - 1];
    }
    const auto below = hn::Set(DI(), static_cast<int32_t>(width));
    Field to = rows_;
    for (const L* const end = first + plan_.axis[1].in * width; first < end; first += width, second += width) {
      hn::Vec<D> a = hn::Zero(d), b = a;
      const auto pick = [&](int t) HWY_ATTR {
        if (further[t]) vectors.Load(first, second, begin[t], a, b);
        return PickLanes(a, b, lanes[t]);
      };
      B best = B::At(pick(0), positions[0]);
      for (int t = 1; t < kTaps; ++t) best.Join(pick(t), positions[t]);
      if constexpr (B::kHasPosition) {
        best.Move(index);
        index = hn::Add(index, below);
      }
      best.Store(to, 0);
      to = to.From(kLanes);
      hwy::Prefetch(first + Groups::kElements);
      hwy::Prefetch(second + Groups::kElements);
    }
  }

  // The windows of the rows' maxima. alone: whether there is no second plane.
  HWY_INLINE void Down(bool alone, L* to, IndexArray index) const {
    if constexpr (!B::kHasPosition) {
      DownRows(alone, to, [](hn::Vec<DI>, int64_t) {});
    } else if (index.is_wide) {
      DownWide(alone, to, static_cast<int64_t*>(index.data));
    } else {
      DownNarrow(alone, to, static_cast<int32_t*>(index.data));
    }
  }
  HWY_NOINLINE void DownNarrow(bool alone, L* to, int32_t* index) const {
    const Parts parts(windows_, alone, out_plane_);
    DownRows(alone, to, [&](hn::Vec<DI> at, int64_t row) HWY_ATTR { parts.Store(at, at, index + row); });
  }
  HWY_NOINLINE void DownWide(bool alone, L* to, int64_t* index) const {
    const hn::ScalableTag<int64_t> d;
    constexpr int64_t kHalf = Parts::kHalf;
    const int64_t beside = kPlanes == 1 ? std::max<int64_t>(0, windows_ - kHalf) : alone ? 0 : windows_;
    const auto in_first = hn::FirstN(d, static_cast<size_t>(std::min(windows_, kHalf)));
    const auto in_second = hn::FirstN(d, static_cast<size_t>(beside));
    int64_t* const index_second = index + (kPlanes == 1 ? kHalf : out_plane_);
    const bool two = beside > 0;
    DownRows(alone, to, [&](hn::Vec<DI> at, int64_t row) HWY_ATTR {
      hn::BlendedStore(hn::PromoteTo(d, hn::LowerHalf(at)), in_first, d, index + row);
      hwy::Prefetch(index + row + Parts::kAhead);
      if (!two) return;
      hn::BlendedStore(hn::PromoteTo(d, hn::UpperHalf(hn::Half<DI>(), at)), in_second, d, index_second + row);
      hwy::Prefetch(index_second + row + Parts::kAhead);
    });
  }

  // Calls store(at, i) with the indices of the output row whose first window is i.
  template <class Store>
  HWY_INLINE void DownRows(bool alone, L* to, const Store& store) const {
    const Axis& height = plan_.axis[1];
    const int64_t windows = windows_, apart = height.dilation * kLanes;
    const Parts parts(windows, alone, out_plane_);
    const Field rows = rows_;
    const Span* span = spans_;
    int64_t i = 0;
    for (const Span* const end = span + height.out; span < end; ++span, i += windows) {
      Field row = rows.From(span->first * kLanes);
      B best = B::Load(row, 0);
      for (int64_t t = span->taps; --t > 0;) {
        row = row.From(apart);
        best.Join(B::Load(row, 0));
      }
      parts.Store(best.value, best.value, to + i);
      if constexpr (B::kHasPosition) store(best.at, i);
    }
  }

  const Plan& plan_;
  const int64_t in_plane_, out_plane_;
  const int64_t windows_;  // of a row
  const RowTaps& taps_;
  Span* const spans_;  // of the windows down
  const Field rows_;   // the maxima of each row of the planes taken together
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
