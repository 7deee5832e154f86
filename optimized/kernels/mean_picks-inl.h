// Means of small planes whose rows are short (column_picks-inl.h), for one target, by the additions of
// mean_planes-inl.h in the same order.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_PICKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_PICKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_PICKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_PICKS_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "optimized/kernels/block_sums-inl.h"
#include "optimized/kernels/column_picks-inl.h"
#include "optimized/kernels/mean_elements-inl.h"
#include "optimized/kernels/mean_squares-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/quotient-inl.h"

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Planes in groups: pool(planes, from, to) returns whether all means are finite.
template <class Groups, class Pool>
HWY_INLINE void PoolMeanGroups(const Groups& groups, int64_t begin, int64_t end, const Pool& pool) {
  bool finite = true;
  const auto pool_group = [&](int64_t, int64_t planes, const auto* from, auto* to)
                              HWY_ATTR { finite = pool(planes, from, to); };
  // Rows with means that are not finite, once more with more range.
  const auto amend = [&](int64_t plane, int64_t planes, const auto*, const auto* means) {
    const int64_t height = groups.plan.axis[1].out, width = groups.plan.axis[2].out;
    for (int64_t r = 0; !finite && r < planes * height; ++r, means += width) {
      const bool row = std::all_of(means, means + width, [](auto mean) { return std::isfinite(mean); });
      if (!row) PlainAverageRow(groups.plan, groups.buffers, plane + r / height, 0, r % height);
    }
  };
  groups.Run(begin, end, pool_group, amend);
}

template <typename L, int kPlanes>
class MeanPicks {
 public:
  using Columns = ColumnPicks<PickSums<L>, kPlanes>;
  using D = typename Columns::D;
  using V = typename Columns::V;

  MeanPicks(const Plan& plan, const RowTaps& taps, Scratch& scratch)
      : columns_(plan, taps, scratch),
        widths_(scratch.Get<Span>(kListSlot, plan.axis[2].out)),
        factors_(plan, true, widths_, scratch) {
    plan.axis[2].FillSpans(widths_);
  }

  HWY_ATTR void Run(const typename Columns::Groups& groups, int64_t begin, int64_t end) {
    PoolMeanGroups(groups, begin, end, [&](int64_t planes, const L* from, L* to) HWY_ATTR {
      const auto mean = [this](V sum, int64_t rows) HWY_ATTR { return hn::Mul(sum, FactorsOf(rows)); };
      return columns_.Pool(planes, from, to, mean);
    });
  }

 private:
  // One over the taps of each window of so many rows.
  HWY_INLINE V FactorsOf(int64_t rows) {
    const D d;
    const L* factors = factors_.Of(rows, 0);
    if constexpr (kPlanes == 1) return hn::LoadU(d, factors);
    const auto half = hn::LoadU(hn::Half<D>(), factors);
    return hn::Combine(d, half, half);
  }

  const Columns columns_;
  Span* const widths_;
  Factors<L> factors_;
};

// Of plans that MeanSquares fits. Returns whether it does.
template <typename L>
bool RunMeanSquares(const PickGroups<L, 1, false>& groups, int64_t begin, int64_t end) {
  bool done = false;
  Unrolled((groups.plan.InPlane() + RowTap::kLanes - 1) / RowTap::kLanes, [&](auto vectors) HWY_ATTR {
    using Squares = MeanSquares<L, vectors()>;
    done = Squares::Fits(groups.plan);
    if (!done) return;
    const Squares squares(groups.plan, groups.scratch);
    PoolMeanGroups(groups, begin, end,
                   [&](int64_t planes, const L* from, L* to) HWY_ATTR { return squares.Pool(planes, from, to); });
  });
  return done;
}

// Means of a plan for which PlanesAsLanes. Returns whether this is the fastest way.
template <typename L>
bool RunMeanPicks(const Plan& plan, const Elements<L>& elements, const Buffers& buffers, int64_t begin, int64_t end,
                  Scratch& scratch) {
  if (plan.outer < kLeastPickedPlanes || plan.InPlane() > kMostPickedElements) return false;
  const LaneForm<L> form = {static_cast<size_t>(elements.bytes), elements.widen, elements.narrow, L{0}};
  if (RunMeanSquares<L>({plan, buffers, form, scratch}, begin, end)) return true;
  const RowTaps taps = PicksOf(plan);
  // Large windows are summed by blocks.
  const bool blocks = BlocksPay(plan.axis[1]) || (!plan.axis[2].adaptive && taps.count == RowTaps::kMost);
  if (blocks || taps.furthest) return false;
  return WithPlanesOf(taps, [&](auto planes) HWY_ATTR {
    const PickGroups<L, planes(), true> groups = {plan, buffers, form, scratch};
    MeanPicks<L, planes()>(plan, taps, scratch).Run(groups, begin, end);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
