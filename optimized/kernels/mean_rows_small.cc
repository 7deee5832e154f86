// Means of integers of 8 and 16 bits in 32-bit lanes; of 8 bits also in lanes of 16.
#include "optimized/kernels/mean_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/mean_rows_small.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/mean_planes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (HasShortSums(plan) && !PlanesAsLanes(plan)) {
    const bool has_sign = plan.type == POOLPROOF_I8;
    const auto elements = has_sign ? IntegersOf<ByteMean<int8_t>>() : IntegersOf<ByteMean<uint8_t>>();
    MeanRows<int16_t, false>(plan, elements, Memory::kTensors, buffers, begin, end, scratch).Run();
    return;
  }
  switch (plan.type) {
    case POOLPROOF_I8:
      return PoolMeans<float, false>(plan, IntegersOf<SmallMean<int8_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_U8:
      return PoolMeans<float, false>(plan, IntegersOf<SmallMean<uint8_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_I16:
      return PoolMeans<float, false>(plan, IntegersOf<SmallMean<int16_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_U16:
      return PoolMeans<float, false>(plan, IntegersOf<SmallMean<uint16_t>>(), buffers, begin, end, scratch);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MeanRowsSmall(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
