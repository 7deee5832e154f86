// Which of the kernels that see only lanes a plan takes: the maximum with index, or of small planes. For one
// target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_LANES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_LANES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_LANES_INL_H_
#endif

#include "optimized/kernels/flat_pairs-inl.h"
#include "optimized/kernels/index_rows-inl.h"
#include "optimized/kernels/max_kernels.h"
#include "optimized/kernels/max_planes-inl.h"
#include "optimized/kernels/window_strips-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Planes of one row each as the rows of one plane.
HWY_INLINE bool RowsOfOnePlane(const Plan& plan, Plan& merged) {
  const auto single = [](const Axis& a) { return a.in == 1 && a.out == 1 && a.kernel == 1; };
  if (!single(plan.axis[0]) || !single(plan.axis[1]) || plan.index_bound < plan.InElements()) return false;
  merged = plan;
  merged.axis[1].in = merged.axis[1].out = plan.outer;
  merged.axis[1].stride = 1;
  merged.outer = 1;
  return true;
}

template <typename L>
void RunIndex(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
              Scratch& scratch) {
  using Strips = WindowStrips<Pair<L>>;
  const IndexShape shape(plan, end - begin, sizeof(L));
  if (Strips::Fits(plan, shape)) {
    Plan merged;
    const bool one = RowsOfOnePlane(plan, merged);
    Strips strips(one ? merged : plan, buffers, form, shape, scratch);
    if (one) return strips.Run(0, begin, end);
    for (int64_t plane = begin; plane < end; ++plane) strips.Run(plane, 0, plan.axis[1].out);
    return;
  }
  IndexRows<Pair<L>>(plan, buffers, form, begin, end, scratch).Run();
}

// In strips, which fit; without index.
template <typename L>
void RunStrips(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
               Scratch& scratch) {
  const IndexShape shape(plan, end - begin, sizeof(L));
  WindowStrips<Single<L>> strips(plan, buffers, form, shape, scratch);
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

// Planes [begin, end) of a plan with index, or for which MaxPairsPay, MaxPlanesPay or MaxStripsPay.
template <typename L>
void RunLanes(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, int64_t begin, int64_t end,
              Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const bool index = plan.index_type != 0;
  if (MaxPairsPay(plan)) {
    FlatPairs<MaxOfPairs<L>>(plan, buffers, scratch).Run(begin, end);
  } else if (!MaxPlanesPay(plan)) {
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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
