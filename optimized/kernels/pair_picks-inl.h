// The same as flat_pairs-inl.h for rows of few windows of 2 x 2 elements, for one target: all windows of some rows in a
// vector. Neighbours are joined as if all rows were one; then two vectors of them hold the upper and the lower halves
// of the windows, which are picked.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_PAIR_PICKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_PAIR_PICKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_PAIR_PICKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_PAIR_PICKS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/pair_joins-inl.h"
#include "optimized/kernels/pick_groups-inl.h"

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// P: MaxOfPairs or MeanOfPairs of 32-bit lanes. Output rows are counted through all planes.
template <class P>
class PairPicks {
 public:
  using L = typename P::L;
  static constexpr int64_t kLanes = RowTap::kLanes;

  // Whether it is quicker than the other way: not with too many idle lanes.
  static bool Pays(const Plan& plan) {
    constexpr int64_t kLeast = kLanes - 1;
    const int64_t width = plan.axis[2].out;
    if (!P::kHasPosition) return kLanes / width * width >= kLeast;
    // Indices of the windows of a vector are counted on, and may begin anew once.
    const bool once = plan.index_bound >= 4 * kLanes && plan.index_bound <= std::numeric_limits<int32_t>::max();
    return width <= kLanes && (once || CountsOn(plan));
  }

  // end: the row behind the last one to be pooled.
  PairPicks(const Plan& plan, const Buffers& buffers, int64_t end)
      : width_(plan.axis[2].out),
        together_(kLanes / width_),
        end_(end),
        bound_(CountsOn(plan) ? std::numeric_limits<int64_t>::max() / 2 : plan.index_bound),
        in_(static_cast<const L*>(buffers.in)),
        out_{static_cast<L*>(buffers.out), {buffers.index, plan.index_type == POOLPROOF_I64}} {
    for (int64_t l = 0; l < kLanes; ++l) {
      const int64_t window = std::min(l, together_ * width_ - 1);
      upper_[l] = static_cast<int32_t>(window + window / width_ * width_);
      lower_[l] = static_cast<int32_t>(upper_[l] + width_);
    }
  }

  // Returns whether an element may be of too large a magnitude for P, or NaN.
  HWY_NOINLINE bool Run(int64_t row, int64_t count) const {
    typename P::Watch watch;
    const Lanes lanes = {hn::Load(DI(), upper_), hn::Load(DI(), lower_)};
    const int64_t step = 4 * together_ * width_;
    int64_t index = P::kHasPosition ? 4 * row * width_ % bound_ : 0;
    for (const int64_t stop = row + count; row < stop; row += together_) {
      Rows(row, index, lanes, watch);
      index = index + step < bound_ ? index + step : index + step - bound_;
    }
    return watch.Suspicious();
  }

 private:
  using D = hn::ScalableTag<L>;
  using DI = hn::RebindToSigned<D>;
  using V = Joined<P, D>;
  using Watch = typename P::Watch;
  static constexpr int64_t kAhead = 256, kReadAhead = 2048;  // windows, and elements

  // Whether no index but the first is 0.
  static bool CountsOn(const Plan& plan) { return plan.index_bound >= plan.InElements(); }

  // Of two vectors of joined neighbours.
  struct Lanes {
    hn::Vec<DI> upper, lower;
  };
  struct Output {
    L* values;
    IndexArray index;
    HWY_INLINE Output From(int64_t i) const { return {values + i, P::kHasPosition ? index.From(i) : index}; }
  };

  // first: index of the first element.
  HWY_INLINE void Rows(int64_t row, int64_t first, const Lanes& lanes, Watch& watch) const {
    const int64_t window = row * width_;
    const L* from = in_ + 4 * window;
    const Output to = out_.From(window);
    if (window + kLanes <= end_ * width_) {
      Windows(from, first, lanes, watch, to);
      PrefetchOutput(to.values, to.index, kAhead, P::kHasPosition ? kLanes : 0);
      if (!P::kHasPosition) return;
      for (int64_t i = 0; i < 4 * kLanes; i += kLanes) hwy::Prefetch(from + kReadAhead + i);
    } else {
      LastWindows(from, end_ * width_ - window, first, lanes, watch, to);
    }
  }

  HWY_INLINE void Windows(const L* from, int64_t first, const Lanes& lanes, Watch& watch, const Output& to) const {
    const V low = Neighbours(from, 0, watch), high = Neighbours(from, 2 * kLanes, watch);
    V joined = Pick(low, high, lanes.upper);
    joined.Join(Pick(low, high, lanes.lower));
    hn::StoreU(P::Finish(joined.value), D(), to.values);
    if constexpr (P::kHasPosition) {
      if (first + 4 * kLanes <= bound_) return StoreIndex(DI(), joined.at, first, to.index, kLanes);
      // Some are of the next bound.
      const auto index = hn::Add(joined.at, hn::Set(DI(), static_cast<int32_t>(first - bound_)));
      const auto before = hn::And(hn::BroadcastSignBit(index), hn::Set(DI(), static_cast<int32_t>(bound_)));
      StoreIndex(DI(), hn::Add(index, before), 0, to.index, kLanes);
    }
  }

  // Those from `begin` on.
  static HWY_INLINE V Neighbours(const L* from, int64_t begin, Watch& watch) {
    const DI di;
    hn::Vec<D> odd;
    V joined;
    Deinterleave(D(), from + begin, joined.value, odd);
    watch.Elements(Watch::Join(joined.value, odd));
    joined.at = hn::Add(hn::ShiftLeft<1>(hn::Iota(di, 0)), hn::Set(di, static_cast<int32_t>(begin)));
    joined.Join(odd, hn::Add(joined.at, hn::Set(di, 1)));
    return joined;
  }

  static HWY_INLINE V Pick(const V& low, const V& high, hn::Vec<DI> lanes) {
    const auto value = PickLanes(low.value, high.value, lanes);
    if constexpr (P::kHasPosition) return {value, PickLanes(low.at, high.at, lanes)};
    return {value, lanes};
  }

  // Those that are less than a vector: nothing behind the tensor is touched.
  HWY_NOINLINE void LastWindows(const L* from, int64_t count, int64_t first, const Lanes& lanes, Watch& watch,
                                const Output& to) const {
    L elements[4 * kLanes] = {}, values[kLanes];
    int64_t indices[kLanes];
    std::copy_n(from, 4 * count, elements);
    Windows(elements, first, lanes, watch, {values, {indices, to.index.is_wide}});
    count = std::min(count, together_ * width_);
    std::copy_n(values, count, to.values);
    if (P::kHasPosition) std::memcpy(to.index.data, indices, static_cast<size_t>(count * (to.index.is_wide ? 8 : 4)));
  }

  const int64_t width_;     // of the output
  const int64_t together_;  // rows
  const int64_t end_;
  const int64_t bound_;  // of indices
  const L* const in_;
  const Output out_;
  alignas(64) int32_t upper_[kLanes];
  alignas(64) int32_t lower_[kLanes];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
