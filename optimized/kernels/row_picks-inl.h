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
#include "optimized/kernels/plain.h"
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
  using Groups = PickGroups<L, kPlanes>;

  RowPicks(const Plan& plan, const RowTaps& taps, Scratch& scratch)
      : plan_(plan), in_plane_(plan.InPlane()), out_plane_(plan.OutPlane()), taps_(taps),
        spans_(scratch.Get<Span>(kSpanSlot, plan.axis[1].out)),
        rows_(B::MakeField(scratch.Get<char>(kWorkSlot, plan.axis[1].in * kLanes * B::kFieldBytes),
                           plan.axis[1].in * kLanes)) {
    plan.axis[1].FillSpans(spans_);
  }

  HWY_ATTR void Run(const Groups& groups, int64_t begin, int64_t end) {
    const Buffers& buffers = groups.buffers;
    const L most = groups.form.most;
    bool nan = false;
    const auto pool = [&](int64_t plane, int64_t planes, const L* from, L* to) HWY_ATTR {
      nan = HoldsNan(from, planes * in_plane_, most);
      IndexArray index{buffers.index, plan_.index_type == POOLPROOF_I64};
      if (B::kHasPosition) index = index.From(plane * out_plane_);
      Unrolled(taps_.count, [&](auto taps) HWY_ATTR { Planes<taps()>(plane, planes, from, to, index); });
    };
    const auto amend = [&](int64_t plane, int64_t planes, const L* from, const L*) {
      for (int64_t p = 0; nan && p < planes; ++p, from += in_plane_) {
        if (HoldsNan(from, in_plane_, most)) PlainMax(plan_, buffers, plane + p, plane + p + 1);
      }
    };
    groups.Run(begin, end, pool, amend);
  }

 private:
  static constexpr int64_t kLanes = RowTap::kLanes;
  using Parts = PickParts<D, kPlanes>;
  using Vectors = PickVectors<D, kPlanes>;

  template <int kTaps>
  HWY_NOINLINE void Planes(int64_t plane, int64_t planes, const L* from, L* to, IndexArray index) const {
    for (int64_t p = 0; p < planes; p += kPlanes) {
      const bool alone = p + kPlanes > planes;  // without a second plane
      Across<kTaps>(from, Vectors::SecondOf(from, in_plane_, alone));
      Down(plane + p, alone, to, index);
      from += kPlanes * in_plane_;
      to += kPlanes * out_plane_;
      if (B::kHasPosition) index = index.From(kPlanes * out_plane_);
    }
  }

  // The windows of each row for itself, where positions are counted from the begin of the row. first, second: where the
  // vectors of the first row are.
  template <int kTaps>
  HWY_NOINLINE void Across(const L* first, const L* second) const {
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
    Field to = rows_;
    for (const L* const end = first + plan_.axis[1].in * width; first < end; first += width, second += width) {
      hn::Vec<D> a = hn::Zero(d), b = a;
      const auto pick = [&](int t) HWY_ATTR {
        if (further[t]) vectors.Load(first, second, begin[t], a, b);
        return PickLanes(a, b, lanes[t]);
      };
      B best = B::At(pick(0), positions[0]);
      for (int t = 1; t < kTaps; ++t) best.Join(pick(t), positions[t]);
      best.Store(to, 0);
      to = to.From(kLanes);
      hwy::Prefetch(first + Groups::kElements);
      hwy::Prefetch(second + Groups::kElements);
    }
  }

  // The windows of the rows' maxima. alone: whether there is no second plane.
  HWY_NOINLINE void Down(int64_t plane, bool alone, L* to, IndexArray index) const {
    const Axis& height = plan_.axis[1];
    const int64_t windows = plan_.axis[2].out, width = plan_.axis[2].in;
    const int64_t dilation = height.adaptive ? 1 : height.dilation, apart = dilation * kLanes;
    const Parts parts(windows, alone, out_plane_);
    int64_t base[2] = {};
    if (B::kHasPosition) {
      for (int p = 0; p < kPlanes; ++p) base[p] = (plane + p) * in_plane_ % plan_.index_bound;
    }
    const auto step = hn::Set(DI(), static_cast<int32_t>(dilation * width));
    const Field rows = rows_;
    const Span* span = spans_;
    for (const Span* const end = span + height.out; span < end; ++span, to += windows) {
      Field row = rows.From(span->first * kLanes);
      B best = B::Load(row, 0);
      auto distance = step;
      for (int64_t t = span->taps; --t > 0; distance = hn::Add(distance, step)) {
        row = row.From(apart);
        best.JoinBest(B::Load(row, 0), distance);
      }
      parts.Store(best.value, best.value, to);
      if constexpr (B::kHasPosition) {
        const int64_t before = span->first * width;
        const int64_t bases[2] = {base[0] + before, base[1] + before};
        StoreIndices(parts, windows, best.at, bases, index);
        index = index.From(windows);
      }
    }
  }

  // base: index of position 0 in either plane.
  static HWY_INLINE void StoreIndices(const Parts& parts, int64_t windows, hn::Vec<DI> at, const int64_t* base,
                                      IndexArray index) {
    if (!index.is_wide) {
      const auto plus = [&](int64_t b) HWY_ATTR { return hn::Add(at, hn::Set(DI(), static_cast<int32_t>(b))); };
      return parts.Store(plus(base[0]), plus(base[1]), static_cast<int32_t*>(index.data));
    }
    const hn::ScalableTag<int64_t> d;
    int64_t* to = static_cast<int64_t*>(index.data);
    const auto store = [&](auto half, int64_t first, int64_t count) HWY_ATTR {
      const auto indices = hn::Add(hn::PromoteTo(d, half), hn::Set(d, first));
      hn::BlendedStore(indices, hn::FirstN(d, static_cast<size_t>(count)), d, to);
      hwy::Prefetch(to + Parts::kAhead);
    };
    store(hn::LowerHalf(at), base[0], std::min(windows, Parts::kHalf));
    const int64_t beside = kPlanes == 1 ? windows - Parts::kHalf : parts.two ? windows : 0;
    to += kPlanes == 1 ? Parts::kHalf : parts.apart + Parts::kHalf;
    if (beside > 0) store(hn::UpperHalf(hn::Half<DI>(), at), base[kPlanes - 1], beside);
  }

  const Plan& plan_;
  const int64_t in_plane_, out_plane_;
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
