// Maximum with index, 8-bit and 16-bit integers.
#include "optimized/kernels/max_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/index_rows_narrow.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/index_kernel-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end,
                Scratch& scratch) {
  switch (plan.type) {
    case POOLPROOF_I8:
      return RunIndex<Promoted<int8_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U8:
      return RunIndex<Promoted<uint8_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I16:
      return RunIndex<Promoted<int16_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U16:
      return RunIndex<Promoted<uint16_t>>(plan, buffers, begin, end, scratch);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void IndexRowsNarrow(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end,
                     Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
