// Maximum without index in rows, elements of 32 and 64 bits.
#include "optimized/kernels/max_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max_rows_wide.cc"
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

void MaxRowsWide(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
