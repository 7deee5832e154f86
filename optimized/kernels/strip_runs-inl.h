// Planes with index in strips (window_strips-inl.h), for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_STRIP_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_STRIP_RUNS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_STRIP_RUNS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_STRIP_RUNS_INL_H_
#endif

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

// Pools planes [begin, end) of a plan that StripsTake, of elements S (strip_sources-inl.h). B: a value with its
// position.
template <class S, class B = Pair<hn::TFromD<typename S::D>>>
void RunStrips(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end,
               [[maybe_unused]] Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  Plan merged;
  const bool one = RowsOfOnePlane(plan, merged);
  WindowStrips<B, S> strips(one ? merged : plan, buffers, scratch);
  if (one) return strips.Run(0, begin, end);
  for (int64_t plane = begin; plane < end; ++plane) strips.Run(plane, 0, plan.axis[1].out);
#else
  PlainMax(plan, buffers, begin, end);
#endif
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
