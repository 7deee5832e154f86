// Maximum with index, f16 and bf16: in strips of 16-bit lanes where they fit, twice as many as of 32 bits.
#include "optimized/kernels/max_kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max_strips_half.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/strip_runs-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

using Halves = Pair<int16_t, int16_t, true>;

bool Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const auto run = [&](auto source) {
    return RunStripsWithIndex<decltype(source), Halves>(plan, buffers, begin, end, scratch);
  };
  switch (plan.type) {
    case POOLPROOF_F16: return run(RecodedSource<HalfKey<0x7C00>>());
    case POOLPROOF_BF16: return run(RecodedSource<HalfKey<0x7F80>>());
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

void MaxStripsHalf(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch)) return;
  MaxLanesFloat(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
