// Means of integers of 8 to 64 bits in 64-bit lanes.
#include "optimized/kernels/mean_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/mean_rows_wide.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/halves-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  switch (plan.type) {
    case POOLPROOF_I8:
      return PoolMeans<double, false>(plan, IntegersOf<WideMean<int8_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_U8:
      return PoolMeans<double, false>(plan, IntegersOf<WideMean<uint8_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_I16:
      return PoolMeans<double, false>(plan, IntegersOf<WideMean<int16_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_U16:
      return PoolMeans<double, false>(plan, IntegersOf<WideMean<uint16_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_I32:
      return PoolMeans<double, false>(plan, IntegersOf<WideMean<int32_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_U32:
      return PoolMeans<double, false>(plan, IntegersOf<WideMean<uint32_t>>(), buffers, begin, end, scratch);
    case POOLPROOF_I64: return MeanHalves<int64_t>(plan, buffers, begin, end, scratch).Run();
    case POOLPROOF_U64: return MeanHalves<uint64_t>(plan, buffers, begin, end, scratch).Run();
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MeanRowsWide(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
