// Maxima, with and without index, of every type with a lane per plane.
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/plain.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/interleaved_max.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/folded-inl.h"
#include "optimized/kernels/interleaved-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <template <class> class Kernel>
void PoolValues(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  WithMaxFold<Values>(plan.type, [&](const auto& fold) {
    using B = typename std::decay_t<decltype(fold)>::B;
    Kernel<MaxOutputs<B>>(plan, buffers, fold, scratch).Run(begin, end);
  });
}

void PoolIndex(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const auto pool = [&](const auto& fold) {
    using B = typename std::decay_t<decltype(fold)>::B;
    Zones(plan, B::kGroup).For([&](const Zone& zone) {
      Interleaved<MaxOutputs<B>>(zone, buffers, fold, scratch).Run(begin, end);
    });
  };
  const bool is_short = plan.InPlane() <= std::numeric_limits<int16_t>::max();  // whether positions fit in 16 bits
  if (is_short || BytesOf(plan.type) > 2) return WithMaxFold<WithPositions<int16_t>>(plan.type, pool);
  WithMaxFold<WithPositions<int32_t>>(plan.type, pool);
#else
  (void)scratch;
  PlainMax(plan, buffers, begin, end);
#endif
}

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  (plan.index_type == 0 ? PoolValues<Interleaved> : PoolIndex)(plan, buffers, begin, end, scratch);
}

void DispatchedFolded(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  PoolValues<Folded>(plan, buffers, begin, end, scratch);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);
HWY_EXPORT(DispatchedFolded);

void InterleavedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

void FoldedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(DispatchedFolded)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
