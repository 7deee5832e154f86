// Maximum without index in rows.
#include "optimized/kernels/kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max_rows.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/max_rows-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  switch (plan.type) {
    case POOLPROOF_F32: return RunRows<Direct<float>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_F64: return RunRows<Direct<double>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I32: return RunRows<Direct<int32_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U32: return RunRows<Direct<uint32_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I64: return RunRows<Direct<int64_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U64: return RunRows<Direct<uint64_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I8: return RunRows<Direct<int8_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U8: return RunRows<Direct<uint8_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I16: return RunRows<Direct<int16_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U16: return RunRows<Direct<uint16_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_F16: return RunRows<HalfKey<0x7C00>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_BF16: return RunRows<HalfKey<0x7F80>>(plan, buffers, begin, end, scratch);
    default: return;  // others are refused before
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MaxRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
