// Means of floats.
#include "optimized/kernels/mean_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/mean_rows_float.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/mean_planes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  switch (plan.type) {
    case POOLPROOF_F64: return PoolMeans<double, true>(plan, FloatLanes<double>(), buffers, begin, end, scratch);
    case POOLPROOF_F32: return PoolMeans<float, true>(plan, FloatLanes<float>(), buffers, begin, end, scratch);
    case POOLPROOF_F16: return PoolMeans<float, true>(plan, FloatsOf<F16Mean>(), buffers, begin, end, scratch);
    case POOLPROOF_BF16: return PoolMeans<float, true>(plan, FloatsOf<BF16Mean>(), buffers, begin, end, scratch);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MeanRowsFloat(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
