// Means of integers of 64 bits.
#include "optimized/kernels/mean_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/mean_rows_64.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/halves-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end,
                Scratch& scratch) {
  if (plan.type == POOLPROOF_I64) return MeanHalves<int64_t>(plan, buffers, begin, end, scratch).Run();
  MeanHalves<uint64_t>(plan, buffers, begin, end, scratch).Run();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MeanRows64(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end,
                  Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
