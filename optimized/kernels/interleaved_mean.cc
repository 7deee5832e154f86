// Means of every type with a lane per plane.
#include "optimized/kernels/kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/interleaved_mean.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/folded-inl.h"
#include "optimized/kernels/interleaved-inl.h"
#include "optimized/kernels/means-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// As elements are stored; C has the lanes of their sums.
template <class C, template <class> class Kernel>
void PoolSums(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  Kernel<MeanOutputs<C>>(plan, buffers, {}, scratch).Run(begin, end);
}

template <template <class> class Kernel>
void PoolPlanes(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](auto codec) { PoolSums<decltype(codec), Kernel>(plan, buffers, begin, end, scratch); };
  const int bits = SumBits(plan);
  const bool large = bits > 16, wide = bits > 24;  // than sums that lanes of 16 bits hold, and of f32
  switch (plan.type) {
    case POOLPROOF_F64: return pool(FloatMean<double>());
    case POOLPROOF_F32: return pool(FloatMean<float>());
    case POOLPROOF_F16: return pool(F16Mean());
    case POOLPROOF_BF16: return pool(BF16Mean());
    case POOLPROOF_I8: return large ? pool(SmallMean<int8_t>()) : pool(ByteMean<int8_t>());
    case POOLPROOF_U8: return large ? pool(SmallMean<uint8_t>()) : pool(ByteMean<uint8_t>());
    case POOLPROOF_I16: return wide ? pool(WideMean<int16_t>()) : pool(SmallMean<int16_t>());
    case POOLPROOF_U16: return wide ? pool(WideMean<uint16_t>()) : pool(SmallMean<uint16_t>());
    case POOLPROOF_I32: return pool(WideMean<int32_t>());
    case POOLPROOF_U32: return pool(WideMean<uint32_t>());
    default: break;  // others are refused before
  }
}

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (plan.type == POOLPROOF_I64) return PoolSums<FloatMean<int64_t>, Interleaved>(plan, buffers, begin, end, scratch);
  if (plan.type == POOLPROOF_U64) return PoolSums<FloatMean<uint64_t>, Interleaved>(plan, buffers, begin, end, scratch);
  PoolPlanes<Interleaved>(plan, buffers, begin, end, scratch);
}

void DispatchedFolded(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  PoolPlanes<Folded>(plan, buffers, begin, end, scratch);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);
HWY_EXPORT(DispatchedFolded);

void InterleavedMean(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

void FoldedMean(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(DispatchedFolded)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
