// Maximum with index, or of small planes, f32, f16 and bf16.
#include "optimized/kernels/max_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max_lanes_float.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/max_lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto run = [&](const auto& form) { RunLanes(plan, buffers, form, begin, end, scratch); };
  switch (plan.type) {
    case POOLPROOF_F32: return run(StoredLanes<float>());
    case POOLPROOF_F16: return run(ConvertedLanes<HalfOrder<0x7C00>>());
    case POOLPROOF_BF16: return run(ConvertedLanes<HalfOrder<0x7F80>>());
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MaxLanesFloat(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
