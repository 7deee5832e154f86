// Maxima without index of small planes whose rows are short (column_picks-inl.h), for one target.
//
// As in max_rows-inl.h, of zeros of either sign the first down the first column that has one counts, and only rows that
// see NaN are pooled element by element.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_PICKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_PICKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_PICKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_PICKS_INL_H_
#endif

#include "optimized/kernels/column_picks-inl.h"
#include "optimized/kernels/max_codecs-inl.h"
#include "optimized/kernels/plain.h"

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <typename L, int kPlanes>
class MaxPicks {
 public:
  using Columns = ColumnPicks<PickMaxima<L>, kPlanes>;

  MaxPicks(const Plan& plan, const RowTaps& taps, Scratch& scratch)
      : plan_(plan), columns_(plan, taps, scratch), seen_(scratch.Get<L>(kFoldSlot, plan.axis[2].in + kReadSlack)) {}

  HWY_ATTR void Run(const typename Columns::Groups& groups, int64_t begin, int64_t end) {
    bool nan = false;
    const auto pool = [&](int64_t, int64_t planes, const L* from, L* to) HWY_ATTR {
      nan = HoldsNan(from, planes * plan_.InPlane(), groups.form.most);
      columns_.Pool(planes, from, to, [](auto v, int64_t) HWY_ATTR { return v; });
    };
    const auto amend = [&](int64_t plane, int64_t planes, const L* from, const L*) {
      if (nan) Replace(groups.buffers, plane, planes, from);
    };
    groups.Run(begin, end, pool, amend);
  }

 private:
  void Replace(const Buffers& buffers, int64_t plane, int64_t planes, const L* from) const {
    const int64_t height = plan_.axis[1].out;
    for (int64_t r = 0; r < planes * height; ++r) {
      const int64_t p = r / height, h = r % height;
      if (SeesNan(from + p * plan_.InPlane(), columns_.spans()[h])) PlainMaxRow(plan_, buffers, plane + p, 0, h);
    }
  }
  bool SeesNan(const L* plane, Span rows) const {
    bool nan = false;
    if constexpr (hwy::IsFloat<L>()) {
      const Axis &height = plan_.axis[1], &width = plan_.axis[2];
      for (int64_t t = 0; t < rows.taps; ++t) {
        const int64_t row = rows.first + t * height.dilation;
        nan |= WindowsHaveNan<FloatNan>(width, 1, plane + row * width.in, seen_);
      }
    }
    return nan;
  }

  const Plan& plan_;
  const Columns columns_;
  L* const seen_;  // a row
};

// Maxima of a plan in rows. Returns whether this is the fastest way.
template <typename L>
bool RunMaxPicks(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  constexpr int64_t kMost = 8192;  // elements of planes that are merged into one
  constexpr int64_t kLeast = 512;  // to prepare takes longer for less
  if (plan.InPlane() > kMost || plan.InElements() < kLeast) return false;
  const RowTaps taps = PicksOf(plan);
  if (taps.furthest || (taps.count == RowTaps::kMost && plan.axis[2].stride == 1)) return false;
  const LaneForm<L> form = StoredLanes<L>();
  return WithPlanesOf(taps, [&](auto planes) HWY_ATTR {
    const PickGroups<L, planes(), true> groups = {plan, buffers, form, scratch};
    MaxPicks<L, planes()>(plan, taps, scratch).Run(groups, begin, end);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
