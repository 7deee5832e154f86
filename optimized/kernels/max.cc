// Maxima of every type, in rows and with a lane per plane.
#include "optimized/kernels/kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/folded-inl.h"
#include "optimized/kernels/interleaved-inl.h"
#include "optimized/kernels/rows-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// P: NoPositions, or of positions from where windows begin.
template <typename P>
void PoolRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  WithMaxFold<P>(plan.type, [&](const auto& fold) {
    Rows<RowReducer<std::decay_t<decltype(fold)>>>(plan, {fold}, buffers, begin, end, scratch).Run();
  });
}

// Maxima of values; Kernel: Interleaved or Folded.
template <template <class> class Kernel>
void PoolPlanes(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  WithMaxFold<NoPositions>(plan.type, [&](const auto& fold) {
    Kernel<MaxOutputs<std::decay_t<decltype(fold)>>>(Lanes(plan), buffers, fold, scratch).Run(begin, end);
  });
}

#if POOLPROOF_HAS_VECTORS
void PoolPositions(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](const auto& fold) {
    using F = std::decay_t<decltype(fold)>;
    Zones(plan, F::B::kGroup).For([&](const Lanes& lanes) {
      Interleaved<MaxOutputs<F>>(lanes, buffers, fold, scratch).Run(begin, end);
    });
  };
  const bool is_short = plan.InPlane() <= std::numeric_limits<int16_t>::max();  // whether positions fit in 16 bits
  if (is_short || BytesOf(plan.type) > 2) return WithMaxFold<int16_t>(plan.type, pool);
  WithMaxFold<int32_t>(plan.type, pool);
}
#endif

void PoolMax(Way way, const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (plan.index_type != 0) {
#if POOLPROOF_HAS_VECTORS
    if (way == Way::kRows) return PoolRows<int16_t>(plan, buffers, begin, end, scratch);
    return PoolPositions(plan, buffers, begin, end, scratch);
#else
    return PlainMax(plan, buffers, begin, end);
#endif
  }
  switch (way) {
    case Way::kRows: return PoolRows<NoPositions>(plan, buffers, begin, end, scratch);
    case Way::kInterleaved: return PoolPlanes<Interleaved>(plan, buffers, begin, end, scratch);
    case Way::kFolded: return PoolPlanes<Folded>(plan, buffers, begin, end, scratch);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(PoolMax);

void MaxByVectors(Way way, const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(PoolMax)(way, plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
