// Maximum with index, or of small planes, integers of 8 to 32 bits.
#include "optimized/kernels/max_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max_lanes_int32.cc"
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
    case POOLPROOF_I8: return run(ConvertedLanes<Promoted<int8_t>>());
    case POOLPROOF_U8: return run(ConvertedLanes<Promoted<uint8_t>>());
    case POOLPROOF_I16: return run(ConvertedLanes<Promoted<int16_t>>());
    case POOLPROOF_U16: return run(ConvertedLanes<Promoted<uint16_t>>());
    case POOLPROOF_I32: return run(StoredLanes<int32_t>());
    case POOLPROOF_U32: return RunUnsigned<uint32_t>(plan, buffers, begin, end, scratch);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MaxLanesInt32(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
