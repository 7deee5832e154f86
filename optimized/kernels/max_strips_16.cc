// Maximum with index, i8, u8, i16 and u16: in strips of 16-bit lanes where they fit, twice as many as of 32 bits.
#include "optimized/kernels/max_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max_strips_16.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/strip_runs-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

bool Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const auto run = [&](auto source) {
    return RunStripsWithIndex<decltype(source), Pair<int16_t>>(plan, buffers, begin, end, scratch);
  };
  switch (plan.type) {
    case POOLPROOF_I8: return run(ByteSource<int8_t>());
    case POOLPROOF_U8: return run(ByteSource<uint8_t>());
    case POOLPROOF_I16: return run(LaneSource<int16_t>());
    case POOLPROOF_U16: return run(RecodedSource<Unsigned<uint16_t>>());
  }
#else
  (void)plan, (void)buffers, (void)begin, (void)end, (void)scratch;
#endif
  return false;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MaxStrips16(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch)) return;
  MaxLanesInt32(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
