// Which of the kernels that see only lanes a plan takes: the maximum with index, or of small planes. For one
// target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_LANES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_LANES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_LANES_INL_H_
#endif

#include "optimized/kernels/flat_pairs-inl.h"
#include "optimized/kernels/interleaved.h"
#include "optimized/kernels/max_kernels.h"
#include "optimized/kernels/max_planes-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/row_blocks-inl.h"
#include "optimized/kernels/row_picks-inl.h"
#include "optimized/kernels/strip_runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <typename L>
void RunIndex(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
              Scratch& scratch) {
  if (RunStripsWithIndex<LaneSource<L>>(plan, buffers, begin, end, scratch, form)) return;
  if (InterleavedTakesMax(plan)) return InterleavedMax(plan, buffers, begin, end, scratch);
  PlainMax(plan, buffers, begin, end);
}

// In strips, which fit; without index.
template <typename L>
void RunStrips(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
               Scratch& scratch) {
  WindowStrips<Single<L>> strips(plan, buffers, form, scratch);
  for (int64_t plane = begin; plane < end; ++plane) strips.Run(plane, 0, plan.axis[1].out);
}

// Of which MaxPlanesPay.
template <typename L>
void RunPlanesWithIndex(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
                        Scratch& scratch) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  // A mask has a bit per lane, so positions may have 16 bits: a group of larger planes stays in the first-level cache.
  constexpr int64_t kLarge = 128;
  if (plan.InPlane() > kLarge) return MaxPlanes<Pair<L, int16_t>>(plan, buffers, form, scratch).Run(begin, end);
#endif
  MaxPlanes<Pair<L>>(plan, buffers, form, scratch).Run(begin, end);
}

// Of which MaxPairsPay.
template <typename L, bool kIndex>
void RunPairs(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  using P = MaxOfPairs<L, kIndex>;
  if (plan.IsFlat()) return FlatPairs<P>(plan, buffers, scratch).Run(begin, end);
  FlatPairs<P, true>(plan, buffers, scratch).Run(begin, end);
}

#if POOLPROOF_HAS_PICKS
// The same and all others with index, of 32-bit lanes. Returns whether it is the fastest way.
template <class B>
bool RunPicks(const Plan& plan, const Buffers& buffers, const LaneForm<typename B::L>& form, int64_t begin, int64_t end,
              Scratch& scratch) {
  if (plan.outer < kLeastPickedPlanes || plan.InPlane() > kMostPickedElements) return false;
  const RowTaps taps = PicksOf(plan);
  // Blocks (axis_blocks.h) are quicker where windows of five taps are of use to few lanes.
  const bool blocks = taps.count == RowTaps::kMost && plan.axis[2].stride == 1 && plan.axis[2].out < 12;
  if (taps.planes == 1 && blocks) return false;
  return WithPlanesOf(taps, [&](auto planes) HWY_ATTR {
    const PickGroups<typename B::L, planes(), true> groups = {plan, buffers, form, scratch};
    RowPicks<B, planes()>(plan, taps, scratch).Run(groups, begin, end);
  });
}

// The same without index, of large windows.
template <typename L>
bool RunRowBlocks(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
                  Scratch& scratch) {
  const PickGroups<L, 1, false> groups = {plan, buffers, form, scratch};
  if (RowBlocks<L, 1>::Pays(plan)) {
    RowBlocks<L, 1>(plan, scratch).Run(groups, begin, end);
  } else if (RowBlocks<L, 2>::Pays(plan)) {
    RowBlocks<L, 2>(plan, scratch).Run(groups, begin, end);
  } else {
    return false;
  }
  return true;
}
#endif

// Planes [begin, end) of a plan with index, or for which MaxPairsPay, MaxPlanesPay or MaxStripsPay.
template <typename L>
void RunLanes(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
              Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const bool index = plan.index_type != 0;
  if (MaxPairsPay(plan)) {
    index ? RunPairs<L, true>(plan, buffers, begin, end, scratch)
          : RunPairs<L, false>(plan, buffers, begin, end, scratch);
    return;
  }
#if POOLPROOF_HAS_PICKS
  if constexpr (sizeof(L) == 4) {
    const bool planes = !index && MaxPlanesPay(plan);
    if (planes && RunRowBlocks<L>(plan, buffers, form, begin, end, scratch)) return;
    const bool done = index ? RunPicks<Pair<L>>(plan, buffers, form, begin, end, scratch)
                            : planes && RunPicks<Single<L>>(plan, buffers, form, begin, end, scratch);
    if (done) return;
  }
#endif
  if (!MaxPlanesPay(plan)) {
    index ? RunIndex(plan, buffers, form, begin, end, scratch) : RunStrips(plan, buffers, form, begin, end, scratch);
  } else if (index) {
    RunPlanesWithIndex(plan, buffers, form, begin, end, scratch);
  } else {
    MaxPlanes<Single<L>>(plan, buffers, form, scratch).Run(begin, end);
  }
#else
  (void)form;
  (void)scratch;
  PlainMax(plan, buffers, begin, end);
#endif
}

// The same of u32 or u64: in strips as they are, otherwise as signed integers of the same order.
template <typename T>
void RunUnsigned(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const bool strips = plan.index_type != 0 && !MaxPlanesPay(plan);
  if (strips && RunStripsWithIndex<LaneSource<T>>(plan, buffers, begin, end, scratch)) return;
#endif
  RunLanes(plan, buffers, ConvertedLanes<Unsigned<T>>(), begin, end, scratch);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
